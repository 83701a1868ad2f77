// Package access reads and writes memory as the program does: an access that others can see is a visible operation, and
// a plain write goes through the goroutine's store buffer where memory is relaxed.
//
//   - Loads and stores of instructions: access.go
//   - Runs of bytes, for intrinsics: views.go
//   - Store buffers: buffers.go
//   - Accesses of silent packages that are events all the same: loud.go
package access

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines accesses to memory: those that others can see are events.

// Read returns a pointer to n bytes at addr, nil if the access must wait or is a fault.
func Read(m *vm.Machine, g *vm.G, fr *vm.Frame, pc int32, addr, n uint64) unsafe.Pointer {
	o := m.Mem.Object(addr)
	if o == nil {
		m.FaultAddr = addr
		return nil
	}
	off := addr - o.Base
	if off > o.Size || n > o.Size-off {
		m.FaultAddr = addr
		return nil
	}
	p := unsafe.Add(o.Data(), off)
	if o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared && !m.Direct {
		if hears(m, fr.Func, pc-1, addr) {
			return sharedRead(m, g, fr, pc, addr, n, p)
		}
		if m.Relaxed() && !drainedAt(m, g, fr, pc) {
			return nil
		}
	}
	return p
}

// accessKind is the kind of a plain access of f's. The packages of the primitives synchronise; their own accesses, as
// that of a Cond that checks whether it was copied, race with nothing. Go's race detector leaves them out (NoRaceFunc
// of cmd/internal/objabi).
func accessKind(f *vm.Func, plain event.Kind) event.Kind {
	switch {
	case !f.Sync:
		return plain
	case plain == event.Write:
		return event.AtomicStore
	}
	return event.AtomicLoad
}

func sharedRead(m *vm.Machine, g *vm.G, fr *vm.Frame, pc int32, addr, n uint64, p unsafe.Pointer) unsafe.Pointer {
	fr.PC = pc - 1
	g.Cursor = 0
	if n > 0 && !heard(m, g, fr.Func, event.Read, addr, uint32(n)) {
		return nil
	}
	g.Stage = 0
	if p = Forwarded(g, addr, n, p); n > 0 {
		p = vm.Loaded(m, g, p)
	}
	m.Accessed(g, unsafe.Slice((*byte)(p), n))
	return p
}

// Write returns a pointer to n bytes at addr that are about to become those at src, nil if the access must wait or is a
// fault. It finds the object as Read does. The few lines stand twice: a function of them is too large to be inlined,
// and every access of a program comes here.
func Write(m *vm.Machine, g *vm.G, fr *vm.Frame, pc int32, addr, n uint64, src unsafe.Pointer, ptrs *mem.PtrMap) unsafe.Pointer {
	o := m.Mem.Object(addr)
	if o == nil {
		m.FaultAddr = addr
		return nil
	}
	off := addr - o.Base
	if off > o.Size || n > o.Size-off {
		m.FaultAddr = addr
		return nil
	}
	if o.Flags&(mem.Shared|mem.ReadOnly|mem.Frozen) == 0 {
		return unsafe.Add(o.Data(), off)
	}
	if o.Flags&mem.ReadOnly != 0 {
		if n == 0 {
			return unsafe.Add(o.Data(), off)
		}
		m.FaultAddr = addr
		return nil
	}
	if o.Flags&mem.Shared != 0 {
		if !m.Direct && hears(m, fr.Func, pc-1, addr) {
			fr.PC = pc - 1
			g.Cursor = 0
			if n > 0 && m.Relaxed() && !fr.Func.Sync {
				p := sharedStore(m, g, addr, n, src, ptrs)
				if p != nil {
					g.Stage = 0
				}
				return p
			}
			if n > 0 && !heard(m, g, fr.Func, event.Write, addr, uint32(n)) {
				return nil
			}
			g.Stage = 0
			m.Accessed(g, unsafe.Slice((*byte)(src), n))
		} else {
			if m.Relaxed() && !drainedAt(m, g, fr, pc) {
				return nil
			}
			g.Secret = true
		}
		m.PublishAt(src, n, ptrs)
	}
	if o.Flags&mem.Frozen != 0 {
		o = m.Mem.Thaw(o)
	}
	return unsafe.Add(o.Data(), off)
}
