package constraint

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file has the rules of store buffers for an Encoding: TSO1 to TSO5, on what package prior reads out of the trace.

// linkBuffers adds to what precedes a node what store buffers say (TSO1 to TSO3).
func (m *model) linkBuffers(x *node) {
	if m.buf == nil {
		return
	}
	for _, i := range []int32{x.event, x.partner} {
		if i >= 0 {
			for _, d := range m.buf.Waits[i] {
				x.before = append(x.before, m.of[d])
			}
		}
	}
}

// findOwn sets own.
func (m *model) findOwn() {
	m.own = make([]int32, len(m.nodes))
	fill(m.own, -1)
	if m.buf == nil {
		return
	}
	for i, s := range m.buf.Own {
		n := m.of[i]
		switch {
		case !m.nodes[n].free:
		case s.Flush < 0:
			m.own[n] = m.of[s.Issue]
		case !m.precedes(m.of[s.Flush], n): // else it is in memory by then
			m.own[n] = m.of[s.Flush]
		}
	}
}

// owner returns the goroutine whose access a node is.
func (m *model) owner(n int32) int32 {
	th := m.at(n).Thread
	if g := m.t.Threads[th].Buffers; g > 0 {
		return g - 1
	}
	return th
}

// storedBy returns the event that a node is, of a buffer's write that of the store.
func (m *model) storedBy(n int32) int {
	if i := m.nodes[n].event; m.buf != nil && m.buf.Stores[i] != nil {
		return int(m.buf.Stores[i].Issue)
	}
	return int(m.nodes[n].event)
}

// forwards reports whether the read r finds its goroutine's own store before that is in memory: the write of it comes
// behind r, or not at all (TSO4). in says whether a node comes before r.
func (m *model) forwards(r int32, in func(n int32) bool) bool {
	o := m.own[r]
	return o >= 0 && (m.at(o).Kind == event.Store || !in(o))
}

// meets returns the write whose value the read r, at place i of the candidate, finds.
func meets(e *Encoding, r, i int32) int32 {
	w := &e.walk
	if e.forwards(r, func(n int32) bool { return w.where[n] >= 0 && w.where[n] < i }) {
		return e.own[r]
	}
	return w.last[e.varOf[r]]
}

// ownPossible is possible for a read that may find its goroutine's own store. sure says that the answer is final.
func (m *model) ownPossible(r, w int32) (ok, sure bool) {
	o := m.own[r]
	switch {
	case o < 0:
		return false, false
	case w == o:
		return true, true
	case m.at(o).Kind == event.Store, w == initially, m.precedes(w, o): // TSO5
		return false, true
	}
	return false, false
}

// ownCandidate is ownPossible for the bounds.
func (b *bounds) ownCandidate(r, w int32) (ok, sure bool) {
	o := b.own[r]
	switch {
	case o < 0 || w == o:
		return o >= 0, o >= 0
	case b.at(o).Kind == event.Store, w == initially, b.out(o), b.covers(b.need(o), r), b.covers(b.need(o), w):
		return false, true
	}
	return false, false
}
