package boundary

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says how many processors the machine has, and how many the program uses when it starts. What the program
// sets later is in the overlay of package runtime (settings.go.txt).

// processors is how many the machine has.
const processors = 8

// startProcs is what runtime.GOMAXPROCS returns before the program sets it.
func startProcs(m *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	w[0] = processors
	for _, kv := range slices.Backward(m.Kernel.Env()) {
		if v, ok := strings.CutPrefix(kv, "GOMAXPROCS="); ok {
			if n, err := strconv.ParseInt(v, 10, 32); err == nil && n > 0 {
				w[0] = uint64(n)
			}
			break
		}
	}
	return vm.Done
}
