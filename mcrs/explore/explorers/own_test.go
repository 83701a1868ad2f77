package explorers_test

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestOwnEvents: what a goroutine does for itself does not use up the limit of events, however much it is, while the
// same on what another one uses too does.
func TestOwnEvents(t *testing.T) {
	const rounds, limit = 700, 1000
	program := func(other int) *litmus.Program {
		setUp := litmustest.Loop(rounds, litmus.L(5), litmus.W(5, 1), litmus.U(5))
		set := append(setUp, litmus.Spawn(1), litmus.Spawn(2), litmus.R(0))
		shares := []litmus.Op{litmus.L(1), litmus.W(0, 2), litmus.U(1), litmus.L(other), litmus.U(other)}
		return &litmus.Program{Threads: [][]litmus.Op{set, shares, {litmus.L(1), litmus.W(0, 3), litmus.U(1)}}}
	}
	for _, name := range []string{"union", "systematic"} {
		for _, test := range []struct {
			other int // lock, which the set-up has if it is 5
			want  explore.Verdict
		}{{6, explore.Exhausted}, {5, explore.Incomplete}} {
			x, err := explorers.New(name)
			if err != nil {
				t.Fatal(err)
			}
			r := x.Explore(program(test.other), explore.Limits{Events: limit})
			if r.Verdict != test.want || test.want == explore.Incomplete && r.Reason != "stopped at the limit of events (-limit.events)" {
				t.Errorf("%s, with lock %d: %s %q after %d executions, %d events, %d of them shared", name, test.other, r.Verdict, r.Reason, r.Stats.Executions, r.Stats.Events, r.Stats.Shared)
			}
		}
	}
}
