package loop

import (
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
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
	var waits waiting
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
		if waits.repeats(m, m.Threads[t.Thread], last) && clock.Advance(m) {
			continue
		}
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

// A waiting finds a goroutine of Exec that waits in a loop for a timer, or for who sleeps, and makes no event to be
// counted: it looks at an atomic variable, say.
//
//	BUSY1  After 4, 8, 16 … time slices in which nobody else could go on, it is looked at wherever it jumps back or
//	       calls a function. Meanwhile no time passes. If it comes to one place three times in the same state (that
//	       of POLL1), it goes round in the same way until the clock's next deadline, and the clock moves there.
//	       After waitRounds places it has its time slices again: it computes.
type waiting struct {
	thread        int32
	slices        int // in a row
	rounds        int // places at which it was looked at, 0 if it is not
	count         int // times that it came to the state
	stack, memory uint64
}

const waitRounds = 256

// repeats reports whether g, which is to go on, waits so; last went on before.
func (w *waiting) repeats(m *vm.Machine, g *vm.G, last int32) bool {
	m.Looking = false
	if !g.Preempted || g.Index != last || g.Index != w.thread || len(m.Bubbles) > 0 {
		*w = waiting{thread: g.Index}
		return false
	}
	if w.rounds == 0 {
		if w.slices++; w.slices < 4 || w.slices&(w.slices-1) != 0 {
			return false
		}
		w.stack, w.count = stackHash(g), 1
	} else if stackHash(g) == w.stack {
		memory := uint64(0)
		m.Mem.Changed(func(o *mem.Object) { memory += naming.HashObject(o) })
		if w.count > 1 {
			w.rounds = 0
			return memory == w.memory
		}
		w.memory, w.count = memory, 2
	}
	if w.rounds++; w.rounds > waitRounds {
		w.rounds = 0
		return false
	}
	m.Looking, m.MaxSteps = true, min(m.HardSteps, m.Steps+1)
	return false
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
