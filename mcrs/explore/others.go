package explore

import (
	"github.com/heddle-go/heddle/mcrs/sched"
)

// Random runs random schedules up to its limits. It is always Incomplete.
type Random struct {
	Seed sched.RandSeed // of the first schedule; the others count on from it
}

// Explore implements Explorer.
func (x *Random) Explore(m sched.Machine, lim Limits) *Result {
	s := newSession(m, lim)
	c := newCover()
	out := &racesOnly{session: s}
	n := x.Seed
	for ; !s.exhausted(); n++ {
		watch := &switchWatch{sched.NewRandom(n), make(map[int]bool)}
		rec := newRecorder(watch)
		t := s.execute(rec)
		g := newGraph(t, rec, false)
		if c.add(g) {
			s.res.Stats.Redundant++
		}
		out.parent = keep(t, watch.preempted)
		(&reverser{g, out}).run()
	}
	s.res.Reason = "random schedules are no proof"
	return s.result()
}

// racesOnly takes the races of an execution, and drops its reversals.
type racesOnly struct {
	*session
	parent *schedule // of the execution that is being looked at
	work   int       // words of configurations considered
}

func (*racesOnly) seen(uint64) bool             { return true }
func (*racesOnly) candidate(*graph, cut, *move) {}

func (x *racesOnly) spend(words int) bool {
	x.work += words
	if x.work > maxWork {
		x.incomplete(stoppedWork)
		return false
	}
	return true
}

func (x *racesOnly) race(g *graph, k cut, first, second ref) {
	x.findings.race(g, x.parent, k, first, second)
}

// BruteForce runs every schedule, as the oracle does: for tests and comparison.
type BruteForce struct{}

// Explore implements Explorer.
func (BruteForce) Explore(m sched.Machine, lim Limits) *Result {
	s := newSession(m, lim)
	for x := new(sched.Exhaustive); !s.exhausted(); {
		s.execute(x)
		if !x.Advance() {
			break
		}
	}
	s.res.Stats.Redundant = -1
	return s.result()
}
