package passes_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/passes/exploration"
	"github.com/heddle-go/heddle/passes/livelock"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(300) // most of the heap is the standard library's syntax
	closure.KeepUniverse()
	os.Exit(m.Run())
}

// TestWants compares what each check reports of the packages in its testdata with their comments. It does so for all
// checks in one process: they share the standard library, which takes longer to load than the packages take to explore.
func TestWants(t *testing.T) {
	for _, a := range passes.All {
		if a == exploration.Analyzer {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			exploration.Ask(a.Name, true)
			defer exploration.Ask(a.Name, false)
			patterns := "./..."
			if a == livelock.Analyzer { // some of its tests go on up to the limit
				defer exploration.Analyzer.Flags.Set("limit.events", "0")
				if err := exploration.Analyzer.Flags.Set("limit.events", "50000"); err != nil {
					t.Fatal(err)
				}
				patterns = long.Pick("./a", "./...")
			}
			dir, err := filepath.Abs(filepath.Join(a.Name, "testdata"))
			if err != nil {
				t.Fatal(err)
			}
			if pkgs := analysistest.Run(t, dir, a, patterns); len(pkgs) == 0 {
				t.Errorf("there is no package in %s", dir)
			}
		})
	}
}
