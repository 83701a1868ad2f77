package machine

import (
	"fmt"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines when the heap is collected, and from which roots. How is in package mem.
//
// A collection is due when the bytes alive have passed a mark that depends on what the execution has allocated and on nothing else.
// It runs inside the allocation that passes the mark. So whoever calls alloc, or what may, keeps no address in a variable of
// the host's alone: it is in a frame, in memory that is reached, or in keep. A pointer into an object's bytes may be kept as long as the object is
// reached.
//
// Roots are the words of all frames, and what the host keeps for goroutines, timers and tables. Frames are
// scanned conservatively: a register keeps its last value alive until the function returns.

// minHeap is how much is allocated at least between two collections.
const minHeap = 32 << 20

// A collection is what an execution keeps of its collections.
type collection struct {
	collectAt   int64    // bytes alive at which the heap is collected
	collections int      // done so far
	keep        []uint64 // addresses that only the host knows for a moment
	held        []uint64 // arguments on their way to a frame
	heldCtx     uint64   // and the closure
	finalizer   string   // the function by which the program has registered one, "" if it has none
}

// collectFrom sets the first mark of an execution.
func (m *Machine) collectFrom() { m.setMark(minHeap) }

// setMark makes a collection due when so many bytes are alive.
func (m *Machine) setMark(n int64) {
	if max := m.opts.MaxMemory; max > 0 {
		n = min(n, max)
	}
	if m.cfg.CollectEvery > 0 {
		n = min(n, m.mem.Live+m.cfg.CollectEvery-1)
	}
	m.collectAt = n
}

// room collects, and reports whether size more bytes may be allocated; if not, the execution has ended at its limit. A limit of
// which less than a 32nd part is free after a collection counts as reached: collections would follow ever closer on each other.
func (m *Machine) room(g *G, size int64) bool {
	if m.mem.Full(g.seg, uint64(size)) {
		m.limit(g, "limit of 2^32 objects allocated by one goroutine reached")
		return false
	}
	m.collect()
	if max := m.opts.MaxMemory; max > 0 && m.mem.Live+size > max-max/32 {
		m.limit(g, fmt.Sprintf("memory limit of %d MiB reached: %.1f MiB are alive, and %s more are asked for", max>>20, float64(m.mem.Live)/(1<<20), bytesText(size)))
		return false
	}
	m.setMark(m.mem.Live + size + max(m.mem.Live, minHeap))
	return true
}

func bytesText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// collect frees what the program cannot reach.
func (m *Machine) collect() {
	m.collections++
	first := true
	m.mem.Collect(func() bool {
		if first {
			first = false
			m.roots(m.mem.Mark)
		}
		return m.timerRoots(m.mem.Mark)
	}, m.inits)
	for _, g := range m.gs {
		m.mem.Live += stackBytes(g.chunks, g.frames) + int64(len(g.spare))*8
	}
	for a := range m.records {
		if m.mem.Object(a) == nil {
			delete(m.records, a)
		}
	}
	for a := range m.assoc {
		if m.mem.Object(a) == nil {
			delete(m.assoc, a)
		}
	}
}

// roots calls visit for each address that the program can use without reading memory.
func (m *Machine) roots(visit func(uint64)) {
	if m.inits { // later, variables are part of the snapshot
		for _, a := range m.globals {
			visit(a)
		}
	}
	for _, t := range []map[string]uint64{m.handles.inits, m.unique} {
		for _, a := range t {
			visit(a)
		}
	}
	each(m.keep, visit)
	each(m.held, visit)
	visit(m.heldCtx)
	for _, g := range m.gs {
		g.roots(visit)
	}
	for _, t := range m.pending() {
		visit(t.addr)
		t.roots(visit)
	}
}

// release forgets the arguments that were on their way.
func (m *collection) release() { m.held, m.heldCtx = nil, 0 }

func each(words []uint64, visit func(uint64)) {
	for _, w := range words {
		visit(w)
	}
}

// timerRoots visits what a timer that is reached may use when it is started again. It reports whether there was any that was not reached before.
func (m *Machine) timerRoots(visit func(uint64)) (again bool) {
	for a, t := range m.records {
		if !m.mem.Marked(a) {
			continue
		}
		t.roots(func(w uint64) {
			if !m.mem.Marked(w) && m.mem.Object(w) != nil {
				again = true
			}
			visit(w)
		})
	}
	return again
}

func (t *timer) roots(visit func(uint64)) {
	visit(t.fctx)
	visit(t.arg)
	visit(t.arg2)
}

func (g *G) roots(visit func(uint64)) {
	if g.ended {
		return
	}
	framesRoots(g.frames, visit)
	panicRoots(g.panics, g.origin, visit)
	bytesRoots(g.got.val, visit)
	for _, t := range g.memos {
		visit(t)
	}
	for i := range g.sel {
		c := &g.sel[i]
		visit(c.ch)
		if c.send && c.elem.Ptrs != nil {
			c.elem.Ptrs.Scan(c.at, c.elem.Size, visit, true)
		}
	}
	g.bufferRoots(visit)
	if g.waiting {
		opRoots(&g.op, visit)
	}
}

// opRoots visits the objects of a pending operation.
func opRoots(o *event.Op, visit func(uint64)) {
	visit(o.Loc.Addr)
	for _, c := range o.Cases {
		visit(c.Chan)
	}
}

func (s *goStack) roots(visit func(uint64)) {
	framesRoots(s.frames, visit)
	panicRoots(s.panics, s.origin, visit)
}

func framesRoots(frames []frame, visit func(uint64)) {
	for i := range frames {
		fr := &frames[i]
		each(unsafe.Slice((*uint64)(fr.fp), (fr.f.Frame+fr.f.Out)/8), visit)
		for _, d := range fr.defers {
			visit(d.ctx)
			each(d.args, visit)
		}
	}
}

func panicRoots(ps []panicRec, at origin, visit func(uint64)) {
	visit(at.data)
	for i := range ps {
		p := &ps[i]
		visit(p.data)
		visit(p.origin.data)
		for _, l := range p.links {
			visit(l.data)
		}
	}
}

// bytesRoots visits each word of a value.
func bytesRoots(b []byte, visit func(uint64)) {
	for ; len(b) >= 8; b = b[8:] {
		visit(*(*uint64)(unsafe.Pointer(&b[0])))
	}
}

func stackBytes(chunks [][]uint64, frames []frame) int64 {
	n := int64(len(frames)) * int64(unsafe.Sizeof(frame{}))
	for _, c := range chunks {
		n += int64(len(c)) * 8
	}
	return n
}

// allocAux is alloc of an object with state beside its bytes.
func (m *Machine) allocAux(g *G, size uint64, a mem.Aux) (uint64, status) {
	n := a.Footprint()
	if m.mem.Live+int64(size)+n > m.collectAt && !m.room(g, int64(size)+n) {
		return 0, halt
	}
	p, s := m.alloc(g, size, nil)
	if s == done {
		m.mem.Object(p).Aux = a
		m.mem.Live += n
	}
	return p, s
}
