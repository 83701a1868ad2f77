package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines accesses to memory: those that others can see are events.

// read returns a pointer to n bytes at addr, nil if the access must wait or is a fault.
func (m *Machine) read(g *G, fr *frame, pc int32, addr, n uint64) unsafe.Pointer {
	o := m.mem.Object(addr)
	if o == nil {
		m.faultAddr = addr
		return nil
	}
	off := addr - o.Base
	if off > o.Size || n > o.Size-off {
		m.faultAddr = addr
		return nil
	}
	p := unsafe.Add(o.Data(), off)
	if o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared && !m.direct {
		if m.hears(fr.f, pc-1, addr) {
			return m.sharedRead(g, fr, pc, addr, n, p)
		}
		if m.relaxed() && !m.drainedAt(g, fr, pc) {
			return nil
		}
	}
	return p
}

// accessKind is the kind of a plain access of f's. The packages of the primitives synchronise; their own accesses, as that of a Cond that
// checks whether it was copied, race with nothing. Go's race detector leaves them out (NoRaceFunc of cmd/internal/objabi).
func (f *Func) accessKind(plain event.Kind) event.Kind {
	switch {
	case !f.sync:
		return plain
	case plain == event.Write:
		return event.AtomicStore
	}
	return event.AtomicLoad
}

func (m *Machine) sharedRead(g *G, fr *frame, pc int32, addr, n uint64, p unsafe.Pointer) unsafe.Pointer {
	fr.pc = pc - 1
	g.cursor = 0
	if n > 0 && !m.heard(g, fr.f, event.Read, addr, uint32(n)) {
		return nil
	}
	g.stage = 0
	p = g.forwarded(addr, n, p)
	m.accessed(g, unsafe.Slice((*byte)(p), n))
	return p
}

// write returns a pointer to n bytes at addr that are about to become those
// at src, nil if the access must wait or is a fault.
func (m *Machine) write(g *G, fr *frame, pc int32, addr, n uint64, src unsafe.Pointer, ptrs *mem.PtrMap) unsafe.Pointer {
	o := m.mem.Object(addr)
	if o == nil {
		m.faultAddr = addr
		return nil
	}
	off := addr - o.Base
	if off > o.Size || n > o.Size-off {
		m.faultAddr = addr
		return nil
	}
	if o.Flags&(mem.Shared|mem.ReadOnly|mem.Frozen) == 0 {
		return unsafe.Add(o.Data(), off)
	}
	if o.Flags&mem.ReadOnly != 0 {
		if n == 0 {
			return unsafe.Add(o.Data(), off)
		}
		m.faultAddr = addr
		return nil
	}
	if o.Flags&mem.Shared != 0 {
		if !m.direct && m.hears(fr.f, pc-1, addr) {
			fr.pc = pc - 1
			g.cursor = 0
			if n > 0 && m.relaxed() && !fr.f.sync {
				p := m.sharedStore(g, addr, n, src, ptrs)
				if p != nil {
					g.stage = 0
				}
				return p
			}
			if n > 0 && !m.heard(g, fr.f, event.Write, addr, uint32(n)) {
				return nil
			}
			g.stage = 0
			m.accessed(g, unsafe.Slice((*byte)(src), n))
		} else {
			if m.relaxed() && !m.drainedAt(g, fr, pc) {
				return nil
			}
			g.secret = true
		}
		m.publishAt(src, n, ptrs)
	}
	if o.Flags&mem.Frozen != 0 {
		o = m.mem.Thaw(o)
	}
	return unsafe.Add(o.Data(), off)
}
