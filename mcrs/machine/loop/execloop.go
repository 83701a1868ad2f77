package loop

import (
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file defines the loop of Exec. Nobody chooses there, so only what runs next is looked for: an execution may
// have thousands of goroutines and millions of transitions.
//
// The schedule is that of one processor that takes turns: a goroutine goes on until it blocks, yields or only repeats
// itself; then the next one after it that can go on does. After a rendezvous the one that came later goes on, since
// the other has given up the processor. One that has blocked stands in its channel's queue, which is served in order:
// it has parked.

// Exec runs the execution to its end.
func Exec(m *vm.Machine) {
	last := int32(-1)
	var ts []sched.Transition
	var who crowd
	for !m.Over {
		for _, b := range m.Bubbles {
			b.WaitReady, b.EndReady = false, false
		}
		ts = sameAgain(m, last, ts[:0], who.anew())
		if len(ts) == 0 {
			if len(m.Bubbles) > 0 {
				offer(m, &who)
				clock.Settle(m)
			}
			ts = nextToRun(m, last, ts, who.anew())
		}
		if len(ts) == 0 {
			if clock.Advance(m) {
				continue
			}
			quiescent(m)
			return
		}
		t := queued(m, chosen(m, ts), &who)
		if goesRound(m, m.Threads[t.Thread]) && polling(m, &who) {
			// Time passes while goroutines poll.
			if m.Polls++; m.Polls%pollEvents == 1 && clock.Advance(m) {
				continue
			}
		} else {
			m.Polls = 0
		}
		last = t.Thread
		if p := t.Partner; p >= 0 && m.Threads[p].Arrived > m.Threads[last].Arrived {
			last = p
		}
		perform(m, nil, t)
	}
}

// sameAgain returns the transitions of the goroutine that took the last one, if it is to go on.
func sameAgain(m *vm.Machine, last int32, ts []sched.Transition, who *crowd) []sched.Transition {
	if last < 0 {
		return ts
	}
	g := m.Threads[last]
	if !g.Waiting || g.Op.Kind == event.Yield || g.Spins > spinEvents || g.Alone > vm.SliceEvents {
		return ts
	}
	if ts = enabled(m, g, ts, who); len(ts) == 0 {
		g.Parked = true
	}
	return ts
}

// nextToRun returns the transitions of the goroutine that runs after the last one, none if nothing can go on.
func nextToRun(m *vm.Machine, last int32, ts []sched.Transition, who *crowd) []sched.Transition {
	from := sort.Search(len(m.Live), func(i int) bool { return m.Live[i].Index > last })
	for i := range m.Live {
		if i += from; i >= len(m.Live) {
			i -= len(m.Live)
		}
		g := m.Live[i]
		if !g.Waiting {
			continue
		}
		if ts = enabled(m, g, ts, who); len(ts) > 0 {
			return ts
		}
		g.Parked = true
	}
	return ts
}

// chosen is the transition that is taken: a select does not wait for a partner that is still on its way.
func chosen(m *vm.Machine, ts []sched.Transition) sched.Transition {
	for _, t := range ts {
		if t.Partner < 0 || m.Threads[t.Partner].Parked {
			return t
		}
	}
	return ts[0]
}

// queued is t, or what the goroutine does that has stood longest in the queue of t's channel.
func queued(m *vm.Machine, t sched.Transition, who *crowd) sched.Transition {
	g := m.Threads[t.Thread]
	i := max(int(t.Case), 0)
	if i >= len(g.Sel) {
		return t
	}
	first, c := g, g.Sel[i]
	for _, o := range m.Live {
		if o.Waiting && o.Parked && o.Arrived < first.Arrived && o.StandsAt(c.Chan, c.Send) >= 0 {
			first = o
		}
	}
	if first == g {
		return t
	}
	for _, u := range enabled(m, first, nil, who) {
		if s := first.Sel; max(int(u.Case), 0) < len(s) && s[max(int(u.Case), 0)].Chan == c.Chan {
			return u
		}
	}
	return t
}

// polling reports whether all that can go on has only repeated itself.
func polling(m *vm.Machine, who *crowd) bool {
	var ts []sched.Transition
	for _, g := range m.Live {
		if g.Waiting && !goesRound(m, g) {
			if ts = enabled(m, g, ts[:0], who); len(ts) > 0 {
				return false
			}
		}
	}
	return true
}
