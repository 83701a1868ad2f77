package delay

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file goes through the bounds. It can stop where a share of the limits is used up, and go on from there.

// Search is the state of an exploration.
type Search struct {
	*explore.Session
	// Fit says that a bound is begun only if there is room for it in what is left of the limits. How many schedules a
	// bound has is known before: they depart from those of lower ones.
	Fit bool
	// Bound is the number of bounds that are done: all schedules with fewer delays have been explored.
	Bound int

	bounds  int
	levels  []level
	at      int  // the bound that it goes through
	ceiling int  // nothing is known of bounds from here on; -1 if of all
	kept    int  // points of all levels
	missed  bool // there are schedules that were not executed as they are
	grown   bool // there is more to do than when it was last asked whether it fits
	meets   meetings
	within  within
	told    explore.RaceSearch
	began   *explore.Stats
}

// A level is what was executed with one number of delays, and what is left to be executed.
type level struct {
	runs []run
	todo []branch
	lost bool // there are points that were not kept
}

// A run is an execution, by its departures, and where one could depart from it.
type run struct {
	departures []departure
	points     []point
}

// A departure is a step at which the scheduler's first choices are passed over: so many transitions.
type departure struct{ step, skip int32 }

// A point is a step with a choice of so many transitions, and what each of them costs, nil if as many delays as its
// rank.
type point struct {
	step, of int32
	costs    []int32
}

// delays is what it costs to depart to a rank.
func (p *point) delays(rank int32) int32 {
	if p.costs == nil {
		return rank
	}
	return p.costs[rank]
}

// A branch is a schedule that is to be executed: it departs once more from a run. If it is the last with so many delays
// there, those with one more are queued when it is executed.
type branch struct {
	position
	rank int32
	last bool
}

// Run goes on until a limit strikes, the share is used up or nothing is left.
func (e *Search) Run() {
	if e.began == nil {
		began := e.Result.Stats
		e.began, e.grown = &began, true
		e.levels[0].todo = []branch{{position: position{bound: -1}}}
	}
	for ; e.at < len(e.levels); e.at++ {
		c := e.at
		if e.bounds > 0 && c >= e.bounds {
			if e.within.steps > 0 {
				return
			}
			e.Incomplete(fmt.Sprintf("schedules with %s and more were left out", explore.Delays(e.bounds)))
			return
		}
		if !e.level() {
			return
		}
		if e.at < c { // there is more to do with fewer delays
			continue
		}
		if slices.ContainsFunc(e.levels[:c+1], func(l level) bool { return l.lost }) {
			if e.missed = true; !e.Fit { // else others go on, and say why they end
				e.OutOfWork()
			}
			e.end(c + 1)
		}
		if e.ceiling < 0 || c < e.ceiling {
			if e.Bound = max(e.Bound, c+1); e.within.steps == 0 {
				e.Result.Delays = e.Bound
			}
		}
	}
}

// Done reports whether all bounds are done that there are.
func (e *Search) Done() bool { return e.at == len(e.levels) }

// All reports whether every schedule was executed that there is, but for such as are equivalent (DELAY1). One may have
// ended at something that the machine lacks, or where memory was used up: nothing comes after that.
func (e *Search) All() bool { return e.Done() && !e.missed }

// Stuck reports whether no bound can be done any more.
func (e *Search) Stuck() bool { return e.ceiling >= 0 }

// few is up to how many points of all executions it goes through all schedules, though it can say nothing of
// bounds any more. Nobody has to sample then.
const few = 64

// level executes what is left to do with as many delays as it is at. It reports whether it came to the end, or what it
// has met leads back to fewer delays.
func (e *Search) level() bool {
	c := e.at
	e.grown = true
	for len(e.levels[c].todo) > 0 {
		if e.Fit && e.grown && c > 0 && !e.Fits(len(e.levels[c].todo), *e.began) {
			return false
		}
		e.grown = false
		if e.Exhausted() || e.Fit && e.Stuck() && (e.missed || e.kept > few) {
			return false
		}
		b := e.levels[c].todo[0]
		e.levels[c].todo = e.levels[c].todo[1:]
		if e.visit(e.departures(b)); e.at < c {
			e.at-- // Run goes on with the next
			return true
		}
	}
	return true
}

