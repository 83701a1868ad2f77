package explore

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file shortens witnesses: the same failure with fewer context switches. Every
// candidate is replayed and kept only if it shows the failure, so nothing here
// need be sound.

// replaysPerFinding bounds the replays that shortening a witness may take.
const replaysPerFinding = 50

// A shortening is the search for a better witness of one failure.
type shortening struct {
	s     *Session
	key   string
	shows func(*trace.Trace) bool // nil: key says what is looked for
	first func(*trace.Trace) int  // with shows: what counts before all else, the fewer the better
	left  int                     // replays
	until int64                   // work
	best  seed.Seed
	score [4]int // what first says, runs up to the failure, runs, steps
	tried []attempt
	past  *past // replays that other shortenings have made; nil if they must not be asked, and where shows is not
	whole bool  // every seed is replayed, and to its end: what tests compare with
}

// minimise returns a seed that shows the failure of src with as few switches as a
// bounded, deterministic search finds:
//
//  1. the events that happen before the failure alone (of a race or a panic);
//  2. other linearisations of the same happens-before, each thread running on for as
//     long as it can, from each thread that could go first;
//  3. the shortest prefix, in runs of one thread, after which the default schedule fails too;
//  4. of that 1 and 2 again.
func (f *Findings) minimise(src source) seed.Seed {
	x := &shortening{s: f.s, key: src.key, left: replaysPerFinding, until: f.until, past: &f.past}
	return x.search(src)
}

// search looks for the best seed that shows what src shows.
func (x *shortening) search(src source) seed.Seed {
	if x.s.Limits.Stop.Asked() {
		return src.seed
	}
	if x.done() {
		return src.seed
	}
	e := x.executionOf(src.seed)
	if x.judge(src.seed, e.t); !x.tried[0].shown {
		return src.seed
	}
	if !x.done() {
		x.left--
		x.linearisations(src, e)
	}
	before := x.score
	if x.prefixes(); x.score == before || x.done() {
		return x.best
	}
	x.left--
	x.linearisations(src, x.executionOf(x.best))
	return x.best
}

// linearisations tries what happens before the failure in an execution of the best seed, in other orders.
func (x *shortening) linearisations(src source, e *recorded) {
	t, g := e.t, e.graph()
	goal := g.Full()
	var last []causality.Ref
	switch src.category {
	case report.Panics:
		if i := lastOf(t, t.PanicThread); i >= 0 {
			goal = g.Causes(causality.Ref{Thread: t.Events[i].Thread, Seq: t.Events[i].Seq})
		}
	case report.DataRace:
		if i := adjacentRace(t, src.key); i >= 0 {
			a, b := &t.Events[i], &t.Events[i+1]
			last = []causality.Ref{{Thread: a.Thread, Seq: a.Seq}, {Thread: b.Thread, Seq: b.Seq}}
			goal = g.Past(&causality.Move{A: last[0], B: last[1]})
		}
	}
	all := x.candidates(e, goal, last)
	all = all[:min(len(all), x.left)]
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.switches, b.switches) })
	for _, c := range all {
		if c.switches > x.score[1] && !x.done() {
			x.left--
			x.tried = append(x.tried, attempt{asked: c.seed})
			continue
		}
		x.better(c.seed)
	}
}

// A candidate is a seed that may be better than the best.
type candidate struct {
	seed     seed.Seed
	switches int // up to the race, 0 if that is not known
}

// candidates lists the orders of a cut, each followed by last, the accesses of a race.
func (x *shortening) candidates(e *recorded, goal causality.Cut, last []causality.Ref) (all []candidate) {
	for range 2 { // a race also the other way round
		for first := range min(len(e.graph().Lines), replaysPerFinding/4) {
			order, ok := e.graph().Linearise(goal, int32(first))
			if !ok {
				continue
			}
			c := candidate{seed: sched.SeedOfEvents(e.t, order)}
			for _, r := range last {
				c.seed = append(c.seed, seed.Step{Thread: e.t.Threads[r.Thread].ID, Case: -1, PartnerCase: -1})
				order = append(order, e.graph().Lines[r.Thread].Events[r.Seq])
			}
			if len(last) > 0 && !x.whole {
				c.switches = switchesIn(e.t, order, x.key)
			}
			if len(c.seed) > 0 {
				all = append(all, c)
			}
		}
		if len(last) == 0 {
			break
		}
		last[0], last[1] = last[1], last[0]
	}
	return all
}

// switchesIn counts the events up to the race with a key whose predecessor is another thread's, if the steps of a trace
// are taken in another order that has the same happens-before: then all of them do what they did. It is 0 if the race
// is not shown.
func switchesIn(t *trace.Trace, order []int32, key string) (n int) {
	last := int32(-1)
	for _, i := range order {
		halves := []int32{i}
		if partner := t.Events[i].Partner; partner >= 0 {
			halves = []int32{min(i, partner), max(i, partner)}
		}
		for _, j := range halves {
			if e := &t.Events[j]; last >= 0 {
				o := &t.Events[last]
				if e.Thread != o.Thread {
					n++
				}
				if race.Next(o, e) && RaceKey(o.Site, e.Site) == key {
					return n
				}
			}
			last = j
		}
	}
	return 0
}

// done reports whether no replay is left.
func (x *shortening) done() bool {
	return x.left == 0 || worked(x.s, x.until)
}

// rerun is a replay without stacks, with the work that is left.
func (x *shortening) rerun(sc sched.Scheduler) *trace.Trace {
	return x.s.replay(sc, x.s.options(), max(0, x.until-x.s.Result.Stats.Work))
}

// switchesBefore counts the events up to the i-th whose predecessor is another thread's.
func switchesBefore(t *trace.Trace, i int) (n int) {
	for j := 1; j <= i; j++ {
		if t.Events[j].Thread != t.Events[j-1].Thread {
			n++
		}
	}
	return n
}

// runsOf returns the lengths of the runs of one thread in a seed.
func runsOf(s seed.Seed) (runs []int) {
	for i := range s {
		if i == 0 || s[i].Thread != s[i-1].Thread {
			runs = append(runs, 0)
		}
		runs[len(runs)-1]++
	}
	return runs
}

// prefixes tries the prefixes of the best seed that end with a run, shortest first.
func (x *shortening) prefixes() {
	best, n := x.best, 0
	x.try(nil)
	for _, run := range runsOf(best) {
		if n += run; x.done() || n == len(best) {
			return
		}
		if x.try(best[:n]) {
			return
		}
	}
}
