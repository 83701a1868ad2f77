package sample

import (
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file is the scheduler of PCT: of the goroutines that can go on, the one with the highest priority does.
// Priorities are drawn when goroutines start. At d-1 steps, drawn before, the goroutine that would go on gets a
// priority below all of those.
//
// A rendezvous is a step of the sender. Which case of a select is taken is drawn each time. The guarantee says nothing
// of bugs that need a certain case.

type pct struct {
	r        *rand.Rand
	slots    []int // priorities of goroutines, by their number; those of more goroutines are drawn from the same range
	priority []int
	changes  map[int]int // by step: the priority that its goroutine gets
}

// newPCT returns the scheduler of a run of some depth.
func newPCT(r *rand.Rand, threads, steps, depth int) *pct {
	p := &pct{r: r, slots: r.Perm(threads), changes: make(map[int]int)}
	for i := 1; i < depth; i++ {
		p.changes[r.IntN(steps)] = i - depth // below all that are drawn
	}
	return p
}

func (p *pct) next(s *sched.State, among []int) int {
	for len(p.priority) < len(s.Threads) {
		n := len(p.priority)
		if n < len(p.slots) {
			p.priority = append(p.priority, p.slots[n])
			continue
		}
		p.priority = append(p.priority, p.r.IntN(len(p.slots)))
	}
	if low, ok := p.changes[s.Step]; ok {
		delete(p.changes, s.Step)
		p.priority[s.Enabled[p.highest(s, among)].Thread] = low
	}
	best := p.highest(s, among)
	thread, n := s.Enabled[best].Thread, 0
	for _, i := range among { // one of its transitions, each with the same probability
		if s.Enabled[i].Thread != thread {
			continue
		}
		if n++; n > 1 && p.r.IntN(n) == 0 {
			best = i
		}
	}
	return best
}

// highest is the first transition of the goroutine with the highest priority.
func (p *pct) highest(s *sched.State, among []int) int {
	best := among[0]
	for _, i := range among[1:] {
		if p.priority[s.Enabled[i].Thread] > p.priority[s.Enabled[best].Thread] {
			best = i
		}
	}
	return best
}
