package mcr

import (
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// SwitchEquivalent explores by maximal causality reduction with switch equivalence, as published, and then by MCR what
// that left out.
//
// # Method
//
// The method is that of S. Huang, "Fast and Effective Approaches for Verifying and Debugging Concurrent Programs",
// 2019, chapter 5, algorithms 7 to 9. The prefix that a trace was executed with stays as it is. For each operation
// behind it that could meet something else, the shortest prefix that shows it is executed, breadth first. Two prefixes
// of one trace are switch equivalent if both departing operations meet what they were to meet when one prefix follows
// the other, in both orders. Then what leads from the first to both is not executed, for it will be reached from the
// second.
//
// # Deviations
//
// The published explorer prunes real classes:
//
//   - A read in the prefix is never asked about again, although a write that shows up later may have its value for it.
//   - What a short prefix leaves open is chosen by the scheduler, once.
//   - A prefix is pruned because a sibling will reach the same. But the sibling may prune it, too, or not reach it.
//
// So when nothing is left, the models of all traces are asked as MCR asks them. Whatever no execution has shown is
// executed (Stats.Restored counts these executions), and MCR goes on from there. The argument of completeness is that
// of Explorer.
//
// A prefix is not executed if an execution has shown it. Two prefixes with different histories can lead to one class,
// so without this there would be many more executions than classes.
//
// Locks that a prefix takes and keeps are not released for the sake of the equivalence. If they are in the way of the
// other prefix, the two are not equivalent. Every operation that meets something is a read.
type SwitchEquivalent struct {
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
	// Alone says that no other explorer takes over where this one has no rule.
	Alone bool
}

// Explore implements Explorer.
func (x *SwitchEquivalent) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	c := NewCausal(s, union.NewGathering(s))
	c.Observe, c.swap = x.Observe, &switching{equal: make(map[uint64]map[uint64]bool), skipped: &c.Result.Stats.Skipped}
	c.Result.Stats.Skipped, c.Result.Stats.Restored = 0, 0
	return c.explore(x.Alone)
}

// switching is what switch equivalence adds to an exploration.
type switching struct {
	queue   []Prefix
	equal   map[uint64]map[uint64]bool // by prefix: the prefixes that it leaves to a sibling
	over    bool                       // nothing is left: MCR goes on
	skipped *int
}

func (s *switching) next(shown *evidence) (p Prefix, ok bool) {
	for len(s.queue) > 0 {
		p = s.queue[0]
		s.queue = s.queue[1:]
		if !shown.has(p.Needs) {
			return p, true
		}
	}
	s.over = true
	return p, false
}

// walk finds the prefixes that go on from a trace behind what it was executed with.
func (s *switching) walk(m *Model, from Prefix) (states int, complete bool) {
	var found []Prefix
	seen := make(map[uint64]bool)
	m.Found = func(p Prefix) {
		if !p.Departs() {
			return // no read: MCR's concern
		}
		p = m.Short(p, &from)
		if h := sum(p.Needs, false); !seen[h] {
			seen[h] = true
			found = append(found, p)
		}
	}
	if states, complete = m.Walk(&from, modelStates); !complete {
		return states, false
	}
	left := s.equal[sum(from.Needs, false)]
	for i, p := range found {
		for _, q := range found[i+1:] {
			both, ok := m.Compose(p, q)
			if _, back := m.Compose(q, p); !ok || !back {
				continue
			}
			h := sum(p.Needs, false)
			if s.equal[h] == nil {
				s.equal[h] = make(map[uint64]bool)
			}
			s.equal[h][sum(both.Needs, false)] = true
		}
	}
	for _, p := range found {
		if left[sum(p.Needs, false)] {
			*s.skipped++
		} else {
			s.queue = append(s.queue, p)
		}
	}
	return states, true
}
