package analysistest

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
)

// TestGiven explores programs that give memory to functions of the standard library that work in silence, or whose
// bodies are the machine's. mcrs/machine has TestUnseen, which looks for such functions.
func TestGiven(t *testing.T) {
	const dir = "testdata/given"
	names := long.Pick([]string{"union", "systematic", "mcr", "icb"}, slices.DeleteFunc(explorers.Names(), explorers.Samples))
	m, p := loadDirWith(t, dir, machine.Config{Kernel: kernel.Config{Root: dir, GOROOT: runtime.GOROOT(), Env: []string{"TMPDIR=/tmp"}}})
	for _, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			w := wanted(t, dir, e)
			for _, name := range names {
				w.compare(t, name, m.Entry(e), explore.TimingOff, w.finds)
			}
			if !strings.Contains(strings.ToLower(e.Name), "host") {
				return
			}
			if r := new(union.Explorer).Explore(m.Entry(e), explore.Limits{}); r.HandOver != "" {
				t.Errorf("union hands over: %s", r.HandOver)
			}
		})
	}
}
