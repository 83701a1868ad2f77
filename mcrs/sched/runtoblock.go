package sched

import (
	"math"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// RunToBlock is the default schedule. It continues the last thread while that is enabled and does not spin. Else it
// takes the lowest-numbered enabled thread that does not spin. Of several transitions of a thread it takes the first. A
// thread at runtime.Gosched lets all others go first; threads at it take turns. A thread that starves goes on at once.
//
// What ends the program (Panic, Exit) waits until nothing else can run, so that an execution shows as much as it can:
// see the rules END1 and END2 of the explorers. For the same reason a timer whose time has come fires at once: it could
// still be stopped. What the clock offers early, a timer or the end of a sleep, waits until all others spin. Threads
// that spin come last, and take turns.
type RunToBlock struct {
	// Round says that threads go on in turns: where the last one cannot go on, the next one after it does, and not the
	// lowest-numbered.
	Round bool
	// Patient says that a thread that starves waits for its turn, unless it stands at Gosched. With Round every turn
	// comes.
	Patient bool
}

// Next implements Scheduler.
func (r RunToBlock) Next(s *State) int {
	best, bestRank := 0, 1<<30
	for i, t := range s.Enabled { // offered by thread
		if rank := r.rank(s, t); rank < bestRank {
			best, bestRank = i, rank
		}
	}
	return best
}

// Nth is what Next would choose if the first n of its choices were not there. n is less than the number of transitions
// that are enabled.
func (r RunToBlock) Nth(s *State, n int) int {
	if n == 0 {
		return r.Next(s)
	}
	return r.Order(s)[n]
}

// Order is all transitions that are enabled, in the order in which Nth has them. Those of one thread stand together.
func (r RunToBlock) Order(s *State) []int {
	order := make([]int, len(s.Enabled))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return r.rank(s, s.Enabled[i]) - r.rank(s, s.Enabled[j]) })
	return order
}

// Panics is what an execution ends with that is stopped before its end. A goroutine at a panic would come last, so it
// does here.
func Panics(s *State) int {
	for i, t := range s.Enabled {
		if s.Threads[t.Thread].Op.Kind == event.Panic {
			return i
		}
	}
	return Stop
}

// Foremost appends to out the transitions that RunToBlock could take if any goroutine had been the last. Transitions
// that end the program, are early, poll or give way are among them only if there are no others. A timer whose time has
// come fires at once.
func Foremost(s *State, out []int) []int {
	best := 1 << 30
	for i, t := range s.Enabled {
		rank := s.rank(t, false)
		if rank == 0 {
			rank = 1
		}
		if rank < best {
			best, out = rank, out[:0]
		}
		if rank == best {
			out = append(out, i)
		}
	}
	return out
}

func (r RunToBlock) rank(s *State, t Transition) int {
	rank := s.rank(t, r.Patient) << 1
	if r.Round && t.Thread < s.Last {
		rank++
	}
	return rank
}

// ranked has the kinds of operations that have a rank of their own.
var ranked = func() (ranked [math.MaxUint8 + 1]bool) {
	for k := range event.NumKinds {
		ranked[k] = k.EndsProgram() || k == event.TimerFire || k == event.Yield
	}
	return ranked
}()

// rank orders the transitions of a state for RunToBlock.
func (s *State) rank(t Transition, patient bool) int {
	thread := &s.Threads[t.Thread]
	if !ranked[thread.Op.Kind] && !thread.Spin && !thread.Starved && !thread.Early { // most of all
		if t.Thread == s.Last {
			return 0
		}
		return 1
	}
	switch {
	case s.Ends(t):
		return 4
	case thread.Early && (patient || !thread.Starved):
		return 5
	case thread.Op.Kind == event.TimerFire:
		return -1
	case thread.Starved && !thread.Spin && (!patient || thread.Op.Kind == event.Yield):
		return -2
	case thread.Spin && t.Thread > s.Last:
		return 6
	case thread.Spin:
		return 7
	case thread.Op.Kind == event.Yield && t.Thread > s.Last:
		return 2
	case thread.Op.Kind == event.Yield:
		return 3
	case t.Thread == s.Last:
		return 0
	}
	return 1
}
