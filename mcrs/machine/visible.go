package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines visible operations: how a goroutine waits for the scheduler, how an event is logged, and how
// objects become shared.

// A record is the trace of an execution, and where the transition at hand stands in it.
type record struct {
	tr        *trace.Trace
	began     int           // number of events before the transition being performed
	lastEvent int           // index of the event that the current operation logged, -1 if none
	newly     []*mem.Object // published since the last Store began, with partial store order
}

// silent reports whether accesses of the innermost function make no events. The packages of the primitives act for their callers.
func (g *G) silent() bool {
	if g.outputs > 0 && g.makesOutput() {
		return true
	}
	i := len(g.frames) - 1
	for i > 0 && (g.frames[i].f.intrinsic != nil || g.frames[i].f.sync && !g.frames[i].f.silent) {
		i--
	}
	if g.frames[i].f.silent {
		g.secret = true
		return true
	}
	return false
}

// visible announces an access. It returns false if the goroutine must wait; the caller then returns yield, and is
// called again when the scheduler has chosen this goroutine. Each attempt must announce the same operations in the same order.
func (m *Machine) visible(g *G, k event.Kind, addr uint64, size uint32, key uint64) bool {
	if m.direct || g.silent() {
		m.lastEvent = -1
		return !m.relaxed() || m.drained(g)
	}
	return m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: addr, Size: size}, Key: key})
}

// announce is visible for operations that are never silent.
func (m *Machine) announce(g *G, o event.Op) bool {
	if g.cursor < g.stage {
		g.cursor++
		m.lastEvent = -1
		return true
	}
	if !g.permit {
		if m.mode == running && m.direct && !m.inits && m.uncontended(&o) {
			g.stage++
			g.cursor++
			m.lastEvent, m.worked = -1, true
			return true
		}
		o.Site = m.siteOf(g)
		m.stand(g, o)
		return false
	}
	g.permit, g.waiting = false, false
	g.stage++
	g.cursor++
	e := plain(o.Kind, o.Loc.Addr, g.op.Site)
	e.Loc.Size, e.Key = o.Loc.Size, o.Key
	m.lastEvent = m.log(g, e)
	return true
}

// stand makes o the pending operation of g.
func (m *goroutines) stand(g *G, o event.Op) {
	m.arrivals++
	g.op, g.waiting, g.arrived = o, true, m.arrivals
}

// uncontended reports whether an operation on a lock can be performed at once. Exec lets the goroutine go on then, as its
// scheduler would; time slices are fair to the others.
func (m *heap) uncontended(o *event.Op) bool {
	switch o.Kind {
	case event.Unlock, event.RUnlock, event.WaitGroupAdd:
		return true
	}
	return o.Kind.WaitsForLock() && m.lockFree(o)
}

// log appends an event of g, whose other fields are all set, and returns its index.
func (m *Machine) log(g *G, e event.Event) int {
	e.Thread, e.Seq = g.idx, g.seq
	g.seq++
	if m.relaxed() && e.Kind.Drains() {
		g.unfenced, g.drainedAt = false, m.mem.Next(g.seg)
	}
	if m.inits {
		return -1
	}
	m.tr.Events = append(m.tr.Events, e)
	if m.flows != nil {
		m.flows.Event(g.following(), len(m.tr.Events)-1)
	}
	if m.opts.Stacks {
		m.tr.Stacks = append(m.tr.Stacks, m.stackOf(g))
	}
	return len(m.tr.Events) - 1
}

// plain is an event that is neither a select's nor half of a rendezvous.
func plain(k event.Kind, addr uint64, site event.Site) event.Event {
	return event.Event{Kind: k, Loc: event.Location{Addr: addr}, Case: -1, Cases: -1, Partner: -1, Site: site}
}

// logged completes the event that the last visible operation made, if it made one.
func (m *record) logged(g *G, value uint64, other int64) {
	if i := m.lastEvent; i >= 0 && i < len(m.tr.Events) {
		m.tr.Events[i].Value, m.tr.Events[i].Other = value, other
		m.lastEvent = -1
	}
}

// accessed completes the event of an access to memory.
func (m *Machine) accessed(g *G, b []byte) {
	other := int64(0)
	if m.lastEvent >= 0 && len(b) > 8 && m.mode == exploring {
		other = int64(len(m.tr.Bytes))
		m.tr.Bytes = append(m.tr.Bytes, b...)
	}
	m.logged(g, digest(b), other)
}

// siteOf returns the innermost site of g outside the packages of the primitives; of an operation on a socket that of the call in package net or os.
func (m *Machine) siteOf(g *G) event.Site {
	last, socket := event.Site(0), false
	for i := len(g.frames) - 1; i >= 0; i-- {
		if s := m.frameSite(g, i); s != 0 {
			last = s
			f := g.frames[i].f
			socket = socket || f.inet
			if !f.sync && !(socket && f.silent) && !f.inet {
				return s
			}
		}
	}
	return last
}

// frameSite returns the site at which frame i stands: of the innermost frame the current instruction, else the call.
func (m *Machine) frameSite(g *G, i int) event.Site {
	fr := &g.frames[i]
	pc := fr.pc
	if i < len(g.frames)-1 && g.frames[i+1].kind == callFrame {
		pc--
	}
	if pc < 0 || int(pc) >= len(fr.f.Sites) {
		return 0
	}
	return fr.f.Sites[pc]
}

