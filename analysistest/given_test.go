package analysistest

import (
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
)

// TestGiven explores programs that give memory to functions of the standard library that work in silence, or whose
// bodies are the machine's. mcrs/machine has TestUnseen, which looks for such functions.
func TestGiven(t *testing.T) {
	const dir = "testdata/given"
	m, p := loadDirWith(t, dir, machine.Config{Kernel: kernel.Config{Root: dir, GOROOT: runtime.GOROOT(), Env: []string{"TMPDIR=/tmp"}}})
	for _, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			w := wanted(t, dir, e)
			for name := range strings.SplitSeq("union,systematic,mcr,icb", ",") {
				w.compare(t, name, m.Entry(e), explore.TimingOff, w.finds)
			}
		})
	}
}
