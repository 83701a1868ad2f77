// Package mem is the machine's memory: flat, synthetic, and the same in every
// schedule.
//
// # Background
//
// Go programs look at memory through unsafe, reflect and string and slice
// headers, so memory is bytes in the compiler's real layout and a pointer is a
// number. Miri (Rust) keeps provenance beside the bytes; here the number says
// it all: segment, slot and offset.
//
//	63      48 47            16 15       0
//	| segment |      slot      |  offset  |
//
// A segment belongs to one goroutine (or to the program: Static, Init), and
// slots count its allocations, so an address does not depend on the schedule. An object larger than 64
// KiB takes as many consecutive slots as it needs, and one more byte, so that a pointer one past the end
// is still its own. Address 0 is nil; the first 64 KiB of Static are never allocated.
//
// # Snapshots
//
// Freeze makes everything allocated so far the snapshot. A write to a frozen object copies it first
// (Memory.Thaw), and Reset puts the originals back and drops what was allocated since: it costs
// what the execution touched, not what the program holds.
//
// # Limits
//
// 65,536 segments; 2^32 slots a segment. Bytes alive are counted against a limit by the caller.
package mem

import (
	"unsafe"
)

// An Addr is an address of the machine's memory. 0 is nil.
type Addr = uint64

// The segments that belong to no goroutine of an execution.
const (
	Static = 0 // descriptors, function values, string constants: read-only, made when first needed
	Init   = 1 // package variables, and what package initialisers allocated
	First  = 2 // the first goroutine's
)

const (
	offBits  = 16
	segShift = 48
	slotMask = 1<<32 - 1
)

// Flags of an object.
type Flags uint8

const (
	// Shared: a goroutine other than the allocating one may reach it.
	Shared Flags = 1 << iota
	// ReadOnly: it is never written; a write is a fault.
	ReadOnly
	// Frozen: it belongs to the snapshot and is copied before it is written.
	Frozen
	// StdVar: a package variable of the standard library.
	StdVar
	// Marked is the collector's.
	Marked
)

// A PtrMap says where an element of an object holds pointers. Elements repeat
// to the end of the object.
type PtrMap struct {
	Elem  uint64   // bytes an element
	Offs  []uint32 // byte offsets of words that hold addresses (pointers, and unsafe.Pointer)
	Maybe []uint32 // byte offsets of uintptr words, which only the collector looks at
}

// An Object is one allocation.
type Object struct {
	p     unsafe.Pointer
	Size  uint64
	Base  Addr
	Ptrs  *PtrMap // nil if it holds no pointers
	Aux   Aux     // what the machine keeps beside the bytes (a channel's queue, a map); nil for most
	Flags Flags
	class uint8
}

// An Aux is machine state that belongs to an object.
type Aux interface {
	// CloneAux copies the state for an execution that is about to change it.
	CloneAux() Aux
}

type segment struct {
	slots []*Object
}

type undo struct {
	addr Addr
	old  *Object
}

// A Memory is the memory of one machine.
type Memory struct {
	segs   []*segment
	undos  []undo
	frozen int // slots of segment Init at the last Freeze
	free   [numClasses][]unsafe.Pointer
	spare  []*Object
	slab   []uint64
	Live   int64 // bytes of the objects allocated and not freed, without the snapshot's
	Allocs int64 // objects allocated since Reset
}

// New returns an empty memory.
func New() *Memory {
	m := &Memory{}
	m.seg(First)
	m.segs[Static].slots = append(m.segs[Static].slots, nil)
	return m
}

func (m *Memory) seg(i int) *segment {
	for len(m.segs) <= i {
		m.segs = append(m.segs, &segment{})
	}
	return m.segs[i]
}

// Object returns the object that addr points into, nil if there is none.
func (m *Memory) Object(addr Addr) *Object {
	s := addr >> segShift
	if s >= uint64(len(m.segs)) {
		return nil
	}
	slots := m.segs[s].slots
	i := addr >> offBits & slotMask
	if i >= uint64(len(slots)) {
		return nil
	}
	return slots[i]
}

// At returns a pointer to n bytes at addr, or nil if they are not all in one
// object. It is for reading; see Writable.
func (m *Memory) At(addr Addr, n uint64) unsafe.Pointer {
	o := m.Object(addr)
	if o == nil {
		return nil
	}
	off := addr - o.Base
	if off > o.Size || n > o.Size-off {
		return nil
	}
	return unsafe.Add(o.p, off)
}

// Writable returns the object that addr points into in a state that may be written, and
// a pointer to n bytes at addr; nil if they are not all in one object, or it is read-only.
func (m *Memory) Writable(addr Addr, n uint64) (*Object, unsafe.Pointer) {
	o := m.Object(addr)
	if o == nil {
		return nil, nil
	}
	off := addr - o.Base
	if off > o.Size || n > o.Size-off {
		return nil, nil
	}
	if o.Flags&(Frozen|ReadOnly) != 0 {
		if o.Flags&ReadOnly != 0 {
			return nil, nil
		}
		o = m.Thaw(o)
	}
	return o, unsafe.Add(o.p, off)
}

