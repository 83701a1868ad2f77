package explore

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file has the replays of a shortening, and leaves out those that can only say what is known:
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
	x.replay(s, sched.NewReplay(s, sched.RunToBlock{}))
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
	replay := sched.Scheduler(sched.NewReplay(s, sched.RunToBlock{}))
	if x.first == nil && !x.whole {
		replay = &noWorse{x: x, then: replay}
	}
	x.replay(s, replay)
}

// replay runs a seed, which then follows, and keeps what it did if that is the failure, and shorter. It returns nil if
// no replay is left.
func (x *shortening) replay(s seed.Seed, then sched.Scheduler) *trace.Trace {
	if x.done() {
		return nil
	}
	x.left--
	t := x.rerun(then)
	if t.Status == trace.Stopped {
		x.tried = append(x.tried, attempt{asked: s})
		return t
	}
	a := attempt{s, sched.SeedOf(t), x.shows(t)}
	x.tried = append(x.tried, a)
	if !a.shown {
		return t
	}
	runs := len(runsOf(a.did))
	score := [4]int{0, runs, runs, len(a.did)}
	if x.first != nil {
		score[0] = x.first(t)
	}
	if i := adjacentRace(t, x.key); i >= 0 {
		score[1] = switchesBefore(t, i+1)
	}
	if x.best == nil || slices.Compare(score[:], x.score[:]) < 0 {
		x.best, x.score = a.did, score
	}
	return t
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
