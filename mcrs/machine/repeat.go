package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file finds out that what an entry left behind repeats itself.
//
//	REPEAT1 Where the clock is about to move, the state is that of the goroutines that are left, of memory, and of the timers, times relative to now. If the state in which the execution ends
//	        (TIME3) is one in which it was before, nothing was left out: suppose that a state is reached by some schedule only after more moves than that, and take the one with fewest. The schedule
//	        passes a state at the last move allowed that is equal to one some moves earlier. From that one the same is reached with fewer moves.
//	        What a goroutine reads of the clock, and the numbers of its random stream, are part of its state: so a loop that looks at the clock does not repeat itself.

// quietness is what is kept of the states in which the clock has moved after the entry's end.
type quietness struct {
	hostWrites  uint64 // system calls that have changed something
	quietStates map[uint64]bool
}

// quietWindow is how many moves before the last states are kept.
const quietWindow = 32

// noteQuiet keeps the present state.
func (m *Machine) noteQuiet() {
	if m.mode == running || m.fires < afterReturn-quietWindow {
		return
	}
	if h, ok := m.quietState(); ok {
		if m.quietStates == nil {
			m.quietStates = map[uint64]bool{}
		}
		m.quietStates[h] = true
	}
}

// repeats reports whether the present state is one of those kept (REPEAT1).
func (m *Machine) repeats() bool {
	h, ok := m.quietState()
	return ok && m.quietStates[h]
}

// quietState names the present state, if it has a name.
func (m *Machine) quietState() (uint64, bool) {
	if m.coros > 0 || len(m.bubbles) > 0 || len(m.fresh) > 0 || len(m.early) > 0 {
		return 0, false
	}
	sum := hashMix(m.hostWrites, b2w(m.entryDone))
	if m.opts.Timing {
		sum = hashMix(sum, uint64(min(m.firings, earlyFirings))<<1|b2w(m.now > Epoch+earlyTime))
	}
	for _, g := range m.gs {
		if g.ended || g.pseudo() {
			continue
		}
		if !g.waiting || len(g.panics) > 0 || g.got.has {
			return 0, false
		}
		sum += m.quietGoroutine(g)
	}
	known := true
	m.mem.Changed(func(o *mem.Object) {
		switch o.Aux.(type) {
		case nil, *chanState, *mapState:
			sum += hashObject(o)
		default:
			known = false
		}
	})
	for _, t := range m.timers {
		sum += hashMix(hashMix(t.addr, uint64(t.when-m.now)), uint64(t.period))
	}
	return sum, known && len(m.due) == 0
}

// quietGoroutine names the state of a goroutine, times relative to now.
func (m *Machine) quietGoroutine(g *G) uint64 {
	h := hashMix(hashMix(hashString(string(g.id)), g.rand), hashMix(g.readings, uint64(g.kids)))
	h = hashMix(h, uint64(g.op.Kind)<<32|uint64(g.op.Site))
	if g.op.Kind == event.Sleep {
		h = hashMix(h, uint64(g.op.Deadline-m.now))
		if m.opts.Timing {
			h = hashMix(h, uint64(min(g.slept, earlySleeps)))
		}
	}
	for i := range g.frames {
		fr := &g.frames[i]
		h = hashMix(h, uint64(fr.f.id)<<32|uint64(uint32(fr.pc)))
		dead := m.deadWords(g, i)
		for j, x := range unsafe.Slice((*uint64)(fr.fp), fr.f.Frame/8) {
			if !dead.Has(j) {
				h = hashMix(h, x)
			}
		}
		for _, d := range fr.defers {
			h = hashMix(h, d.ctx)
			for _, a := range d.args {
				h = hashMix(h, a)
			}
		}
	}
	return h
}
