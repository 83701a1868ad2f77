package formula

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/constraint"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// someNeeds is Needs that knows nothing: an event needs each read before it in its goroutine or not, by chance.
type someNeeds struct {
	t     *trace.Trace
	share uint64 // of 8
}

func (n someNeeds) pick(e int, salt uint64) (out []int32) {
	for i := range e {
		if x := &n.t.Events[i]; x.Thread == n.t.Events[e].Thread && (x.Kind == event.Read || x.Kind == event.AtomicLoad) {
			if rand.New(rand.NewPCG(uint64(x.Seq)<<32|uint64(n.t.Events[e].Seq), salt)).Uint64()%8 < n.share {
				out = append(out, int32(i))
			}
		}
	}
	return out
}

func (n someNeeds) Happens(e int) []int32 { return n.pick(e, 1) }
func (n someNeeds) Writes(e int) []int32  { return n.pick(e, 2) }

// TestFormulaRandom compares mcr-s and mcr-s+ with brute force on random programs over all primitives: all outcomes,
// races and blocked sets, whatever is said of dependence.
func TestFormulaRandom(t *testing.T) {
	const n = 120
	var sum explore.Stats
	skipped := 0
	for i := range n {
		mix := litmustest.Mixes[i%len(litmustest.Mixes)]
		p := litmus.Generate(uint64(i), mix, 4, 9)
		want := litmustest.Enumerate(p, long.Pick(1000, 1500), nil)
		if want == nil {
			skipped++
			continue
		}
		for _, share := range []uint64{0, 3, 8} {
			for _, plus := range []bool{false, true} {
				x := &Explorer{Plus: plus, Alone: true}
				if share < 8 {
					x.Needs = func(t *trace.Trace) constraint.Needs { return someNeeds{t, share} }
				}
				got := oracle.NewResult()
				x.Observe = func(t *trace.Trace) { got.Add(t) }
				res := x.Explore(p, explore.Limits{Executions: 100000})
				for _, f := range res.Findings {
					if f.Category == report.DataRace {
						got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
					}
				}
				diff := append(want.Missing(got), got.Missing(want)...)
				if res.Verdict != explore.Exhausted {
					diff = append(diff, fmt.Sprintf("%s: %s", res.Verdict, res.Reason))
				}
				if len(diff) > 0 {
					t.Fatalf("program %d, mix %d, share %d, plus %v:\n%v\n%s", i, mix, share, plus, p, strings.Join(diff, "\n"))
				}
				sum.Classes += res.Stats.Classes
				sum.Executions += res.Stats.Executions
				sum.Diverged += res.Stats.Diverged
				sum.Missed += res.Stats.Missed
				sum.Queries += res.Stats.Queries
			}
		}
	}
	t.Logf("%d programs, %d too large for brute force; %d executions, %d classes, %d of them missed by formulas, %d diverged, %d questions",
		n, skipped, sum.Executions, sum.Classes, sum.Missed, sum.Diverged, sum.Queries)
	if skipped > n/2 || sum.Diverged < n/10 {
		t.Errorf("the programs show too little")
	}
}

// TestRedundantExecution is section 4.3 of the dissertation. For the program x = 1 || r1 = x; r2 = x, algorithm 4 makes
// one execution more than plain MCR, algorithm 6 none. Nor does algorithm 4 if it leaves out what an execution has
// answered.
//
// For r1 = y; x = 1 || r2 = x; y = 1 algorithm 6 as published makes one more, too. r2 = x can return 1 only if r1 = y
// returns another value than it did, and x = 1 does not need it. That both return 1 is asked for below the execution in
// which r1 = y returns it.
func TestRedundantExecution(t *testing.T) {
	again := [][]litmus.Op{{}, {litmus.W(0, 1)}, {litmus.R(0), litmus.R(0)}}
	buffering := [][]litmus.Op{{}, {litmus.R(1), litmus.W(0, 1)}, {litmus.R(0), litmus.W(1, 1)}}
	nothing := func(t *trace.Trace) constraint.Needs { return someNeeds{t, 0} }
	for i, c := range []struct {
		threads               [][]litmus.Op
		x                     *Explorer
		executions, redundant int
	}{
		{again, &Explorer{Published: true}, 3, 0},
		{again, &Explorer{Needs: nothing, Published: true}, 4, 1},
		{again, &Explorer{Needs: nothing, Plus: true, Published: true}, 3, 0},
		{again, &Explorer{Needs: nothing}, 3, 0},
		{buffering, &Explorer{Published: true}, 3, 0},
		{buffering, &Explorer{Needs: nothing, Plus: true, Published: true}, 4, 1},
		{buffering, &Explorer{Needs: nothing, Plus: true}, 3, 0},
	} {
		c.x.Open = true
		s := c.x.Explore(&litmus.Program{Threads: c.threads}, explore.Limits{}).Stats
		if s.Executions != c.executions || s.Redundant != c.redundant || s.Classes != 3 || s.Diverged != 0 {
			t.Errorf("%d: %+v", i, s)
		}
	}
}
