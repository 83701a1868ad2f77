// Package sample has the explorers that sample schedules with a guarantee, or with better odds than at random. What
// they draw depends on the number of the run alone, so every computer draws the same.
//
// PCT is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). A bug has depth d if d orderings of two steps each are
// enough for it. In a program of n goroutines and k steps, each run of depth d meets such a bug with a probability of
// at least 1/(n·k^(d-1)).
//
// POS is partial order sampling (Yuan, Yang and Gu, "Partial Order Aware Concurrency Sampling", CAV 2018).
package sample

import (
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer samples up to its limits. It is always Incomplete.
type Explorer struct {
	// POS says that it is partial order sampling, else it is PCT.
	POS bool
	// Both says that the two take turns: POS meets most bugs sooner, and PCT has the guarantee.
	Both bool
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
	// Then, if not nil, gets every execution that is drawn in another's exploration, to look for more in it.
	Then func(*trace.Trace)
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	x.Continue(s)
	s.Incomplete("sampled schedules are no proof")
	return s.Close()
}

// Begin begins to sample in an exploration that has begun otherwise.
func (x *Explorer) Begin(s *explore.Session) *Sampling {
	d := &Sampling{Session: s, pos: x.POS, both: x.Both, then: x.Then}
	d.size.Threads, d.size.Steps = s.Largest()
	return d
}

// Continue goes on with an exploration that has begun otherwise, until a limit strikes or the share is used up.
func (x *Explorer) Continue(s *explore.Session) { x.Begin(s).Run() }

// A Sampling draws schedules. It can stop where a share of the limits is used up, and go on from there.
type Sampling struct {
	*explore.Session
	pos  bool
	both bool
	run  uint64
	size explore.Sampling // of the program, as far as it is known
	told explore.RaceSearch
	then func(*trace.Trace)
}

// Run draws until a limit strikes or the share is used up.
func (d *Sampling) Run() {
	for !d.Exhausted() {
		d.draw()
	}
	if !d.pos {
		d.Result.Stats.Sampling = d.size
	}
}

// draw draws one. The guarantee counts runs that were drawn when the program was known to be as large as it is. When a
// larger one is met all begins again.
func (d *Sampling) draw() {
	n, pos := d.run, d.pos
	if d.both {
		n, pos = d.run/2, d.run%2 == 1
	}
	depth := int(n%explore.MaxDepth) + 1
	r := rand.New(rand.NewPCG(d.run, 0x9e3779b97f4a7c15))
	d.run++
	w := &watch{of: newPCT(r, max(d.size.Threads, 1), max(d.size.Steps, 1), depth)}
	if pos {
		w.of = newPOS(r)
	}
	rec := causality.NewRecorder(w)
	t := d.Execute(rec)
	threads, steps := d.Largest()
	if threads > d.size.Threads || steps > d.size.Steps {
		d.size = explore.Sampling{Threads: threads, Steps: steps}
	} else if !pos && t.Status != trace.Limit && t.Status != trace.Unsupported {
		d.size.Runs[depth-1]++
	}
	d.told.Look(d.Session, t, rec, true)
	if d.then != nil {
		d.then(t)
	}
}

// A watch leaves to a scheduler only what both RunToBlock and the paper take for a choice. Goroutines that end the
// program, poll or give way come last, as in sched.RunToBlock.
type watch struct {
	of interface {
		next(s *sched.State, among []int) int
	}
	among []int
}

// Next implements sched.Scheduler.
func (w *watch) Next(s *sched.State) int {
	w.among = sched.Foremost(s, w.among[:0])
	if len(w.among) == 1 {
		w.of.next(s, w.among)
		return w.among[0]
	}
	return w.of.next(s, w.among)
}
