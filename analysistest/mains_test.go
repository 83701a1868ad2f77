package analysistest

import (
	"maps"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// TestMainPrograms compares explorers with brute force on main programs that do not wait for their goroutines. Their
// end is the end of the process (EXIT6): what the others do comes before it.
func TestMainPrograms(t *testing.T) {
	finds := map[string]string{
		"Panics": "panics", "Races": "datarace", "PanicsBehind": "panics", "PanicsInBetween": "panics", "RacesOfTwo": "datarace", "Leaves": "", "Goexits": "deadlock",
	}
	m, p := loadDir(t, "testdata/mains")
	pkg := p.PackageByPath(p.Path).SSA
	for _, name := range slices.Sorted(maps.Keys(finds)) {
		em := m.Entry(program.Entry{Name: name, Kind: program.Main, Fn: pkg.Func(name)})
		want := make(map[string]bool)
		all := oracle.SearchStates(em, oracle.Limits{Executions: 5000}, func(tr *trace.Trace) { keysOf(want, explore.Failures(tr)) })
		if !all.Complete {
			t.Fatalf("%s: brute force: %s", name, all.Reason)
		}
		for k := range all.Races {
			want[string(report.DataRace)+" "+k] = true
		}
		if got := categories(want); got != finds[name] {
			t.Errorf("%s: brute force finds %q, want %q", name, got, finds[name])
		}
		for _, explorer := range []string{"union", "systematic", "icb", "mcr"} {
			x, err := explorers.New(explorer)
			if err != nil {
				t.Fatal(err)
			}
			if u, ok := x.(*union.Explorer); ok {
				u.Alone = true
			}
			r := x.Explore(em, explore.Limits{})
			got := make(map[string]bool)
			keysOf(got, r.Findings)
			if r.Verdict != explore.Exhausted || !maps.Equal(got, want) {
				t.Errorf("%s: %s: %v %s: %q, brute force finds %q", name, explorer, r.Verdict, r.Reason, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
		}
	}
}