// Data returns a pointer to the object's first byte. It is not nil, also for size 0.
func (o *Object) Data() unsafe.Pointer { return o.p }

// Bytes returns the object's bytes in place.
func (o *Object) Bytes() []byte { return unsafe.Slice((*byte)(o.p), o.Size) }

// Bytes returns n bytes at addr in place, for reading; nil, false if they are not all in one object.
func (m *Memory) Bytes(addr Addr, n uint64) ([]byte, bool) {
	if n == 0 {
		return nil, true
	}
	p := m.At(addr, n)
	if p == nil {
		return nil, false
	}
	return unsafe.Slice((*byte)(p), n), true
}

// WritableBytes is Bytes for writing.
func (m *Memory) WritableBytes(addr Addr, n uint64) ([]byte, bool) {
	if n == 0 {
		return nil, true
	}
	_, p := m.Writable(addr, n)
	if p == nil {
		return nil, false
	}
	return unsafe.Slice((*byte)(p), n), true
}

// Alloc allocates size zeroed bytes in segment seg.
func (m *Memory) Alloc(seg int, size uint64, ptrs *PtrMap) *Object {
	s := m.seg(seg)
	slot := uint64(len(s.slots))
	o := m.newObject(size)
	o.Base = uint64(seg)<<segShift | slot<<offBits
	o.Ptrs = ptrs
	s.slots = append(s.slots, o)
	for n := size >> offBits; n > 0; n-- {
		s.slots = append(s.slots, o)
	}
	m.Live += int64(size) + objectOverhead
	m.Allocs++
	return o
}

// objectOverhead is what an object costs beside its bytes.
const objectOverhead = 64

// AllocStatic allocates a read-only object with the given bytes.
func (m *Memory) AllocStatic(data []byte, ptrs *PtrMap) Addr {
	live, allocs := m.Live, m.Allocs
	o := m.Alloc(Static, uint64(len(data)), ptrs)
	m.Live, m.Allocs = live, allocs
	copy(o.Bytes(), data)
	o.Flags = ReadOnly | Shared
	return o.Base
}

// Thaw copies a frozen object for this execution and returns the copy.
func (m *Memory) Thaw(o *Object) *Object {
	c := m.newObject(o.Size)
	copy(c.Bytes(), o.Bytes())
	c.Base, c.Ptrs = o.Base, o.Ptrs
	c.Flags = o.Flags &^ Frozen
	if o.Aux != nil {
		c.Aux = o.Aux.CloneAux()
	}
	m.undos = append(m.undos, undo{o.Base, o})
	m.place(o.Base, c)
	return c
}

func (m *Memory) place(base Addr, o *Object) {
	s := m.segs[base>>segShift]
	slot := base >> offBits & slotMask
	for n := o.Size >> offBits; ; n-- {
		s.slots[slot+n] = o
		if n == 0 {
			return
		}
	}
}

// Freeze makes the objects of segment Init the snapshot, shared between goroutines.
func (m *Memory) Freeze() {
	for _, o := range m.segs[Init].slots {
		if o != nil {
			o.Flags |= Frozen | Shared
		}
	}
	m.undos = m.undos[:0]
	m.frozen = len(m.segs[Init].slots)
	m.Live, m.Allocs = 0, 0
}

// Rollback is Reset to the last Freeze for segment Init too: what was allocated there since is dropped.
func (m *Memory) Rollback() {
	m.Reset()
	m.drop(m.segs[Init], m.frozen)
}

// drop releases the objects of s from a slot on. A large object stands in several slots, one after the other.
func (m *Memory) drop(s *segment, from int) {
	var last *Object
	for i := from; i < len(s.slots); i++ {
		if o := s.slots[i]; o != nil && o != last {
			last = o
			m.release(o)
		}
		s.slots[i] = nil
	}
	s.slots = s.slots[:from]
}

// Reset returns to the snapshot.
func (m *Memory) Reset() {
	for i := len(m.undos) - 1; i >= 0; i-- {
		u := m.undos[i]
		cur := m.Object(u.addr)
		m.place(u.addr, u.old)
		if cur != nil && cur != u.old {
			m.release(cur)
		}
	}
	m.undos = m.undos[:0]
	for _, s := range m.segs[First:] {
		m.drop(s, 0)
	}
	m.Live, m.Allocs = 0, 0
}

// Changed visits every object that is not as the snapshot has it: those written since, and those allocated since.
func (m *Memory) Changed(visit func(*Object)) {
	for _, u := range m.undos {
		visit(m.Object(u.addr))
	}
	for _, s := range m.segs[First:] {
		var last *Object
		for _, o := range s.slots {
			if o != nil && o != last {
				last = o
				visit(o)
			}
		}
	}
}