// stackOf returns the frames of g; what waits at a socket stands in package net or os.
func (m *Machine) stackOf(g *G) []trace.Frame {
	var st []trace.Frame
	socket := false
	for i := len(g.frames) - 1; i >= 0; i-- {
		f := g.frames[i].f
		if socket = f.inet || socket && f.silent; socket {
			continue
		}
		if s := m.frameSite(g, i); s != 0 && !f.wrapper {
			st = append(st, trace.Frame{Func: f.name, Site: s})
		}
	}
	return st
}

// publish makes the object at addr, and all it reaches, shared, but for output of tests (SILENT6).
func (m *Machine) publish(addr uint64) {
	if addr == 0 {
		return
	}
	o := m.mem.Object(addr)
	if o == nil || o.Flags&(mem.Shared|mem.Output) != 0 {
		return
	}
	work := []*mem.Object{o}
	o.Flags |= mem.Shared
	m.published(o)
	visit := func(a uint64) {
		if a == 0 {
			return
		}
		if o := m.mem.Object(a); o != nil && o.Flags&(mem.Shared|mem.Output) == 0 {
			o.Flags |= mem.Shared
			m.published(o)
			work = append(work, o)
		}
	}
	for len(work) > 0 {
		o := work[len(work)-1]
		work = work[:len(work)-1]
		m.pointers(o, visit)
	}
}

// published notes what others will find in an object.
func (m *Machine) published(o *mem.Object) {
	if m.opts.Memory == event.PSO {
		m.newly = append(m.newly, o)
	}
	if m.direct || m.inits || m.mode == running || o.Flags&mem.ReadOnly != 0 {
		return
	}
	if m.flows != nil && m.began < len(m.tr.Events) {
		m.flows.Published(m.gs[m.tr.Events[m.began].Thread].flows, o, m.began)
	}
	at := int64(len(m.tr.Bytes))
	m.tr.Bytes = append(m.tr.Bytes, o.Bytes()...)
	m.tr.Published = append(m.tr.Published, trace.Publication{Event: int32(m.began), Addr: o.Base, Offset: at, Size: int64(o.Size), Unlogged: o.Flags&mem.Unlogged != 0})
}

// pointers calls visit for each address that o holds.
func (m *Machine) pointers(o *mem.Object, visit func(uint64)) {
	if o.Ptrs != nil {
		o.Ptrs.Scan(o.Data(), o.Size, visit, false)
	}
	if o.Aux != nil {
		o.Aux.Scan(visit, false)
	}
}

// publishAt publishes the pointers in n bytes at p.
func (m *Machine) publishAt(p unsafe.Pointer, n uint64, pm *mem.PtrMap) {
	if pm == nil {
		return
	}
	pm.Scan(p, n, m.publish, false)
}

// view returns n bytes at addr for reading, with its event.
func (m *Machine) view(g *G, addr, n uint64) ([]byte, status) {
	if n == 0 {
		return nil, done
	}
	o := m.mem.Object(addr)
	if o == nil || addr-o.Base+n > o.Size {
		return nil, m.throwFault(g, addr)
	}
	b := o.Bytes()[addr-o.Base:][:n]
	if o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared {
		if !m.visible(g, event.Read, addr, uint32(n), 0) {
			return nil, yield
		}
		b = unsafe.Slice((*byte)(g.forwarded(addr, n, unsafe.Pointer(&b[0]))), n)
		m.accessed(g, b)
	}
	return b, done
}

// viewText is view for the bytes of a string. They make no event, as those of an index expression do not: gc does not tell the race detector of them either.
func (m *Machine) viewText(g *G, addr, n uint64) ([]byte, status) {
	o := m.mem.Object(addr)
	if n == 0 || o == nil || o.Flags&mem.Unlogged == 0 || addr-o.Base+n > o.Size {
		return m.view(g, addr, n)
	}
	return o.Bytes()[addr-o.Base:][:n], done
}

// load copies bytes at addr to dst, with its event.
func (m *Machine) load(g *G, addr uint64, dst []byte) status {
	b, s := m.view(g, addr, uint64(len(dst)))
	if s == done {
		copy(dst, b)
	}
	return s
}

// store copies src to addr, with its event. src may overlap the destination.
func (m *Machine) store(g *G, addr uint64, src []byte, pm *mem.PtrMap) status {
	n := uint64(len(src))
	if n == 0 {
		return done
	}
	o := m.mem.Object(addr)
	if o == nil || addr-o.Base+n > o.Size || o.Flags&mem.ReadOnly != 0 {
		return m.throwFault(g, addr)
	}
	if o.Flags&mem.Shared != 0 {
		if m.relaxed() && !m.direct && !g.silent() {
			p := m.sharedStore(g, addr, n, unsafe.Pointer(&src[0]), pm)
			if p == nil {
				return yield
			}
			copy(unsafe.Slice((*byte)(p), n), src)
			return done
		}
		if !m.visible(g, event.Write, addr, uint32(n), 0) {
			return yield
		}
		m.accessed(g, src)
		if pm != nil {
			m.publishAt(unsafe.Pointer(&src[0]), n, pm)
		}
	}
	o = m.thawed(o)
	copy(o.Bytes()[addr-o.Base:], src)
	return done
}

// sharedBytes reports whether accesses to an object are visible.
func sharedBytes(o *mem.Object) bool { return o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared }
