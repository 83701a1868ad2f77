package union

import (
	"runtime"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
)

// TestAloneForLong explores a goroutine of n operations beside one of two. What that takes grows with n, and not with
// its square, though behind each of the n places of the other one the first goes on alone (IsMilestone). It is measured
// by the memory that is allocated, for that is the same each time.
func TestAloneForLong(t *testing.T) {
	allocated := func(n int) uint64 {
		p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1)}, {litmus.Do(litmus.Lock, 0, 0, 0), litmus.Do(litmus.Unlock, 0, 0, 0)}}}
		for range n {
			p.Threads[0] = append(p.Threads[0], litmus.Do(litmus.Lock, 0, 0, 0), litmus.Do(litmus.Unlock, 0, 0, 0))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := (&Explorer{Alone: true, Apart: true}).Explore(p, explore.Limits{Executions: 10})
		runtime.ReadMemStats(&after)
		if r.Verdict != explore.Exhausted {
			t.Fatalf("%s: %s", r.Verdict, r.Reason)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if one, two := allocated(1500), allocated(3000); two > 5*one/2 {
		t.Errorf("%d bytes for 1,500 rounds, %d for twice as many", one, two)
	}
}
