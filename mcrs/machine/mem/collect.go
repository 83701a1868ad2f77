package mem

import "unsafe"

// This file defines the collector: mark and sweep.
//
// An object that is not the snapshot's is freed if no root reaches it. The snapshot itself is never freed, and need not
// be looked at: it is older than every object of an execution. So it points to none of them but where it has been
// written to since. Then that is a copy (Memory.Thaw), which is a root.
//
// An object is alive if a word may be an address in it: the words of pointer types and unsafe.Pointer, and
// conservatively those of type uintptr, wherever in the object they point. In memory without a pointer map no word is
// one. So a word that is no address can keep an object too long, but none dies too early.
//
// A collection changes nothing that the program, or a trace, can see: no address, no order, no value.

// Mark keeps the object that a points into alive, and all it reaches. It is for roots, in Collect.
func (m *Memory) Mark(a Addr) {
	if SegmentOf(a) < Init { // most words that are no address, and what is static
		return
	}
	o := m.Object(a)
	if o == nil || o.Flags&(Marked|Frozen) != 0 {
		return
	}
	o.Flags |= Marked
	if o.Ptrs != nil || o.Aux != nil {
		m.grey = append(m.grey, o)
	}
}

// Marked reports whether the object at a is known to be alive. It is for roots, in Collect.
func (m *Memory) Marked(a Addr) bool {
	o := m.Object(a)
	return o != nil && (SegmentOf(a) < Init || o.Flags&(Marked|Frozen) != 0)
}

// Scan calls visit for each word of pointer type in size bytes at p, and for each uintptr if maybe is set.
func (pm *PtrMap) Scan(p unsafe.Pointer, size uint64, visit func(Addr), maybe bool) {
	for base := uint64(0); base+pm.Elem <= size; base += pm.Elem {
		for _, off := range pm.Offs {
			visit(*(*uint64)(unsafe.Add(p, base+uint64(off))))
		}
		if !maybe {
			continue
		}
		for _, off := range pm.Maybe {
			visit(*(*uint64)(unsafe.Add(p, base+uint64(off))))
		}
	}
}

// Collect frees what neither roots nor the snapshot reach, and counts Live anew. roots calls Mark for each root. It is
// called again while it reports that it has found some that depend on what is marked. Objects that init reports to be
// swept are those of segment Init since the last Freeze.
func (m *Memory) Collect(roots func() (again bool), init bool) {
	for _, u := range m.undos {
		if o := m.Object(u.addr); o != nil && o.Flags&Marked == 0 {
			o.Flags |= Marked
			m.grey = append(m.grey, o)
		}
	}
	mark := m.Mark
	for again := true; again; {
		again = roots()
		for len(m.grey) > 0 {
			o := m.grey[len(m.grey)-1]
			m.grey = m.grey[:len(m.grey)-1]
			if pm := o.Ptrs; pm != nil {
				for base := uint64(0); base+pm.Elem <= o.Size; base += pm.Elem {
					for _, off := range pm.Offs {
						m.Mark(*(*uint64)(unsafe.Add(o.p, base+uint64(off))))
					}
					for _, off := range pm.Maybe {
						m.Mark(*(*uint64)(unsafe.Add(o.p, base+uint64(off))))
					}
				}
			}
			if o.Aux != nil {
				o.Aux.Scan(mark, true)
			}
		}
	}
	m.Live = 0
	for _, u := range m.undos {
		if o := m.Object(u.addr); o != nil {
			o.Flags &^= Marked
			m.count(o)
		}
	}
	if init {
		m.sweep(Init, m.frozen)
	}
	for _, s := range m.used {
		m.sweep(s, 0)
	}
}

func (m *Memory) count(o *Object) {
	m.Live += int64(o.Size) + objectOverhead
	if o.Aux != nil {
		m.Live += o.Aux.Footprint()
	}
}

// sweep frees the objects of a segment, from a slot on, that are not marked, and gives empty pages back.
func (m *Memory) sweep(seg int, from uint64) {
	s := &m.segs[seg]
	for i := from >> pageBits; i < (s.n+pageSlots-1)>>pageBits; i++ {
		p := s.pages[i]
		if p == noPage {
			continue
		}
		empty := true
		for j, o := range p {
			slot := i<<pageBits + uint64(j)
			switch {
			case o == nil:
			case slot < from:
				empty = false
			case SlotOf(o.Base) != slot: // a large object: its first slot has decided
				empty = false
			case o.Flags&Marked != 0:
				o.Flags &^= Marked
				m.count(o)
				empty = false
			default:
				m.place(o.Base, o.Size, nil)
				m.release(o)
			}
		}
		if empty && i != s.n>>pageBits {
			s.pages[i] = noPage
			m.giveBack(p)
			continue
		}
		m.Live += pageBytes
	}
}
