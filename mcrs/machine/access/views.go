package access

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines accesses of intrinsics to a run of bytes.
//
//	KEPT1  An instruction that makes several visible operations goes on with what the first ones have read when it
//	       was their turn, whatever stands there by now.

// View returns n bytes at addr for reading, with its event.
func View(m *vm.Machine, g *vm.G, addr, n uint64) ([]byte, vm.Status) {
	return view(m, g, addr, n, event.ByKind)
}

// ViewUnseen is View where Go's race detector sees nothing: package internal/runtime/maps, a comparison of memory.
func ViewUnseen(m *vm.Machine, g *vm.G, addr, n uint64) ([]byte, vm.Status) {
	return view(m, g, addr, n, event.Nothing)
}

func view(m *vm.Machine, g *vm.G, addr, n uint64, order event.Order) ([]byte, vm.Status) {
	if n == 0 {
		return nil, vm.Done
	}
	o := m.Mem.Object(addr)
	if o == nil || addr-o.Base+n > o.Size {
		return nil, goroutine.ThrowFault(m, g, addr)
	}
	b := o.Bytes()[addr-o.Base:][:n]
	if o.Flags&(mem.Shared|mem.ReadOnly) == mem.Shared {
		met, performed := g.Cursor, g.Stage
		if !m.VisibleOp(g, event.Op{Kind: event.Read, Loc: event.Location{Addr: addr, Size: uint32(n)}, Order: order}) {
			return nil, vm.Yield
		}
		if met < performed && g.Cursor > met { // KEPT1
			return g.KeptOf(g.Cursor), vm.Done
		}
		b = unsafe.Slice((*byte)(Forwarded(g, addr, n, unsafe.Pointer(&b[0]))), n)
		m.Accessed(g, b)
		if g.Cursor > met {
			g.Keep(addr, b)
		}
	}
	return b, vm.Done
}

// ViewText is view for the bytes of a string. They make no event, as those of an index expression do not: gc does not
// tell the race detector of them either.
func ViewText(m *vm.Machine, g *vm.G, addr, n uint64) ([]byte, vm.Status) {
	o := m.Mem.Object(addr)
	if n == 0 || o == nil || o.Flags&mem.Unlogged == 0 || addr-o.Base+n > o.Size {
		return View(m, g, addr, n)
	}
	return o.Bytes()[addr-o.Base:][:n], vm.Done
}

// Load copies bytes at addr to dst, with its event.
func Load(m *vm.Machine, g *vm.G, addr uint64, dst []byte) vm.Status {
	b, s := View(m, g, addr, uint64(len(dst)))
	if s == vm.Done {
		copy(dst, b)
	}
	return s
}

// Store copies src to addr, with its event. src may overlap the destination.
func Store(m *vm.Machine, g *vm.G, addr uint64, src []byte, pm *mem.PtrMap) vm.Status {
	return store(m, g, addr, src, pm, event.ByKind)
}

// StoreUnseen is Store where Go's race detector sees nothing: what a system call writes, an iterator over a map.
func StoreUnseen(m *vm.Machine, g *vm.G, addr uint64, src []byte) vm.Status {
	return store(m, g, addr, src, nil, event.Nothing)
}

func store(m *vm.Machine, g *vm.G, addr uint64, src []byte, pm *mem.PtrMap, order event.Order) vm.Status {
	n := uint64(len(src))
	if n == 0 {
		return vm.Done
	}
	o := m.Mem.Object(addr)
	if o == nil || addr-o.Base+n > o.Size || o.Flags&mem.ReadOnly != 0 {
		return goroutine.ThrowFault(m, g, addr)
	}
	if o.Flags&mem.Shared != 0 {
		if m.Relaxed() && !m.Direct && !g.Silent() {
			p := sharedStore(m, g, addr, n, unsafe.Pointer(&src[0]), pm)
			if p == nil {
				return vm.Yield
			}
			copy(unsafe.Slice((*byte)(p), n), src)
			return vm.Done
		}
		if !m.VisibleOp(g, event.Op{Kind: event.Write, Loc: event.Location{Addr: addr, Size: uint32(n)}, Order: order}) {
			return vm.Yield
		}
		m.Accessed(g, src)
		if pm != nil {
			m.PublishAt(unsafe.Pointer(&src[0]), n, pm)
		}
	}
	o = m.Thawed(o)
	copy(o.Bytes()[addr-o.Base:], src)
	return vm.Done
}
