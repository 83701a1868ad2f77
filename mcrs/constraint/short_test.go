package constraint

import (
	"math/rand/v2"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// An inquiry is what a read is asked to return.
type inquiry struct {
	read int
	c    content
}

// shortest returns the length of the shortest seed for each answer that is yes: states are visited in breadth.
func shortest(t *trace.Trace) map[inquiry]int {
	out := map[inquiry]int{}
	level, seen := []*world{newWorld(t)}, map[string]bool{}
	for steps := 1; len(level) > 0; steps++ {
		var next []*world
		for _, w := range level {
			for i := range t.Events {
				if !w.next(i) {
					continue
				}
				if k := t.Events[i].Kind; k == event.Read || k == event.AtomicLoad {
					q := inquiry{i, w.content(i)}
					if out[q] == 0 {
						out[q] = steps
					}
				}
				if w.can(i) {
					c := w.clone()
					c.run(i)
					if k := c.key(); !seen[k] {
						seen[k] = true
						next = append(next, c)
					}
				}
			}
		}
		level = next
	}
	return out
}

func switches(s seed.Seed) int {
	n := 0
	for i := range s {
		if i > 0 && s[i].Thread != s[i-1].Thread {
			n++
		}
	}
	return n
}

// TestSeedsAreShort compares seeds with the shortest there are.
func TestSeedsAreShort(t *testing.T) {
	var traces []*trace.Trace
	for _, name := range familyNames {
		for threads := 2; threads <= 4; threads++ {
			traces = append(traces, family(name, threads, 70-10*threads))
		}
	}
	for s := range 100 {
		traces = append(traces, randomTrace(rand.New(rand.NewPCG(uint64(s), 51)), 12+s%8, false))
	}
	seeds, steps, fewest, changes := 0, 0, 0, 0
	for _, tr := range traces {
		e := Encode(tr)
		least := shortest(tr)
		for r := range tr.Events {
			for v := range uint64(64) {
				n := least[inquiry{r, content{value: v}}]
				if n == 0 {
					continue
				}
				a := e.CanReturn(r, v)
				if a.Status != solver.Sat || len(a.Seed) < n {
					t.Fatalf("%v, a seed of %d steps where the shortest has %d", a.Status, len(a.Seed), n)
				}
				seeds++
				steps += len(a.Seed)
				fewest += n
				changes += switches(a.Seed)
			}
		}
	}
	excess := 100 * float64(steps-fewest) / float64(fewest)
	t.Logf("%d seeds have %d steps, the shortest %d: %.1f %% more; %.1f switches a seed", seeds, steps, fewest, excess, float64(changes)/float64(seeds))
	if excess > 6 {
		t.Errorf("seeds are %.1f %% longer than the shortest, want at most 6 %%", excess)
	}
}
