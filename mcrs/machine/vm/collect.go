package vm

import (
	"fmt"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines when the heap is collected, and from which roots. How is in package mem.
//
// A collection is due when the bytes alive have passed a mark that depends on what the execution has allocated and on
// nothing else. It runs inside the allocation that passes the mark. So whoever calls alloc, or what may, keeps no
// address in a variable of the host's alone: it is in a frame, in memory that is reached, or in keep. A pointer into
// an object's bytes may be kept as long as the object is reached.
//
// Roots are the words of all frames, and what the host keeps for goroutines, timers and tables. Frames are
// scanned conservatively: a register keeps its last value alive until the function returns.

// minHeap is how much is allocated at least between two collections.
const minHeap = 32 << 20

// A Collection is what an execution keeps of its collections.
type Collection struct {
	CollectAt   int64    // bytes alive at which the heap is collected
	Collections int      // done so far
	keep        []uint64 // addresses that only the host knows for a moment
	held        []uint64 // arguments on their way to a frame
	heldCtx     uint64   // and the closure
}

// collectFrom sets the first mark of an execution.
func (m *Machine) collectFrom() { setMark(m, minHeap) }

// setMark makes a collection due when so many bytes are alive.
func setMark(m *Machine, n int64) {
	if max := m.Options.MaxMemory; max > 0 {
		n = min(n, max)
	}
	if m.Config.CollectEvery > 0 {
		n = min(n, m.Mem.Live+m.Config.CollectEvery-1)
	}
	m.CollectAt = n
}

// Room collects, and reports whether size more bytes may be allocated; if not, the execution has ended at its limit.
// A limit of which less than a 32nd part is free after a collection counts as reached: collections would follow ever
// closer on each other.
func (m *Machine) Room(g *G, size int64) bool {
	if m.Mem.Full(g.Segment, uint64(size)) {
		m.Limit(g, "limit of 2^32 objects allocated by one goroutine reached")
		return false
	}
	m.collect()
	if max := m.Options.MaxMemory; max > 0 && m.Mem.Live+size > max-max/32 {
		m.Trace.Full = true
		m.Limit(g, fmt.Sprintf("memory limit of %d MiB reached: %.1f MiB are alive, and %s more are asked for", max>>20, float64(m.Mem.Live)/(1<<20), bytesText(size)))
		return false
	}
	setMark(m, m.Mem.Live+size+max(m.Mem.Live, minHeap))
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
	m.Collections++
	for _, g := range m.Threads { // what others know may be freed now, and is not its goroutine's own all the same
		g.DropKnown(m)
	}
	first := true
	m.Mem.Collect(func() bool {
		if first {
			first = false
			m.roots(m.Mem.Mark)
		}
		return timerRoots(m, m.Mem.Mark)
	}, m.Inits)
	for _, g := range m.Threads {
		m.Mem.Live += StackBytes(g.Chunks, g.Frames) + int64(len(g.spare))*8
	}
	for a := range m.Records {
		if m.Mem.Object(a) == nil {
			delete(m.Records, a)
		}
	}
	for a := range m.Assoc {
		if m.Mem.Object(a) == nil {
			delete(m.Assoc, a)
		}
	}
}

// roots calls visit for each address that the program can use without reading memory.
func (m *Machine) roots(visit func(uint64)) {
	if m.Inits { // later, variables are part of the snapshot
		for _, a := range m.Globals {
			visit(a)
		}
	}
	for _, t := range []map[string]uint64{m.Handles.Inits, m.Unique} {
		for _, a := range t {
			visit(a)
		}
	}
	if m.Kernel != nil {
		m.Kernel.Mapped(visit)
	}
	each(m.keep, visit)
	each(m.held, visit)
	for _, f := range m.Finalizers {
		visit(f.Object)
		each(f.Uses, visit)
	}
	visit(m.heldCtx)
	for _, g := range m.Threads {
		g.roots(visit)
	}
	for _, t := range m.Pending() {
		visit(t.Addr)
		t.Roots(visit)
	}
}

// release forgets the arguments that were on their way.
func (m *Collection) release() { m.held, m.heldCtx = nil, 0 }

func each(words []uint64, visit func(uint64)) {
	for _, w := range words {
		visit(w)
	}
}

// timerRoots visits what a timer that is reached may use when it is started again. It reports whether there was any
// that was not reached before.
func timerRoots(m *Machine, visit func(uint64)) (again bool) {
	for a, t := range m.Records {
		if !m.Mem.Marked(a) {
			continue
		}
		t.Roots(func(w uint64) {
			if !m.Mem.Marked(w) && m.Mem.Object(w) != nil {
				again = true
			}
			visit(w)
		})
	}
	return again
}

// Roots calls visit for each address that the timer uses when it fires.
func (t *Timer) Roots(visit func(uint64)) {
	visit(t.Closure)
	visit(t.Arg)
	visit(t.Arg2)
}

func (g *G) roots(visit func(uint64)) {
	if g.Ended {
		return
	}
	framesRoots(g.Frames, visit)
	panicRoots(g.Panics, g.Origin, visit)
	for _, t := range g.Memos {
		visit(t)
	}
	g.Underway(visit)
}

// Underway calls visit for each address that is on its way to a goroutine or from it: what it was sent, and what it is
// about to send or store.
func (g *G) Underway(visit func(uint64)) {
	bytesRoots(g.Got.Value, visit)
	if g.Stage > 0 {
		for _, k := range g.Kept {
			bytesRoots(k.Bytes[min(-k.Addr%8, uint64(len(k.Bytes))):], visit)
		}
	}
	for i := range g.Sel {
		c := &g.Sel[i]
		visit(c.Chan)
		if c.Send && c.Elem.Ptrs != nil {
			c.Elem.Ptrs.Scan(c.At, c.Elem.Size, visit, true)
		}
	}
	g.bufferRoots(visit)
	if g.Waiting {
		opRoots(&g.Op, visit)
	}
}

// opRoots visits the objects of a pending operation.
func opRoots(o *event.Op, visit func(uint64)) {
	visit(o.Loc.Addr)
	for _, c := range o.Cases {
		visit(c.Chan)
	}
}

// Roots calls visit for each address that a stack holds.
func (s *GoStack) Roots(visit func(uint64)) {
	framesRoots(s.Frames, visit)
	panicRoots(s.Panics, s.Origin, visit)
}

func framesRoots(frames []Frame, visit func(uint64)) {
	for i := range frames {
		fr := &frames[i]
		each(unsafe.Slice((*uint64)(fr.FP), (fr.Func.Frame+fr.Func.Out)/8), visit)
		for _, d := range fr.Defers {
			visit(d.Ctx)
			each(d.Args, visit)
		}
	}
}

func panicRoots(ps []PanicRec, at Origin, visit func(uint64)) {
	visit(at.Data)
	for i := range ps {
		p := &ps[i]
		visit(p.Data)
		visit(p.Origin.Data)
		for _, l := range p.Links {
			visit(l.Data)
		}
	}
}

// bytesRoots visits each word of a value.
func bytesRoots(b []byte, visit func(uint64)) {
	for ; len(b) >= 8; b = b[8:] {
		visit(*(*uint64)(unsafe.Pointer(&b[0])))
	}
}

// StackBytes returns how many bytes of the host a stack takes.
func StackBytes(chunks [][]uint64, frames []Frame) int64 {
	n := int64(len(frames)) * int64(unsafe.Sizeof(Frame{}))
	for _, c := range chunks {
		n += int64(len(c)) * 8
	}
	return n
}
