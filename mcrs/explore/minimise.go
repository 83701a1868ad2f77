package explore

import (
	"github.com/heddle-go/heddle/mcrs/explore/causality"
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
	shows func(*trace.Trace) bool
	first func(*trace.Trace) int // what counts before all else: the fewer the better
	left  int                    // replays
	until int64                  // work
	best  seed.Seed
	score [4]int // what first says, runs up to the failure, runs, steps
	tried []attempt
	whole bool // every seed is replayed, and to its end: what tests compare with
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
	x := &shortening{s: f.s, key: src.key, left: replaysPerFinding, until: f.until}
	x.shows = func(t *trace.Trace) bool { return shows(t, src.key) }
	return x.search(src)
}

// search looks for the best seed that shows what src shows.
func (x *shortening) search(src source) seed.Seed {
	if x.s.Limits.Stop.Asked() {
		return src.seed
	}
	rec := causality.NewRecorder(sched.NewReplay(src.seed, sched.RunToBlock{}))
	t := x.replay(src.seed, rec)
	if t == nil || !x.tried[0].shown {
		return src.seed
	}
	if !x.done() {
		x.left--
		x.linearisations(src, t, rec)
	}
	before := x.score
	if x.prefixes(); x.score == before || x.done() {
		return x.best
	}
	x.left--
	rec = causality.NewRecorder(sched.NewReplay(x.best, sched.RunToBlock{}))
	x.linearisations(src, x.rerun(rec), rec)
	return x.best
}

// linearisations tries what happens before the failure in an execution of the best seed, in other orders.
func (x *shortening) linearisations(src source, t *trace.Trace, rec *causality.Recorder) {
	g := causality.NewGraph(t, rec, false)
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
	for range 2 { // a race also the other way round
		for first := range min(len(g.Lines), replaysPerFinding/4) {
			if s := g.Linearise(goal, int32(first), last); s != nil {
				x.better(s)
			}
		}
		if len(last) == 0 {
			break
		}
		last[0], last[1] = last[1], last[0]
	}
}

// done reports whether no replay is left.
func (x *shortening) done() bool {
	return x.left == 0 || x.s.Limits.Stop.Asked() || x.s.OfWork(x.s.Result.Stats.Work >= x.until)
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
