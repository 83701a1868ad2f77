package spec

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// TestListedTimers compares what is looked up in the list of a clock with what a walk over all its timers finds.
func TestListedTimers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		k := NewRules()
		k.Timing, k.EarlyMost = rnd.IntN(2) == 0, sched.EarlyMost
		k.Began.Now = 1000
		s := State{}
		threads := 1 + rnd.IntN(6)
		root := int32(len(k.Nodes))
		op := &known.Operation{Op: event.Op{Kind: event.TimerFire}}
		k.Nodes = append(k.Nodes, known.Node{Known: true, Operation: op})
		for i := range threads {
			k.Thread(event.ThreadID(rune('a' + i)))
			s.SetNode(int32(i), root)
		}
		c := Clock{Now: 1000 + rnd.Int64N(10)}
		for i := range rnd.IntN(8) {
			k.Timers = append(k.Timers, Timer{Thread: int32(rnd.IntN(threads))})
			c.Active = append(c.Active, ActiveTimer{Timer: int32(i), Due: rnd.IntN(4) == 0, when: 1000 + rnd.Int64N(5), period: rnd.Int64N(2)})
		}
		plain := c
		c.listed = list(&k, &c)
		for i := range int32(threads) {
			f, g := Face{&k, &s, &c, 0}, Face{&k, &s, &plain, 0}
			if a, b := f.dueOf(i), g.dueOf(i); a != b {
				t.Fatalf("due: %d, by a walk %d, of %+v", a, b, c.Active)
			}
			at, early := f.early(i)
			if at2, early2 := g.early(i); early != early2 || early && at != at2 {
				t.Fatalf("early: %d %v, by a walk %d %v, of %+v", at, early, at2, early2, c.Active)
			}
			if f.never(i) != g.never(i) || f.Started(i) != g.Started(i) || !slices.Equal(slices.Collect(f.timersOf(i)), slices.Collect(g.timersOf(i))) {
				t.Fatalf("the list differs from a walk over %+v", c.Active)
			}
		}
	}
}
