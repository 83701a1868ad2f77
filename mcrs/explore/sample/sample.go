// Package sample has the explorers that sample schedules with a guarantee, or with better odds than at random. What they draw depends on the number of
// the run alone, so every computer draws the same.
//
// PCT is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs",
// ASPLOS 2010). A bug has depth d if d orderings of two steps each are enough for it. Of a program of n goroutines and k steps each run of depth d meets such a
// bug with a probability of at least 1/(n·k^(d-1)).
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
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	x.Continue(s)
	s.Incomplete("sampled schedules are no proof")
	return s.Close()
}

// Continue goes on with an exploration that has begun otherwise, until a limit strikes or the share is used up.
func (x *Explorer) Continue(s *explore.Session) {
	d := &drawer{Session: s, pos: x.POS, both: x.Both}
	d.size.Threads, d.size.Steps = s.Largest()
	for !s.Exhausted() {
		d.draw()
	}
	if !x.POS {
		s.Result.Stats.Sampling = d.size
	}
}

// A drawer draws schedules.
type drawer struct {
	*explore.Session
	pos  bool
	both bool
	run  uint64
	size explore.Sampling // of the program, as far as it is known
	work int              // words of the configurations before races
}

// draw draws one. The guarantee is about runs that were drawn when the program was known to be as large as it is: with one that is larger all begins again.
func (d *drawer) draw() {
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
	d.races(t, rec)
}

// races looks for races that an execution tells of, besides those that it shows, if that takes less than the execution did.
func (d *drawer) races(t *trace.Trace, rec *causality.Recorder) {
	words := explore.GraphWords(t)
	if words > explore.MaxGraph || d.work > explore.MaxWork || explore.WordWork(words) > explore.WorkOf(t)/4 {
		return
	}
	d.Spend(explore.WordWork(words))
	g := causality.NewGraph(t, rec, false)
	(&causality.Reverser{Graph: g, Out: racesOnly{d, causality.Keep(t, nil)}}).Races()
}

// racesOnly takes the races of an execution, and drops its reversals.
type racesOnly struct {
	*drawer
	from *causality.Schedule
}

func (racesOnly) Seen(uint64) bool                                           { return true }
func (racesOnly) Candidate(*causality.Graph, causality.Cut, *causality.Move) {}

// Spend bounds the pairs that are looked at.
func (r racesOnly) Spend(words int) bool {
	r.work += words
	r.Session.Spend(explore.CutWork(words))
	return r.work <= explore.MaxWork
}

func (r racesOnly) Race(g *causality.Graph, k causality.Cut, first, second causality.Ref) {
	r.Findings.Race(g, r.from, k, first, second)
}

// A watch leaves to a scheduler only what both RunToBlock and the paper take for a choice: who ends the program, polls or gives way comes last, as in
// sched.RunToBlock.
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
