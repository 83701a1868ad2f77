package sample

import (
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file samples the beginning of a program of which few whole runs have room.
//
// A program that is stopped after k steps is a program itself, of at most k steps. So the theorem of PCT holds for it
// as for any other. What it says there:
//
//	WITHIN1 A run of depth d puts off one goroutine from the beginning, and d-1 goroutines at one step each. Let there
//	        be a choice of these such that the bug shows within the first k steps, in whatever order the others come.
//	        Then a run meets the bug with a probability of at least 1/(n·k^(d-1)): that goroutine is put off with 1/n,
//	        and each of the steps, which is one of the first k, is drawn with 1/k. A panic that some goroutine stands
//	        at after the k steps counts as shown, and is executed. The depth d may be greater than that of the same
//	        bug in the whole program. A goroutine that goes on for k steps without waiting leaves none for the
//	        others, so it has to be put off, too.
//	WITHIN2 A run that was cut off after j steps, by a limit of one execution or by what the machine lacks, is like
//	        one that was stopped there. It counts, and then only bugs within j steps are spoken of. To leave it out
//	        would be wrong: the runs that show the bug may be just those.
//	WITHIN3 The last run, which the limits of the whole exploration cut off, does not count. How many others there are
//	        depends on how far each of them went. That does no harm: m runs are counted only if m runs were drawn, and
//	        that none of the first m meets the bug is as unlikely as ever.

// PCT samples the beginning where whole runs for bugs of depth 1 would be fewer than so many parts of the goroutines.
const fewRuns = 2

// The parts of runs and work. Two kinds of runs take turns, and runs of PCT are for MaxDepth depths.
const (
	kinds      = 2
	firstRuns  = 64 // the first beginning is as long as so many have room
	longest    = 8  // another is at most so many times as long, or as short
	pilots     = 8
	leastDepth = kinds * explore.MaxDepth
)

// plan decides whether whole programs are sampled, or beginnings, and of which length.
func (d *Sampling) plan() {
	d.planned = true
	each, ended := d.Room.Dearest()
	room := d.Room.Left()
	if d.pos || each == 0 || ended && room/each/leastDepth >= int64(d.size.Threads/fewRuns) {
		return
	}
	d.OfWork(true)
	d.whole = ended && d.both
	d.begin(room)
}

// begin looks for a long beginning in which a bug of depth 1 is met more likely than not: of which there are as many
// runs for that as goroutines. It has two goroutines if that is possible. Each try costs a pilot run.
func (d *Sampling) begin(room int64) {
	first := room / firstRuns
	work, low, high, alone := first, int64(0), int64(0), 0
	for range pilots {
		if work <= 0 || d.Exhausted() {
			break
		}
		steps, threads := d.pilot(work)
		most := room / leastDepth / int64(max(1, threads))
		short := steps == 0 || threads < 2
		switch {
		case short:
			alone, low = max(alone, steps), work
		case work > most:
			high = work
		}
		if !short {
			d.note(steps, threads)
		}
		switch {
		case (short || work > most) && low > 0 && high > 0:
			work = (low + high) / 2
		case short && work < first*longest, !short && high == 0 && 2*work <= most:
			work *= 2
		case !short && work > most && work > first/longest:
			work = max(most, work/4)
		default:
			work = 0
		}
	}
	if d.within == 0 && alone > 0 {
		d.note(alone, 1)
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

// cut notes that a run was cut off after so many steps (WITHIN2).
func (d *Sampling) cut(steps int) {
	d.void = d.void || steps == 0
	if d.size.Within == 0 || steps < d.size.Within {
		d.size.Within = steps
	}
}

// turn says whether the next run is of partial order sampling. The two kinds take turns. Where one of them has
// beginnings and the other whole runs, beginnings come first, with half of the work: a single whole run may take all.
func (d *Sampling) turn() (pos bool) {
	switch {
	case !d.both:
		return d.pos
	case d.within > 0 && d.whole:
		return d.OfWork(d.spent[0] >= d.until)
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
		return sched.Panics(s) // WITHIN1
	}
	w.among = sched.Foremost(s, w.among[:0])
	return w.of.next(s, w.among)
}
