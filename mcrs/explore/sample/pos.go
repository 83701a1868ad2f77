package sample

import (
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file is the scheduler of partial order sampling. Each step has a priority that is drawn when its goroutine comes
// to it, and drawn anew when a step is taken that it depends on. The step with the highest one is taken.

type pos struct {
	r     *rand.Rand
	drawn []draw
}

// A draw is the priority of a goroutine's next step.
type draw struct {
	seq   int32
	value uint64
	valid bool
}

func newPOS(r *rand.Rand) *pos { return &pos{r: r} }

func (p *pos) next(s *sched.State, among []int) int {
	for len(p.drawn) < len(s.Threads) {
		p.drawn = append(p.drawn, draw{})
	}
	best := -1
	for _, i := range among {
		t := s.Enabled[i].Thread
		if d := &p.drawn[t]; !d.valid || d.seq != s.Threads[t].Seq {
			*d = draw{s.Threads[t].Seq, p.r.Uint64(), true}
		}
		if best < 0 || p.drawn[t].value > p.drawn[s.Enabled[best].Thread].value || t == s.Enabled[best].Thread && p.r.IntN(2) == 0 {
			best = i
		}
	}
	taken := s.Threads[s.Enabled[best].Thread].Op
	for t, th := range s.Standing {
		if depend(taken, th.Op) {
			p.drawn[t].valid = false
		}
	}
	return best
}

// depend reports whether two operations touch one place, and not both read it alone.
func depend(a, b *event.Op) bool {
	if len(a.Cases) > 0 || len(b.Cases) > 0 {
		return a.Kind.Object() == b.Kind.Object() || a.Kind.Object() == event.Channel || b.Kind.Object() == event.Channel
	}
	return a.Loc.Addr == b.Loc.Addr && !(a.Kind == event.Read && b.Kind == event.Read)
}
