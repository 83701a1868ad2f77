package oracle_test

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/oracle"
)

// TestSearchRunsEverySchedule compares with what one can count by hand. The goroutine of the entry starts
// the others and ends; its last event interleaves with theirs.
func TestSearchRunsEverySchedule(t *testing.T) {
	for _, test := range []struct {
		name                     string
		threads                  [][]litmus.Op
		outcomes, races, blocked int
		executions               int
	}{
		// x=1, end: one order.
		{"alone", [][]litmus.Op{{litmus.W(0, 1)}}, 1, 0, 0, 1},
		// Goroutine 1 starts goroutine 2 and writes, ends; 2 reads, ends: the four
		// events after the start interleave in 6 ways; the read sees the write or not.
		{"write and read", [][]litmus.Op{{litmus.Spawn(1), litmus.W(0, 1)}, {litmus.R(0)}}, 2, 1, 0, 6},
		{"no race on atomics", [][]litmus.Op{{litmus.Spawn(1), litmus.Do(litmus.Store, 0, 1, 0)}, {litmus.Do(litmus.Load, 0, 0, 0)}}, 2, 0, 0, 6},
		// Both read, or one each: a map write and a read of another key race.
		{"map", [][]litmus.Op{{litmus.Spawn(1), litmus.Do(litmus.MapSet, 0, 1, 1)}, {litmus.Do(litmus.MapGet, 0, 2, 0)}}, 1, 1, 0, 6},
		// Nobody receives.
		{"deadlock", [][]litmus.Op{{litmus.S(0, 1)}}, 1, 0, 1, 1},
		// A lock taken first by either: then the end of that one anywhere among the other's four events.
		{"lock", [][]litmus.Op{{litmus.Spawn(1), litmus.L(0), litmus.R(0), litmus.U(0)}, {litmus.L(0), litmus.W(0, 1), litmus.U(0)}}, 2, 0, 0, 10},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := oracle.Search(&litmus.Program{Threads: test.threads}, oracle.Limits{}, nil)
			if !r.Complete || len(r.Outcomes) != test.outcomes || len(r.Races) != test.races || len(r.Blocked) != test.blocked {
				t.Errorf("complete %v, %d outcomes, %d races, %d blocked sets; want true, %d, %d, %d",
					r.Complete, len(r.Outcomes), len(r.Races), len(r.Blocked), test.outcomes, test.races, test.blocked)
			}
			if r.Executions != test.executions {
				t.Errorf("%d executions, want %d", r.Executions, test.executions)
			}
		})
	}
}

func TestSearchEndsAtTheLimit(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.W(0, 1)}, {litmus.R(0)}}}
	if r := oracle.Search(p, oracle.Limits{Executions: 5}, nil); r.Complete || r.Executions != 5 || r.Reason == "" {
		t.Errorf("complete %v after %d executions, %q", r.Complete, r.Executions, r.Reason)
	}
	if r := oracle.Search(p, oracle.Limits{Executions: 6}, nil); !r.Complete {
		t.Errorf("incomplete: %s", r.Reason)
	}
}

// TestStatesSayWhichAddWasFirst has an Add that races with a Wait where it is the first. Another order of the Adds
// leads to the same counter, and no goroutine can tell.
func TestStatesSayWhichAddWasFirst(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.A(0, 1), litmus.Do(litmus.WgWait, 0, 0, 0)}, {litmus.A(0, 1), litmus.A(0, -1), litmus.A(0, -1)}}}
	all := oracle.Search(p, oracle.Limits{}, nil)
	states := oracle.SearchStates(p, oracle.Limits{}, nil)
	if len(all.Races) != 1 || len(all.Missing(states))+len(states.Missing(all)) > 0 {
		t.Errorf("%d races, want 1; the search of states has %d", len(all.Races), len(states.Races))
	}
}

// TestBlockedInTime shows which rounds at the end of a history do not count where somebody is blocked for ever.
func TestBlockedInTime(t *testing.T) {
	for _, c := range []struct{ blocked, told, want string }{
		{"G1", "go;sleep/;lock/;sleep/;lock/;sleep/;lock/;", "go;sleep/;lock/;"},
		{"G1", "lock/;sleep/;lock/;sleep/;lock/;", "lock/;sleep/;lock/;"},
		{"G1", "timer fire/;timer fire/;timer fire/;", "timer fire/;"},
		{"G1", "sleep/;sleep/;lock/;", "sleep/;sleep/;lock/;"}, // they are not at the end
		{"G1", "lock/;unlock/;lock/;unlock/;", "lock/;unlock/;lock/;unlock/;"},
		{"", "sleep/;sleep/;", "sleep/;sleep/;"},
		{"G1", "", ""},
	} {
		r := oracle.NewResult()
		o := oracle.Outcome{Threads: map[event.ThreadID]string{"G1.1": c.told}, Blocked: c.blocked}
		r.Outcomes[o.String()] = o
		for k, got := range r.BlockedInTime().Outcomes {
			if got.Threads["G1.1"] != c.want || k != got.String() {
				t.Errorf("%s: %q, want %q", c.told, got.Threads["G1.1"], c.want)
			}
		}
	}
}
