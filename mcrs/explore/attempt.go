package explore

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file has the replays of a shortening, and leaves out those that can only say what is known, of this one or of
// another (past.go):
//
//   - A seed that lies between one that was replayed and the execution that it led to leads to the same execution. For
//     RunToBlock goes by the state alone, and the states are the same.
//   - What cannot be better than the best any more is stopped.
//
// A replay that is left out counts as one: so the same seeds are looked at, and the best of them is the same.

// An attempt is a seed that a shortening has replayed.
type attempt struct {
	asked, did seed.Seed // did is nil if the replay was stopped, for it was no better than the best
	shown      bool      // it shows the failure
}

// leadsTo reports whether the execution of s is that of an attempt.
func (a *attempt) leadsTo(s seed.Seed) bool {
	if a.did == nil {
		return slices.Equal(a.asked, s)
	}
	return begins(s, a.asked) && begins(a.did, s)
}

// known returns the attempt that says what a seed leads to, nil if none does. One that was not stopped comes first.
func (x *shortening) known(s seed.Seed) (found *attempt) {
	for i := range x.tried {
		if a := &x.tried[i]; !x.whole && a.leadsTo(s) && (found == nil || a.did != nil) {
			found = a
		}
	}
	return found
}

// begins reports whether s begins with all of start.
func begins(s, start seed.Seed) bool {
	return len(start) <= len(s) && slices.Equal(start, s[:len(start)])
}

// try replays a seed, and keeps what it did if that is the failure, and shorter. It reports whether it is the failure.
func (x *shortening) try(s seed.Seed) bool {
	if x.done() {
		return false
	}
	if a := x.known(s); a != nil && a.did != nil {
		x.left--
		return a.shown
	}
	if !x.recall(s) {
		e, before := x.record(s), x.score
		if x.judge(s, e.t); x.score != before {
			x.past.keep(e)
		}
	}
	return x.tried[len(x.tried)-1].shown
}

// better is try for a seed of which only counts whether it is better than the best.
func (x *shortening) better(s seed.Seed) {
	if x.done() {
		return
	}
	if x.known(s) != nil {
		x.left--
		return
	}
	if x.recall(s) {
		return
	}
	replay := sched.Scheduler(sched.NewReplay(s, sched.RunToBlock{}))
	if x.first == nil && !x.whole {
		replay = &noWorse{x: x, then: replay}
	}
	x.judge(s, x.rerun(replay))
}

// recall is judge of a seed that another shortening has replayed. It reports whether there is one.
func (x *shortening) recall(s seed.Seed) bool {
	m := x.past.recall(s, x.key)
	if m == nil {
		return false
	}
	x.left--
	x.note(attempt{m.asked, m.did, m.find(x.key) != nil}, 0, m.switches(x.key))
	return true
}

// record runs a seed.
func (x *shortening) record(s seed.Seed) *recorded { return record(s, x.rerun) }

// executionOf is record of a seed of which the execution may have been kept.
func (x *shortening) executionOf(s seed.Seed) *recorded {
	e := x.past.execution(s)
	if e == nil {
		e = x.record(s)
		x.past.keep(e)
	}
	return e
}

// judge notes what the replay of a seed has shown, and keeps what it did if that is the failure, and shorter.
func (x *shortening) judge(s seed.Seed, t *trace.Trace) {
	x.left--
	switch {
	case t.Status == trace.Stopped:
		x.tried = append(x.tried, attempt{asked: s})
	case x.shows != nil:
		a, first := attempt{s, sched.SeedOf(t), x.shows(t)}, 0
		if a.shown {
			first = x.first(t)
		}
		x.note(a, first, -1)
	default:
		m := madeOf(s, t, x.key)
		x.note(m.attempt, 0, m.switches(x.key))
		if repeatable(t) {
			x.past.add(m)
		}
	}
}

// note keeps what an attempt did if that is the failure, and shorter. first is what counts before all else, and
// switches are those before the two accesses of a race that are next to each other, -1 if there are none.
func (x *shortening) note(a attempt, first, switches int) {
	if x.tried = append(x.tried, a); !a.shown {
		return
	}
	runs := len(runsOf(a.did))
	score := [4]int{first, runs, runs, len(a.did)}
	if switches >= 0 {
		score[1] = switches
	}
	if x.best == nil || slices.Compare(score[:], x.score[:]) < 0 {
		x.best, x.score = a.did, score
	}
}

// noWorse is a scheduler that stops an execution which has come to more switches than the best has up to the failure,
// and has not shown that yet.
type noWorse struct {
	x        *shortening
	then     sched.Scheduler
	events   int   // seen
	switches int   // events whose predecessor is another goroutine's
	runs     int   // of steps of one goroutine
	last     int32 // the goroutine of the last step
	shown    bool
}

// Next implements sched.Scheduler.
func (n *noWorse) Next(st *sched.State) int {
	if st.Trace == nil || n.shown {
		return n.then.Next(st)
	}
	for events := st.Trace.Events; n.events < len(events); n.events++ {
		e := &events[n.events]
		if n.events > 0 && e.Thread != events[n.events-1].Thread {
			n.switches++
		}
		if sched.OwnStep(e) && (n.runs == 0 || e.Thread != n.last) {
			n.runs, n.last = n.runs+1, e.Thread
		}
	}
	if min(n.switches, n.runs) > n.x.score[1] { // which of them counts depends on how the failure shows
		if n.shown = adjacentRace(st.Trace, n.x.key) >= 0; !n.shown {
			return sched.Stop
		}
	}
	return n.then.Next(st)
}
