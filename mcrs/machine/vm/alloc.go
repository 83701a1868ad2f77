package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file allocates objects.

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
	return m.allocOwn(g, size, ptrs).Base, Done
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
	o := m.allocOwn(g, uint64(len(ss))*16, &mem.PtrMap{Elem: 16, Offs: []uint32{0}})
	m.keep = append(m.keep, o.Base)
	defer func() { m.keep = m.keep[:len(m.keep)-1] }()
	for i, s := range ss {
		p, n, _ := m.NewString(g, s)
		*(*[2]uint64)(unsafe.Add(o.Data(), i*16)) = [2]uint64{p, n}
	}
	return [3]uint64{o.Base, uint64(len(ss)), uint64(len(ss))}
}
