package delay

import (
	"fmt"

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
	at      cursor
	reach   int // no schedule has more delays than that
	ceiling int // nothing is known of bounds from here on; -1 if of all
	kept    int // points of all levels
	left    bool
	missed  bool // there are schedules that were not executed as they are
	told    explore.RaceSearch
	began   *explore.Stats
}

// A level is what was executed with one number of delays.
type level struct {
	runs []run
	ways []int // how many points it has, by the number of their transitions
	lost bool  // there are points that were not kept
}

// A run is an execution, by its departures, and where one could depart from it.
type run struct {
	departures []departure
	points     []point
}

// A departure is a step at which the scheduler's first choices are passed over: so many delays.
type departure struct{ step, skip int32 }

// A point is a step with a choice of so many transitions.
type point struct{ step, of int32 }

// A cursor is where the search is: at a bound, the delays of the last departure, and the point of the execution that it
// departs from.
type cursor struct{ bound, last, from, point int }

// Run goes on until a limit strikes, the share is used up or nothing is left.
func (e *Search) Run() {
	if e.began == nil {
		began := e.Result.Stats
		e.began = &began
	}
	for ; !e.Done(); e.begin(e.at.bound + 1) {
		c := e.at.bound
		if e.bounds > 0 && c >= e.bounds {
			e.Incomplete(fmt.Sprintf("schedules with %s and more were left out", explore.Delays(e.bounds)))
			return
		}
		if e.Fit && e.at == (cursor{bound: c, last: 1}) && !e.Fits(e.size(c), *e.began) || !e.level() {
			return
		}
		if e.left {
			e.Incomplete(explore.StoppedWork)
			e.missed = true
			e.end(c)
		}
		if e.ceiling < 0 {
			e.Bound = c + 1
			e.Result.Delays = e.Bound
		}
	}
}

// Done reports whether all bounds are done that there are.
func (e *Search) Done() bool { return e.at.bound > e.reach }

// All reports whether every schedule was executed that there is. One may have ended at something that the
// machine lacks: nothing comes after that.
func (e *Search) All() bool { return e.Done() && !e.missed }

// Stuck reports whether no bound can be done any more.
func (e *Search) Stuck() bool { return e.ceiling >= 0 }

// few is up to how many points of all executions it goes through all schedules, though it can say nothing of
// bounds any more. Nobody has to sample then.
const few = 64

// begin begins a bound.
func (e *Search) begin(bound int) {
	e.at = cursor{bound: bound, last: 1}
	e.levels = append(e.levels, level{})
	e.left = false
	for _, l := range e.levels {
		e.left = e.left || l.lost
	}
}

// size is how many schedules have so many delays: those that depart from an execution of a lower bound, for each of its
// points with choices enough.
func (e *Search) size(bound int) (n int) {
	for last := 1; last <= bound; last++ {
		ways := e.levels[bound-last].ways
		for _, points := range ways[min(last+1, len(ways)):] {
			n += points
		}
	}
	return n
}

// level executes all schedules of the bound at which it is. It reports whether it came to their end.
func (e *Search) level() bool {
	for e.more() {
		if e.Exhausted() || e.Fit && e.Stuck() && (e.missed || e.kept > few) {
			return false
		}
		e.visit(e.departures())
	}
	return true
}

// more goes on to the next schedule, and reports whether there is one.
func (e *Search) more() bool {
	if e.at.bound == 0 {
		return len(e.levels[0].runs) == 0
	}
	for ; e.at.last <= e.at.bound; e.at.last, e.at.from = e.at.last+1, 0 {
		runs := e.levels[e.at.bound-e.at.last].runs
		for ; e.at.from < len(runs); e.at.from, e.at.point = e.at.from+1, 0 {
			for points := runs[e.at.from].points; e.at.point < len(points); e.at.point++ {
				if int(points[e.at.point].of) > e.at.last {
					return true
				}
			}
		}
	}
	return false
}

// departures are those of the schedule at which the search is. The next one comes then.
func (e *Search) departures() []departure {
	if e.at.bound == 0 {
		return nil
	}
	from := &e.levels[e.at.bound-e.at.last].runs[e.at.from]
	p := from.points[e.at.point]
	e.at.point++
	return append(from.departures[:len(from.departures):len(from.departures)], departure{p.step, int32(e.at.last)})
}

// visit executes a schedule.
func (e *Search) visit(departures []departure) {
	c := e.at.bound
	d := &delayer{departures: departures}
	rec := causality.NewRecorder(d)
	t := e.Execute(rec)
	if d.diverged {
		e.Result.Stats.Diverged++
		e.Incomplete(fmt.Sprintf("run %d could not follow its schedule", e.Result.Stats.Executions))
	}
	e.missed = e.missed || d.diverged || t.Spun || t.Status == trace.Limit
	if e.missed || t.Status == trace.Unsupported {
		e.end(c)
	}
	e.keep(run{departures, d.points})
	// Such races are more than what a bound promises. If only bounds are asked for, these races are looked for if that
	// is cheap.
	e.told.Look(e.Session, t, rec, e.Fit)
}

// end notes that nothing is known of bounds from c on.
func (e *Search) end(c int) {
	if e.ceiling < 0 {
		e.ceiling = c
	}
}

// keep notes where schedules can depart from an execution. Each point is an execution to come, so more points than
// there is work left for are of no use.
func (e *Search) keep(r run) {
	l := &e.levels[e.at.bound]
	for _, p := range r.points {
		for int(p.of) >= len(l.ways) {
			l.ways = append(l.ways, 0)
		}
		l.ways[p.of]++
		e.reach = max(e.reach, e.at.bound+int(p.of)-1)
	}
	if e.kept += len(r.points); len(r.points) > 0 && !e.Worth(e.kept) {
		l.lost = true
		e.kept -= len(r.points)
		r.points = nil
	}
	l.runs = append(l.runs, r)
}
