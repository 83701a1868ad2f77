// Package plain holds the explorers without a method, which others are compared with: random schedules, and every
// schedule.
package plain

import (
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// Random runs random schedules up to its limits. It is always Incomplete.
type Random struct {
	Seed sched.RandSeed // of the first schedule; the others count on from it
}

// Explore implements Explorer.
func (x *Random) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	c := causality.NewCover()
	out := &racesOnly{Session: s}
	n := x.Seed
	for ; !s.Exhausted(); n++ {
		watch := &causality.SwitchWatch{Scheduler: sched.NewRandom(n), Preempted: make(map[int]bool)}
		rec := causality.NewRecorder(watch)
		t := s.Execute(rec)
		g := causality.NewGraph(t, rec, false)
		if c.Add(g) {
			s.Result.Stats.Redundant++
		}
		out.parent = causality.Keep(t, watch.Preempted)
		(&causality.Reverser{Graph: g, Out: out}).Run()
	}
	if !s.Result.Interrupted {
		s.Result.Reason = "random schedules are no proof"
	}
	return s.Close()
}

// racesOnly takes the races of an execution, and drops its reversals.
type racesOnly struct {
	*explore.Session
	parent *causality.Schedule // of the execution that is being looked at
	work   int                 // words of configurations considered
}

func (*racesOnly) Seen(uint64) bool                                           { return true }
func (*racesOnly) Candidate(*causality.Graph, causality.Cut, *causality.Move) {}

func (x *racesOnly) Spend(words int) bool {
	x.work += words
	if x.work > explore.MaxWork {
		x.Incomplete(explore.StoppedWork)
		return false
	}
	return true
}

func (x *racesOnly) Race(g *causality.Graph, k causality.Cut, first, second causality.Ref) {
	x.Findings.Race(g, x.parent, k, first, second)
}

// BruteForce runs every schedule, as the oracle does: for tests and comparison.
type BruteForce struct{}

// Explore implements Explorer.
func (BruteForce) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	for x := new(sched.Exhaustive); !s.Exhausted(); {
		s.Execute(x)
		if !x.Advance() {
			break
		}
	}
	s.Result.Stats.Redundant = -1
	return s.Close()
}
