package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file allocates objects, and keeps which of them a goroutine has for itself, and which of its addresses are free
// again. Rules REUSE1 to REUSE5 (naming/reuse.go) say when they are.

// AllocAux is alloc of an object with state beside its bytes.
func (m *Machine) AllocAux(g *G, size uint64, a mem.Aux) (uint64, Status) {
	n := a.Footprint()
	if m.Mem.Live+int64(size)+n > m.CollectAt && !m.Room(g, int64(size)+n) {
		return 0, Halt
	}
	p, s := m.Alloc(g, size, nil)
	if s == Done {
		m.Mem.Object(p).Aux = a
		m.Mem.Live += n
	}
	return p, s
}

// NewString allocates a string.
func (m *Machine) NewString(g *G, s string) (p, n uint64, st Status) {
	if s == "" {
		return 0, 0, Done
	}
	p, st = m.AllocUnlogged(g, uint64(len(s)), nil)
	if st == Done {
		copy(m.Mem.Object(p).Bytes(), s)
	}
	return p, uint64(len(s)), st
}

// SetString allocates a string and puts it into the register at dst.
func SetString(m *Machine, g *G, fp unsafe.Pointer, dst int32, s string) Status {
	p, n, status := m.NewString(g, s)
	if status == Done {
		St(fp, dst, p)
		St(fp, dst+8, n)
	}
	return status
}

// Alloc allocates an object of goroutine g.
func (m *Machine) Alloc(g *G, size uint64, ptrs *mem.PtrMap) (uint64, Status) {
	if size == 0 {
		return m.zeroBase, Done
	}
	seg := g.Segment
	if g.Outputs > 0 {
		seg = outputSegment(m, g)
	}
	if (m.Mem.Live+int64(size) > m.CollectAt || m.Mem.Full(seg, size)) && !m.Room(g, int64(size)) {
		return 0, Halt
	}
	m.Allocated += int64(size)
	if seg != g.Segment {
		o := m.Mem.Alloc(seg, size, ptrs)
		o.Flags |= mem.Output
		return o.Base, Done
	}
	return allocOwn(m, g, size, ptrs).Base, Done
}

// AllocUnlogged is alloc for what is read without an event.
func (m *Machine) AllocUnlogged(g *G, size uint64, ptrs *mem.PtrMap) (uint64, Status) {
	p, s := m.Alloc(g, size, ptrs)
	if s == Done && size > 0 {
		m.Mem.Object(p).Flags |= mem.Unlogged
	}
	return p, s
}

// StringSlice allocates a []string.
func StringSlice(m *Machine, g *G, ss []string) [3]uint64 {
	o := allocOwn(m, g, uint64(len(ss))*16, &mem.PtrMap{Elem: 16, Offs: []uint32{0}})
	m.keep = append(m.keep, o.Base)
	defer func() { m.keep = m.keep[:len(m.keep)-1] }()
	for i, s := range ss {
		p, n, _ := m.NewString(g, s)
		*(*[2]uint64)(unsafe.Add(o.Data(), i*16)) = [2]uint64{p, n}
	}
	return [3]uint64{o.Base, uint64(len(ss)), uint64(len(ss))}
}

// Own is what a goroutine has allocated for itself.
type Own struct {
	Young   []uint64 // objects that may still be its own, and alive, by address, the oldest first
	Old     int      // how many of them the last look has left
	Vacant  []uint64 // slots that are free again, the lowest last
	Settled bool     // nothing of its own becomes free any more (REUSE3)
	Since   int64    // objects allocated since the last look
	Walked  int64    // words looked at then
}

// MostYoung bounds how many objects are remembered as a goroutine's own. Those beyond it keep their addresses.
const MostYoung = 1 << 10

// wholeSlot is the size from which on an object takes more than one slot.
const wholeSlot = 1 << 16

// reuses reports whether addresses of a goroutine's own may be given out again: not those of `heddle run`, which are
// compared with no others.
func reuses(m *Machine, g *G) bool { return m.Mode == Exploring && !m.Inits && !g.Settled }

// allocOwn allocates an object of a goroutine, in a slot of its own that is free again if there is one.
func allocOwn(m *Machine, g *G, size uint64, ptrs *mem.PtrMap) *mem.Object {
	if !reuses(m, g) || size >= wholeSlot {
		return m.Mem.Alloc(g.Segment, size, ptrs)
	}
	var o *mem.Object
	if n := len(g.Vacant); n > 0 {
		o = m.Mem.AllocIn(g.Segment, g.Vacant[n-1], size, ptrs)
		g.Vacant = g.Vacant[:n-1]
		if m.Flows != nil {
			m.Flows.Anew(o.Base, o.Size)
		}
		if m.Relaxed() {
			g.Anew = append(g.Anew, o.Base)
		}
	} else {
		o = m.Mem.Alloc(g.Segment, size, ptrs)
	}
	if g.Since++; len(g.Young) < MostYoung {
		g.Young = append(g.Young, o.Base)
	}
	return o
}

// known is what keeps an object from being a goroutine's own (REUSE2).
const known = mem.Shared | mem.Met | mem.ReadOnly | mem.Memo | mem.Output

// DropKnown leaves out of the young what is not the goroutine's own any more. It returns how many objects are left that
// the last look has not seen.
func (o *Own) DropKnown(m *Machine) (fresh int) {
	kept, old := o.Young[:0], 0
	for i, a := range o.Young {
		if !IsKnown(m, a) {
			kept = append(kept, a)
			if i < o.Old {
				old++
			}
		}
	}
	o.Young, o.Old = kept, old
	return len(kept) - old
}

// IsKnown reports whether the object at an address is not its goroutine's own any more.
func IsKnown(m *Machine, addr uint64) bool {
	o := m.Mem.Object(addr)
	return o != nil && o.Flags&known != 0
}

// Settle has a goroutine keep all addresses from now on (REUSE3).
func (g *G) Settle() { g.Own = Own{Settled: true} }

// meets notes the objects that an operation names (REUSE2).
func meets(m *Machine, o *event.Op) {
	m.Mem.Meet(o.Loc.Addr)
	for i := range o.Cases {
		m.Mem.Meet(o.Cases[i].Chan)
	}
}
