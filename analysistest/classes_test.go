package analysistest

import (
	"flag"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// make outcomes asks for all of it.
var classStates = flag.Int("classes.executions", 0, "executions of brute force for each program of TestBenchClasses; 0: none, and no large programs")

// TestBenchClasses pins the classes of the benchmark programs, as an explicit-state search counts them, and how often
// mcr and se-mcr execute: at most once more than there are classes. Where brute force over states ends, their outcomes,
// races and blocked sets must be its own.
func TestBenchClasses(t *testing.T) {
	want := map[string]int{
		"TestSB": 3, "TestIndep4": 4, "TestNWriters2": 2, "TestNWriters8": 2, "TestNWriters64": 2,
		"TestCounter1": 3, "TestCounter2": 19, "TestCounter3": 140, "TestCounter4": 1091,
		"TestFib1": 3, "TestFib2": 19, "TestFib3": 141, "TestFib4": 1107,
		"TestLockCnt2": 2, "TestLockCnt3": 6, "TestLockCnt4": 24, "TestLockCnt5": 120, "TestLockCnt6": 720,
		"TestDekker": 84, "TestPeterson": 36, "TestBakery": 194, "TestLamport": 121, "TestRVExample": 107,
		"TestPingPong2": 7, "TestPingPong3": 37, "TestPingPong4": 175, "TestBranches2": 4, "TestBranches5": 32,
	}
	m, p := loadDir(t, "testdata/bench")
	compared := 0
	for _, e := range p.Entries {
		n, ok := want[e.Name]
		delete(want, e.Name)
		if !ok || n > long.Pick(25, 145) && *classStates == 0 {
			continue
		}
		em := m.Entry(e)
		var brute *oracle.Result
		if *classStates > 0 {
			if brute = oracle.SearchStates(em, oracle.Limits{Executions: *classStates}, nil); brute.Complete {
				compared++
			}
			t.Logf("%s: brute force, %d executions, %d outcomes, complete: %v", e.Name, brute.Executions, len(brute.Outcomes), brute.Complete)
		}
		for _, name := range []string{"mcr", "se-mcr"} {
			got := oracle.NewResult()
			add := func(tr *trace.Trace) { got.Add(tr) }
			var x explore.Explorer = &mcr.Explorer{Alone: true, Observe: add}
			if name == "se-mcr" {
				x = &mcr.SwitchEquivalent{Alone: true, Observe: add}
			}
			r := x.Explore(em, explore.Limits{})
			if s := r.Stats; r.Verdict != explore.Exhausted || s.Classes != n || s.Executions > n+1 || s.Diverged > 0 {
				t.Errorf("%s, %s: %s %s, %d classes, %d executions, %d diverged; want %d classes", e.Name, name, r.Verdict, r.Reason, s.Classes, s.Executions, s.Diverged, n)
			}
			for _, f := range r.Findings {
				if f.Category == report.DataRace {
					got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
				}
			}
			if brute == nil || !brute.Complete {
				continue
			}
			if len(brute.Outcomes) != n {
				t.Errorf("%s: brute force has %d classes, want %d", e.Name, len(brute.Outcomes), n)
			}
			if d := append(brute.Missing(got), got.Missing(brute)...); len(d) > 0 {
				t.Errorf("%s, %s: not met by one of it and brute force:\n%s", e.Name, name, strings.Join(d, "\n"))
			}
		}
	}
	t.Logf("brute force ended on %d programs", compared)
	for name := range want {
		t.Errorf("there is no %s", name)
	}
}
