package sample

import (
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file samples the beginning of a program of which few whole runs have room.
//
// A program that is stopped after k steps is one of at most k steps. So the guarantee of PCT holds for it, and speaks
// of the bugs that show within k steps wherever their orderings hold. A run that was cut off somewhere else shows what
// it would if the program were stopped there: it counts, and the guarantee speaks of the steps up to there.

// PCT samples the beginning where whole runs for bugs of depth 1 would be fewer than so many parts of the goroutines.
const fewRuns = 2

// The parts of runs and work. Two kinds of runs take turns, and runs of PCT are for MaxDepth depths.
const (
	kinds      = 2
	firstRuns  = 64 // the first beginning is as long as so many have room
	pilots     = 8
	leastDepth = kinds * explore.MaxDepth
)

// plan decides whether whole programs are sampled, or beginnings, and of which length.
func (d *Sampling) plan() {
	d.planned = true
	each, ended := d.Dearest()
	room := d.Room()
	if d.pos || each == 0 || ended && room/each/leastDepth >= int64(d.size.Threads/fewRuns) {
		return
	}
	d.whole = ended && d.both
	d.begin(room)
}

// begin looks for the longest beginning in which a bug of depth 1 is met more likely than not: of which there are as
// many runs for that as goroutines. It has two goroutines at the least.
func (d *Sampling) begin(room int64) {
	work := room / firstRuns
	for range pilots {
		if work <= 0 || d.Exhausted() {
			return
		}
		steps, threads := d.pilot(work)
		most := room / leastDepth / int64(max(1, threads))
		switch {
		case (steps == 0 || threads < 2) && work < room/firstRuns*8:
			work *= 2
		case steps == 0 || threads < 2:
			return
		case work > most && work > room/firstRuns/8:
			d.note(steps, threads)
			work = max(most, work/4)
		default:
			d.note(steps, threads)
			return
		}
	}
}

// note has runs stop after so many steps.
func (d *Sampling) note(steps, threads int) {
	d.within = steps
	d.size = explore.Sampling{Threads: threads, Steps: steps, Within: steps}
}

// pilot makes a run with a bound on its work. It returns how far it came.
func (d *Sampling) pilot(work int64) (steps, threads int) {
	r := rand.New(rand.NewPCG(d.run, seedOfPilots))
	d.run++
	w := &watch{of: newPCT(r, max(d.size.Threads, 1), max(d.size.Steps, 1), 1)}
	x := explore.Run{Scheduler: w, Options: d.WhatIsLeft()}
	enough := x.Options.Enough
	x.Options.Enough = func(events int, c trace.Cost) bool {
		w.stopped = w.stopped || explore.WorkAt(events, c) >= work
		return enough(events, c)
	}
	x.Make(d.Machine)
	t := d.Note(&x)
	return w.steps, len(t.Threads)
}

// seedOfPilots is other than that of runs which count.
const seedOfPilots = 0x2545f4914f6cdd1d

// cut notes that a run was cut off after so many steps: the guarantee is about what shows before.
func (d *Sampling) cut(steps int) {
	if d.size.Within == 0 || steps < d.size.Within {
		d.size.Within = steps
	}
}

// turn says whether the next run is of partial order sampling. The two kinds take turns, by runs, or by work where one
// of them has beginnings, and the other whole runs.
func (d *Sampling) turn() (pos bool) {
	switch {
	case !d.both:
		return d.pos
	case d.within > 0 && d.whole:
		return d.spent[1] < d.spent[0]
	}
	return d.run%kinds == 1
}

// A watch leaves to a scheduler only what both RunToBlock and the paper take for a choice. Goroutines that end the
// program, poll or give way come last, as in sched.RunToBlock. It stops a run where it has to.
type watch struct {
	of interface {
		next(s *sched.State, among []int) int
	}
	among   []int
	within  int  // the steps after which it stops, 0 for none
	steps   int  // that were taken
	stopped bool // before its end
}

// Next implements sched.Scheduler.
func (w *watch) Next(s *sched.State) int {
	w.steps = s.Step
	if w.stopped || w.within > 0 && s.Step >= w.within {
		w.stopped = true
		return sched.Stop
	}
	w.among = sched.Foremost(s, w.among[:0])
	n := w.of.next(s, w.among)
	if len(w.among) == 1 {
		return w.among[0]
	}
	return n
}
