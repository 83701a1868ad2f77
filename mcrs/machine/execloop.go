package machine

import (
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file defines the loop of Exec. Nobody chooses there, so only what runs next is looked for: an execution may
// have thousands of goroutines and millions of transitions.
//
// The schedule is that of one processor that takes turns: a goroutine goes on until it blocks, yields or only repeats itself; then
// the next one after it that can go on does. After a rendezvous the one that came later goes on, since the other
// has given up the processor. One that has blocked stands in its channel's queue, which is served in order: it has parked.

// A budget is how far an execution may go.
type budget struct {
	steps     int64
	allocated int64 // bytes
	lookedAt  int64 // words looked at for names of states (local.go)
	maxSteps  int64 // where the interpreter stops: the limit, or the end of a time slice
	hardSteps int64 // the limit where there are time slices
	opts      sched.Options
}

// execLoop runs the execution to its end.
func (m *Machine) execLoop() {
	last := int32(-1)
	var ts []sched.Transition
	for !m.over {
		for _, b := range m.bubbles {
			b.waitReady, b.endReady = false, false
		}
		ts = m.sameAgain(last, ts[:0])
		if len(ts) == 0 {
			if len(m.bubbles) > 0 {
				m.offer()
				m.settle()
			}
			ts = m.nextToRun(last, ts)
		}
		if len(ts) == 0 {
			if m.advanceClock() {
				continue
			}
			m.quiescent()
			return
		}
		t := m.queued(m.chosen(ts))
		if m.gs[t.Thread].spins > spinEvents && m.polling() {
			// Time passes while goroutines poll.
			if m.polls++; m.polls%pollEvents == 1 && m.advanceClock() {
				continue
			}
		} else {
			m.polls = 0
		}
		last = t.Thread
		if p := t.Partner; p >= 0 && m.gs[p].arrived > m.gs[last].arrived {
			last = p
		}
		m.perform(t)
	}
}

// sameAgain returns the transitions of the goroutine that took the last one, if it is to go on.
func (m *Machine) sameAgain(last int32, ts []sched.Transition) []sched.Transition {
	if last < 0 {
		return ts
	}
	g := m.gs[last]
	if !g.waiting || g.op.Kind == event.Yield || g.spins > spinEvents || g.alone > sliceEvents {
		return ts
	}
	if ts = m.enabled(g, ts); len(ts) == 0 {
		g.parked = true
	}
	return ts
}

// nextToRun returns the transitions of the goroutine that runs after the last one, none if nothing can go on.
func (m *Machine) nextToRun(last int32, ts []sched.Transition) []sched.Transition {
	from := sort.Search(len(m.live), func(i int) bool { return m.live[i].idx > last })
	for i := range m.live {
		if i += from; i >= len(m.live) {
			i -= len(m.live)
		}
		g := m.live[i]
		if !g.waiting {
			continue
		}
		if ts = m.enabled(g, ts); len(ts) > 0 {
			return ts
		}
		g.parked = true
	}
	return ts
}

// wake makes the selects that have parked at ch, which was just closed, go on with its case. They have left the queues of their other
// channels.
func (m *goroutines) wake(ch uint64) {
	for _, g := range m.live {
		if !g.parked || !g.waiting || g.woken > 0 || !g.op.IsSelect() {
			continue
		}
		for i := range g.sel {
			if g.sel[i].ch == ch {
				g.woken = i + 1
				break
			}
		}
	}
}

// chosen is the transition that is taken: a select does not wait for a partner that is still on its way.
func (m *goroutines) chosen(ts []sched.Transition) sched.Transition {
	for _, t := range ts {
		if t.Partner < 0 || m.gs[t.Partner].parked {
			return t
		}
	}
	return ts[0]
}

// queued is t, or what the goroutine does that has stood longest in the queue of t's channel.
func (m *Machine) queued(t sched.Transition) sched.Transition {
	g := m.gs[t.Thread]
	i := max(int(t.Case), 0)
	if i >= len(g.sel) {
		return t
	}
	first, c := g, g.sel[i]
	for _, o := range m.live {
		if o.waiting && o.parked && o.arrived < first.arrived && o.standsAt(c.ch, c.send) >= 0 {
			first = o
		}
	}
	if first == g {
		return t
	}
	for _, u := range m.enabled(first, nil) {
		if s := first.sel; max(int(u.Case), 0) < len(s) && s[max(int(u.Case), 0)].ch == c.ch {
			return u
		}
	}
	return t
}

// polling reports whether all that can go on has only repeated itself.
func (m *Machine) polling() bool {
	var ts []sched.Transition
	for _, g := range m.live {
		if g.waiting && g.spins <= spinEvents {
			if ts = m.enabled(g, ts[:0]); len(ts) > 0 {
				return false
			}
		}
	}
	return true
}

// retire takes goroutines that have ended from the list of the live.
func (m *goroutines) retire() {
	if m.dead++; m.dead < 32 || m.dead < len(m.live)/2 {
		return
	}
	live := m.live[:0]
	for _, g := range m.live {
		if !g.ended {
			live = append(live, g)
		}
	}
	clear(m.live[len(live):])
	m.live, m.dead = live, 0
}
