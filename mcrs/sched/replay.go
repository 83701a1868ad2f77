package sched

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// Replay follows a seed, and then another scheduler.
type Replay struct {
	seed seed.Seed
	then Scheduler
	next int
	// diverged is the index of the first step that was not enabled, -1 if none.
	diverged int
	rounds   bool                   // see GoingRound
	passed   int                    // entries of Trace.Passed that were looked at
	out      map[event.ThreadID]int // steps that are still to be left out
	round    map[event.ThreadID]int // and how many are a round
	taken    seed.Seed
}

// NewReplay returns a scheduler that follows s and then asks then. At the first
// step that is not enabled it gives up the rest of the seed and asks then.
func NewReplay(s seed.Seed, then Scheduler) *Replay {
	return &Replay{seed: s, then: then, diverged: -1}
}

// GoingRound is NewReplay for a seed that goes round with goroutines that poll where the machine passes over rounds
// (POLL4). Such steps are left out.
func GoingRound(s seed.Seed, then Scheduler) *Replay {
	return &Replay{seed: s, then: then, diverged: -1, rounds: true}
}

// Diverged returns the index in the seed of the first step that could not be
// followed, -1 if all were. Steps that an execution ended before are no divergence
// as such; see Followed.
func (r *Replay) Diverged() int { return r.diverged }

// Followed returns the number of steps of the seed that were taken.
func (r *Replay) Followed() int { return r.next }

// Steps returns the number of steps of the seed.
func (r *Replay) Steps() int { return len(r.seed) }

// Taken returns the steps of the seed that were taken, and none that was left out.
func (r *Replay) Taken() seed.Seed { return r.taken }

// leaveOut leaves out steps that the machine has passed over.
func (r *Replay) leaveOut(s *State) {
	for ; r.passed < len(s.Trace.Passed); r.passed++ {
		if r.out == nil {
			r.out, r.round = make(map[event.ThreadID]int), make(map[event.ThreadID]int)
		}
		p := &s.Trace.Passed[r.passed]
		r.out[s.Threads[p.Thread].ID] += int(p.Steps)
		r.round[s.Threads[p.Thread].ID] = int(p.Round)
	}
	for r.next < len(r.seed) {
		th := r.seed[r.next].Thread
		n := r.out[th]
		if n == 0 {
			return
		}
		if n%r.round[th] == 0 && !r.goesRound(th) {
			r.out[th] = 0
			return
		}
		r.out[th]--
		r.next++
	}
}

// goesRound reports whether the seed goes on with a whole round of a thread that polls. It need not: somebody else may
// have moved the clock in the midst of it. Then the machine has passed over more rounds, and comes to the same.
func (r *Replay) goesRound(th event.ThreadID) bool {
	n := 0
	for _, step := range r.seed[r.next:] {
		if r.out[step.Thread] == 0 {
			return n >= r.round[th]
		}
		if step.Thread == th {
			n++
		}
	}
	return true
}

// Next implements Scheduler.
func (r *Replay) Next(s *State) int {
	if r.rounds && r.diverged < 0 && s.Trace != nil {
		r.leaveOut(s)
	}
	if r.diverged >= 0 || r.next == len(r.seed) {
		return r.then.Next(s)
	}
	if i := s.Find(r.seed[r.next]); i >= 0 {
		if r.rounds {
			if r.taken == nil {
				r.taken = make(seed.Seed, 0, len(r.seed))
			}
			r.taken = append(r.taken, r.seed[r.next])
		}
		r.next++
		return i
	}
	r.diverged = r.next
	return r.then.Next(s)
}

// Find returns the index (of Next) of the transition that a step names, -1 if
// it is not enabled.
func (s *State) Find(step seed.Step) int {
	for n := range len(s.Enabled) + len(s.Idle) {
		t := s.Transition(n)
		if t.Case == step.Case && t.PartnerCase == step.PartnerCase &&
			(t.Partner >= 0) == (step.Partner != "") &&
			s.Threads[t.Thread].ID == step.Thread &&
			(t.Partner < 0 || s.Threads[t.Partner].ID == step.Partner) {
			return n
		}
	}
	return -1
}

// Halt is a Scheduler that ends the execution.
type Halt struct{}

// Next implements Scheduler.
func (Halt) Next(*State) int { return Stop }
