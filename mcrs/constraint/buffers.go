package constraint

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file reads the store buffers out of a trace, for the rules TSO1 to TSO5: what each write to memory was
// when it was stored, what has to be in memory before an operation, and which store of its own a read may find.

// A stored is a plain write under a relaxed memory model: the store, and the write of the buffer's thread.
type stored struct {
	issue  int32 // event: a Store; of a word that came with its object, the Store that published it
	flush  int32 // event: the write; -1 if the trace ends before
	thread int32 // of the buffer, or of the queue
	loc    event.Location
	bytes  []byte
}

// buffers are the store buffers of a trace.
type buffers struct {
	t *trace.Trace
	// stores has, by event of a write to memory, what it was. issued lists all stores by thread of the queue.
	stores map[int32]*stored
	issued [][]*stored
	// waits lists, by event, the writes (and stores) that come before it beyond its goroutine's own order.
	waits map[int32][]int32
	// own has, by event of a read, the newest store of its goroutine that has its bytes, if that may be on its way
	// then.
	own map[int32]*stored
	// before lists, by event, what its goroutine has stored since it last waited, oldest first.
	before [][]*stored
	// left lists, by goroutine, what its pending operation finds stored since it last waited, oldest first.
	left [][]*stored
}

// buffersOf returns the store buffers of a trace, nil if it has none.
func buffersOf(t *trace.Trace) *buffers {
	if t.Memory == event.SC {
		return nil
	}
	b := &buffers{t: t, stores: make(map[int32]*stored), issued: make([][]*stored, len(t.Threads)), waits: make(map[int32][]int32),
		own: make(map[int32]*stored), before: make([][]*stored, len(t.Events)), left: make([][]*stored, len(t.Threads))}
	writes := make([][]int32, len(t.Threads)) // by thread of a queue
	for i := range t.Events {
		if th := t.Events[i].Thread; t.Threads[th].Buffers > 0 {
			writes[th] = append(writes[th], int32(i))
		}
	}
	for i := range t.Events {
		e, n := &t.Events[i], int32(i)
		b.before[i] = b.left[e.Thread]
		switch {
		case t.Threads[e.Thread].Buffers > 0:
		case e.Kind == event.Store:
			for _, s := range b.storesOf(n) {
				b.issue(e.Thread, s, writes)
			}
		case t.Drained(e):
			for _, s := range b.left[e.Thread] { // TSO3
				b.wait(n, s.flush)
			}
			b.left[e.Thread] = nil
		case e.Kind == event.Read || e.Kind == event.AtomicLoad:
			if s, whole := newest(b.left[e.Thread], e.Loc); whole {
				b.own[n] = s
			} else if s != nil { // TSO2
				b.wait(n, s.flush)
			}
		}
	}
	return b
}

// storesOf lists what a Store puts into its goroutine's buffer: first the words of what it publishes (BUF7).
func (b *buffers) storesOf(i int32) (out []*stored) {
	e := &b.t.Events[i]
	for th := range b.t.Threads {
		if x := &b.t.Threads[th]; x.Buffers == e.Thread+1 && x.Spawn == i {
			word := wordOf(b.t, i, x.Queue)
			out = append(out, &stored{issue: i, thread: int32(th), loc: event.Location{Addr: x.Queue, Size: uint32(len(word))}, bytes: word})
		}
	}
	for th := range b.t.Threads {
		if x := &b.t.Threads[th]; x.Buffers == e.Thread+1 && (b.t.Memory == event.TSO || x.Queue == e.Loc.Addr) {
			out = append(out, &stored{issue: i, thread: int32(th), loc: e.Loc, bytes: bytesOf(b.t, e)})
		}
	}
	return out
}

// wordOf returns the word at an address of what event i published.
func wordOf(t *trace.Trace, i int32, addr uint64) []byte {
	for k := range t.Published {
		if p := &t.Published[k]; p.Event == i && p.Addr <= addr && addr < p.Addr+uint64(p.Size) {
			b := t.Bytes[p.Offset : p.Offset+p.Size][addr-p.Addr:]
			return b[:min(8, len(b))]
		}
	}
	return nil
}

// issue puts a store into the buffer of goroutine g. writes has, by thread of a queue, its writes that are left.
func (b *buffers) issue(g int32, s *stored, writes [][]int32) {
	s.flush = -1
	if w := writes[s.thread]; len(w) > 0 {
		s.flush, writes[s.thread] = w[0], w[1:]
		b.stores[s.flush] = s
		b.wait(s.flush, s.issue) // TSO1
		for _, o := range b.left[g] {
			if o.thread != s.thread && o.loc.Overlaps(s.loc) { // TSO1
				b.wait(s.flush, o.flush)
			}
		}
	}
	b.issued[s.thread] = append(b.issued[s.thread], s)
	b.left[g] = append(b.left[g], s)
}

func (b *buffers) wait(i, before int32) {
	if before >= 0 {
		b.waits[i] = append(b.waits[i], before)
	}
}

// newest returns the newest of some stores that overlaps a range, and whether it has all of that.
func newest(of []*stored, l event.Location) (s *stored, whole bool) {
	for _, s := range slices.Backward(of) {
		if s.loc.Overlaps(l) {
			return s, s.loc.Addr <= l.Addr && l.Addr+uint64(l.Size) <= s.loc.Addr+uint64(s.loc.Size)
		}
	}
	return nil, false
}

// unpublished returns what a publication leaves in memory: words that are still on their way are zero (BUF7).
func unpublished(t *trace.Trace, p *trace.Publication) []byte {
	b := t.Bytes[p.Offset : p.Offset+p.Size]
	for i := range t.Threads {
		if x := &t.Threads[i]; t.Memory == event.PSO && x.Buffers > 0 && x.Spawn == p.Event && p.Addr <= x.Queue && x.Queue < p.Addr+uint64(p.Size) {
			b = slices.Clone(b)
			word := b[x.Queue-p.Addr:]
			clear(word[:min(8, len(word))])
		}
	}
	return b
}

// linkBuffers adds to what precedes a node what store buffers say (TSO1 to TSO3).
func (m *model) linkBuffers(x *node) {
	if m.buf == nil {
		return
	}
	for _, i := range []int32{x.event, x.partner} {
		if i >= 0 {
			for _, d := range m.buf.waits[i] {
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
	for i, s := range m.buf.own {
		n := m.of[i]
		switch {
		case !m.nodes[n].free:
		case s.flush < 0:
			m.own[n] = m.of[s.issue]
		case !m.precedes(m.of[s.flush], n): // else it is in memory by then
			m.own[n] = m.of[s.flush]
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
	if i := m.nodes[n].event; m.buf != nil && m.buf.stores[i] != nil {
		return int(m.buf.stores[i].issue)
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
func (e *Encoding) meets(r, i int32) int32 {
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
