package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares union causality with brute force in the second regime of time.

// regimeStates bounds the number of states of some entries: rules that only make the exploration smaller.
var regimeStates = map[string]int{"TestRegimeOver": 23}

// regimeFinds is what is found in the second regime where brute force would take long to come to it.
var regimeFinds = map[string]report.Category{"TestRegimeRaceBetweenFailures": report.DataRace, "TestRegimeErrorBeforeFailure": report.Panics, "TestRegimeRangeEnded": report.Panics}

// regimeRuns bounds brute force. What it has met by then union must have met.
func regimeRuns() int { return long.Pick(60, 5000) }

// TestRegimes compares histories, failures, races and blocked sets where every execution counts. Then it compares what
// is found where executions that the program rejects are dropped. No other explorer may take over.
func TestRegimes(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestRegime") {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			defer structural(t, m.Entry(e), e.Name)
			if e.Name == "TestRegimeErrorBeforeFailure" || e.Name == "TestRegimeErrorBesideFailure" { // their outcomes say which of two failures came first, and that is a matter of two goroutines
				return
			}
			all := explore.InTimingRegime(m.Entry(e), explore.TimingAll)
			histories := make(map[string]bool)
			want := oracle.SearchStates(all, oracle.Limits{Executions: 10 * regimeRuns()}, nil)
			for _, o := range want.Outcomes {
				if o.Cut { // what it has of a history may be a beginning
					want.Complete = false
					continue
				}
				for id, told := range o.Threads {
					histories[string(id)+": "+told] = true
				}
			}
			for _, apart := range []bool{true, false} {
				unionOutcomes(t, all, apart, want, histories, false) // RED13
			}
			if t.Skipped() {
				t.Fatal("it has no rule for it")
			}
		})
	}
}

// structural compares what is found under -timing=structural. What the first regime finds it may leave to that.
func structural(t *testing.T, first sched.Machine, name string) {
	m := explore.InTimingRegime(first, explore.TimingStructural)
	keys := func(m sched.Machine) (map[string]bool, bool) {
		found := make(map[string]bool)
		r := oracle.Search(m, oracle.Limits{Executions: regimeRuns()}, func(tr *trace.Trace) {
			for _, f := range explore.Failures(tr) {
				found[f.Key] = true
			}
		})
		return found, r.Complete
	}
	want, complete := keys(m)
	known, _ := keys(first)
	res := (&union.Explorer{Alone: true}).Explore(m, explore.Limits{})
	if res.Verdict != explore.Exhausted {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
	if most := regimeStates[name]; most > 0 && res.Stats.States > most {
		t.Errorf("%d states, at most %d are needed", res.Stats.States, most)
	}
	got := make(map[string]bool)
	for _, f := range res.Findings {
		if got[f.Key] = true; complete && !want[f.Key] {
			t.Errorf("found, and not by brute force: %s", f.Key)
		}
	}
	if c := regimeFinds[name]; c != "" && !slices.ContainsFunc(res.Findings, func(f report.Finding) bool { return f.Category == c }) {
		t.Errorf("no %s found", c)
	}
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if !got[k] && !known[k] {
			t.Errorf("not found: %s", k)
		}
	}
	t.Logf("%d executions, %d states, found %d, brute force complete: %v", res.Stats.Executions, res.Stats.States, len(got), complete)
}

// TestRegimesRejected looks behind observations in the second regime of time. An access behind which the test fails
// whatever comes is not looked for (BEHIND14); one behind which it may go on is, and so is one behind which another
// goroutine may end the program first.
func TestRegimesRejected(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	races := map[string]bool{"TestRejectedReadsWhereItFails": false, "TestRejectedReadsWhereItMayFail": true, "TestRejectedReadsAndWaits": true, "TestRejectedReadsBesideError": true}
	for _, e := range p.Entries {
		want, ok := races[e.Name]
		if !ok {
			continue
		}
		delete(races, e.Name)
		x := &union.Explorer{Engine: union.New(), Alone: true}
		if r := x.Explore(explore.InTimingRegime(m.Entry(e), explore.TimingStructural), explore.Limits{}); r.Verdict != explore.Exhausted {
			t.Errorf("%s: %s: %s", e.Name, r.Verdict, r.Reason)
		}
		clear(x.Engine.Racing.Raced)
		if b := x.Engine.Behind(2000, true); !b.Complete || len(b.Races) > 0 != want || b.States > 0 != want {
			t.Errorf("%s: %d races, %d states, complete: %v; want races: %v", e.Name, len(b.Races), b.States, b.Complete, want)
		}
	}
	if len(races) > 0 {
		t.Errorf("no entries: %v", races)
	}
}

// TestRegimesLookBack has a test that fails in the first regime of time as well. The second drops its executions, so
// the race that the first leaves to it is looked for in the first once more.
func TestRegimesLookBack(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if e.Name != "TestRejectedRaceBehindSleep" {
			continue
		}
		next := func() explore.Explorer { return new(union.Explorer) }
		r := explore.ExploreRegimes(next, m.Entry(e), explore.Limits{}, explore.TimingStructural)
		if r.Verdict != explore.Exhausted || !slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Category == report.DataRace }) {
			t.Errorf("%s: %s, %d findings, and no data race", r.Verdict, r.Reason, len(r.Findings))
		}
		return
	}
	t.Error("no such entry")
}
