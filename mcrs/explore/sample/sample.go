// Package sample has the explorers that sample schedules with a guarantee, or with better odds than at random. What
// they draw depends on the number of the run alone, so every computer draws the same.
//
// PCT is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). A bug has depth d if d orderings of two steps each are
// enough for it. In a program of n goroutines and k steps, each run of depth d meets such a bug with a probability of
// at least 1/(n·k^(d-1)). Where few runs have room, their beginnings are drawn, and the same is said of bugs that show
// within so many steps (within.go).
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
	d.size.Threads, d.size.Steps = s.Room.Largest()
	return d
}

// Continue goes on with an exploration that has begun otherwise, until a limit strikes or the share is used up.
func (x *Explorer) Continue(s *explore.Session) { x.Begin(s).Run() }

// A Sampling draws schedules. It can stop where a share of the limits is used up, and go on from there.
type Sampling struct {
	*explore.Session
	pos   bool
	both  bool
	run   uint64
	drawn uint64           // runs of PCT
	size  explore.Sampling // of the program, as far as it is known
	told  explore.RaceSearch
	then  func(*trace.Trace)

	planned bool
	within  int          // steps after which runs of PCT are stopped, 0 if they are not (within.go)
	whole   bool         // those of POS are not
	void    bool         // a run was cut off before its first step: nothing is guaranteed
	spent   [kinds]int64 // work of the runs of PCT, and of POS
	until   int64        // work of the runs of PCT up to which no whole run comes
}

// Run draws until a limit strikes or the share is used up.
func (d *Sampling) Run() {
	if !d.planned {
		d.plan()
	}
	d.until = d.spent[0] + d.Room.Left()/kinds
	for !d.Exhausted() {
		d.draw()
	}
	if !d.pos && !d.void {
		d.Result.Stats.Sampling = d.size
	}
}

// draw draws one. The guarantee counts runs that were drawn when the program was known to be as large as it is. When a
// larger one is met all begins again.
func (d *Sampling) draw() {
	pos := d.turn()
	depth := int(d.drawn%explore.MaxDepth) + 1
	r := rand.New(rand.NewPCG(d.run, 0x9e3779b97f4a7c15))
	d.run++
	w := &watch{of: newPCT(r, max(d.size.Threads, 1), max(d.size.Steps, 1), depth), within: d.within}
	kind := 0
	if pos {
		kind, w.of = 1, newPOS(r)
		if d.whole {
			w.within = 0
		}
	} else {
		d.drawn++
	}
	rec := causality.NewRecorder(w)
	before := d.Result.Stats.Work
	t := d.Execute(rec)
	d.count(t, w, pos, depth)
	d.told.Look(d.Session, t, rec, true)
	if d.then != nil && w.within == 0 { // what is predicted is executed to its end
		d.then(t)
	}
	d.spent[kind] += d.Result.Stats.Work - before
}

// count counts a run for the guarantee, if it is one for which that is given.
func (d *Sampling) count(t *trace.Trace, w *watch, pos bool, depth int) {
	threads, steps := d.Room.Largest()
	if d.within > 0 { // the size is that of the beginning
		threads, steps = max(d.size.Threads, len(t.Threads)), d.within
		if w.within == 0 {
			threads = d.size.Threads
		}
	}
	if threads > d.size.Threads || steps > d.size.Steps {
		d.size = explore.Sampling{Threads: threads, Steps: steps, Within: d.within}
		return
	}
	if pos {
		return
	}
	if t.Status == trace.Limit && (d.WorkLeft() == 0 || d.Result.Stats.Shared >= d.Limits.Events || d.Interrupted()) {
		return // it is the session that ends (WITHIN3)
	}
	if t.Status == trace.Limit || t.Status == trace.Unsupported {
		d.cut(w.steps)
	}
	d.size.Runs[depth-1]++
}