// departures are those of a branch.
func (e *Search) departures(b branch) []departure {
	if b.bound < 0 {
		return nil
	}
	from := &e.levels[b.bound].runs[b.run]
	p := &from.points[b.point]
	if b.last {
		e.queue(b.position, p.delays(b.rank)+1)
	}
	return append(from.departures[:len(from.departures):len(from.departures)], departure{p.step, b.rank})
}

// queue has all be executed that depart at a point with so many delays.
func (e *Search) queue(at position, delays int32) {
	p := &e.levels[at.bound].runs[at.run].points[at.point]
	n := -1
	for rank := int32(1); rank < p.of; rank++ {
		if p.delays(rank) != delays {
			continue
		}
		to := int(at.bound + delays)
		for len(e.levels) <= to {
			e.levels = append(e.levels, level{})
		}
		n = len(e.levels[to].todo)
		e.levels[to].todo = append(e.levels[to].todo, branch{at, rank, false})
		e.at, e.grown = min(e.at, to), true
	}
	if n >= 0 {
		e.levels[at.bound+delays].todo[n].last = true
	}
}

// visit executes a schedule.
func (e *Search) visit(departures []departure) {
	c := e.at
	d := &delayer{departures: departures, beginning: e.within.begin(&e.meets)}
	rec := causality.NewRecorder(d)
	t := e.execute(d, rec)
	if d.diverged {
		e.Result.Stats.Diverged++
		e.Incomplete(fmt.Sprintf("run %d could not follow its schedule", e.Result.Stats.Executions))
	}
	e.within.note(d, t)
	e.missed = e.missed || d.diverged || d.stop || d.lost(t)
	if e.missed || !d.past && (t.Status == trace.Unsupported || t.Full) {
		e.end(c)
	}
	// Such races are more than what a bound promises. If only bounds are asked for, these races are looked for if that
	// is cheap.
	g := e.told.Look(e.Session, t, rec, e.Fit)
	if d.unfair {
		g = nil
	}
	found := e.meets.learn(g)
	e.keep(c, run{departures, d.points}, d.turns)
	for _, at := range found {
		e.queue(at, 1)
	}
}

// largest is the part of the limit of work that one run may take where a bound is to fit: few others would have room.
const largest = 8

// execute makes a run. It is stopped where it takes too much.
func (e *Search) execute(d *delayer, rec *causality.Recorder) *trace.Trace {
	x := explore.Run{Scheduler: rec, Options: e.WhatIsLeft()}
	if e.Fit {
		enough := x.Options.Enough
		x.Options.Enough = func(events int, c trace.Cost) bool {
			d.stop = d.stop || e.OfWork(explore.WorkAt(events, c) > e.Limits.Work/largest)
			return enough(events, c)
		}
	}
	x.Make(e.Machine)
	return e.Note(&x)
}

// end notes that nothing is known of bounds from c on.
func (e *Search) end(c int) {
	if e.ceiling < 0 || c < e.ceiling {
		e.ceiling = c
	}
}

// keep notes where schedules can depart from an execution. Each point is an execution to come, so more points than
// there is work left for are of no use.
func (e *Search) keep(bound int, r run, turns []turn) {
	l := &e.levels[bound]
	if e.kept += len(r.points); len(r.points) > 0 && !e.Worth(e.kept) {
		l.lost = true
		e.kept -= len(r.points)
		r.points = nil
	}
	l.runs = append(l.runs, r)
	for i := range r.points {
		at := position{int32(bound), int32(len(e.levels[bound].runs) - 1), int32(i)}
		if e.meets.local(turns[i].at) && !received(r.points, turns, i+1) {
			e.meets.left = append(e.meets.left, leftOut{at, turns[i].at})
		} else {
			e.queue(at, 1)
		}
	}
}
