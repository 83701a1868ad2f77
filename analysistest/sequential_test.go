package analysistest_test

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/passes"
	"github.com/heddle-go/heddle/passes/exploration"
)

// TestSequential shows that in packages that start no goroutine only the tests that may wait are run. Their deadlocks
// and fatal errors are reported. The others are not run, and the result says so.
func TestSequential(t *testing.T) { eachExplorer(t, testSequential) }

func testSequential(t *testing.T) {
	f := exploration.Analyzer.Flags.Lookup("sequential")
	for _, value := range []string{"true", "false"} {
		if err := f.Value.Set(value); err != nil {
			t.Fatal(err)
		}
		defer f.Value.Set(f.DefValue)
		dir := "testdata/sequential"
		if value == "false" {
			pkgs := analysistest.RunAll(nothing{t}, dir, passes.All, "./...")
			if len(pkgs) != 2 || len(pkgs[1].Exploration.Entries) > 0 || pkgs[1].Exploration.Skipped != "nothing in it starts a goroutine" {
				t.Errorf("-sequential=false: %+v", pkgs)
			}
			continue
		}
		pkgs := analysistest.RunAll(t, dir, passes.All, "./...")
		if len(pkgs) != 2 {
			t.Fatalf("%d packages, want 2", len(pkgs))
		}
		still, stuck := pkgs[0].Exploration, pkgs[1].Exploration
		if still.Skipped != "nothing in it starts a goroutine, or waits" || len(still.Entries) > 0 || len(still.Names) != 1 {
			t.Errorf("still: %+v", still)
		}
		var run []string
		for i := range stuck.Entries {
			run = append(run, stuck.Entries[i].Name)
		}
		not := slices.DeleteFunc(slices.Clone(stuck.Names), func(s string) bool { return slices.Contains(run, s) })
		if want := []string{"TestPure", "TestAtNoTime"}; !slices.Equal(not, want) || stuck.Sequential != 2 {
			t.Errorf("stuck: %v were not run, %d are said to be; want %v", not, stuck.Sequential, want)
		}
	}
}

// nothing drops errors: comments that expect something are not met.
type nothing struct{ *testing.T }

func (nothing) Errorf(string, ...any) {}
