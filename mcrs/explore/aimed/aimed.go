// Package aimed samples schedules in which goroutines that run changed code are held up there.
package aimed

import (
	"math/rand/v2"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/predict"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer samples up to its limits. It is always Incomplete.
//
// # Background
//
// PCT (package sample) finds a bug of depth d, in a program of n goroutines and k steps, with a probability of at
// least 1/(n·k^(d-1)): priorities of goroutines are drawn, and d-1 of the k steps, at which the goroutine that
// would go on gets the lowest. A bug that a change has brought shows where changed code is at work.
//
// # Method
//
// The d-1 steps are drawn among those at which changed code stands: where the goroutine that would go on is about to
// do an operation of a changed function, or of one that it has called. There are k' of these, and k' is in most
// programs much smaller than k. So a bug for which goroutines need to be held up in changed code alone is met with a
// probability of at least 1/(n·k'^(d-1)). Runs of depth 2 and 3 take turns. Each is asked for the races and the
// deadlocks that it does not show itself (packages causality and predict).
//
// A run ends with a small part of the limit of work. So of a program that goes on for long the beginning is looked at,
// up to where changed code is reached, and beyond.
//
// What is drawn depends on the number of the run alone, so every computer draws the same.
type Explorer struct {
	// Changed reports whether a site is one of changed code.
	Changed func(event.Site) bool
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
}

// reason is why the result is Incomplete where no limit has struck.
const reason = "sampled schedules are no proof"

// Explore implements explore.Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	var told explore.RaceSearch
	more := predict.New(s)
	steps, threads := 0, 1 // of changed code, and all, as far as they are known
	room := s.Limits.Work / runs
	for run := uint64(0); !s.Exhausted(); run++ {
		r := rand.New(rand.NewPCG(run, 0x6a09e667f3bcc909))
		a := &aim{r: r, changed: x.Changed, slots: r.Perm(threads), holds: map[int]int{}}
		for i := range int(run % (deepest + 1)) {
			if steps > 0 {
				a.holds[r.IntN(steps)] = -1 - i
			}
		}
		rec := causality.NewRecorder(a)
		t, cut := execute(s, rec, room)
		told.Look(s, t, rec, true)
		more.Look(t)
		steps, threads = max(steps, a.steps), max(threads, len(t.Threads))
		if steps > 0 || run == 0 {
			continue
		}
		if !cut {
			break // nobody comes to changed code
		}
		room *= 4
	}
	s.Incomplete(reason)
	return s.Close()
}

// execute makes a run that ends with so much work, and reports whether it was cut off there.
func execute(s *explore.Session, by sched.Scheduler, room int64) (t *trace.Trace, cut bool) {
	x := explore.Run{Scheduler: by, Options: s.WhatIsLeft()}
	enough := x.Options.Enough
	x.Options.Enough = func(events int, c trace.Cost) bool {
		cut = explore.WorkAt(events, c) >= room
		return cut || enough(events, c)
	}
	x.Make(s.Machine)
	return s.Note(&x), cut
}

// runs is how many runs have room, at the least, if they come to changed code.
const runs = 64

// deepest is at how many steps a run holds goroutines up, at most.
const deepest = 2

// An aim is the scheduler of a run. Of the goroutines that can go on, the one with the highest priority does.
type aim struct {
	r        *rand.Rand
	changed  func(event.Site) bool
	slots    []int       // priorities of goroutines, by their number; those of more are drawn from the same range
	holds    map[int]int // by step of changed code: the priority that its goroutine gets
	priority []int
	steps    int     // of changed code, so far
	stood    []int32 // by goroutine: the events it had done at its last step of changed code, and one more
	among    []int
}

// Next implements sched.Scheduler.
func (a *aim) Next(s *sched.State) int {
	for len(a.priority) < len(s.Threads) {
		n := len(a.priority)
		if n < len(a.slots) {
			a.priority = append(a.priority, a.slots[n])
		} else {
			a.priority = append(a.priority, a.r.IntN(len(a.slots)))
		}
		a.stood = append(a.stood, 0)
	}
	a.among = sched.Foremost(s, a.among[:0]) // what could end the program, polls or gives way comes last
	best := a.highest(s)
	if th := s.Enabled[best].Thread; a.stood[th] != s.Threads[th].Seq+1 && a.stands(s, int(th)) {
		a.stood[th] = s.Threads[th].Seq + 1 // where it was held up it stands there again
		low, ok := a.holds[a.steps]
		if a.steps++; ok {
			a.priority[th] = low
			best = a.highest(s)
		}
	}
	thread, n := s.Enabled[best].Thread, 0
	for _, i := range a.among { // one of its transitions, each with the same probability
		if s.Enabled[i].Thread != thread {
			continue
		}
		if n++; n > 1 && a.r.IntN(n) == 0 {
			best = i
		}
	}
	return best
}

// stands reports whether a thread stands at an operation of changed code.
func (a *aim) stands(s *sched.State, thread int) bool {
	op := s.Threads[thread].Op
	if op == nil {
		return false
	}
	return a.changed(op.Site) || s.Callers != nil && slices.ContainsFunc(s.Callers(thread), a.changed)
}

// highest is the first transition of the goroutine with the highest priority.
func (a *aim) highest(s *sched.State) int {
	best := a.among[0]
	for _, i := range a.among[1:] {
		if a.priority[s.Enabled[i].Thread] > a.priority[s.Enabled[best].Thread] {
			best = i
		}
	}
	return best
}
