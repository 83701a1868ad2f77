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
//	62      47 46            16 15       0
//	| segment |      slot      |  offset  |
//
// A segment belongs to one goroutine (or to the program: Static, Init), and
// slots count its allocations, so an address does not depend on the schedule. (In Static, slots are
// made of names: see static.go.) An object larger than 64 KiB takes as many consecutive slots as it needs,
// and one more byte, so that a pointer one past the end is still its own. Address 0 is nil; the first 64
// KiB of Static are never allocated.
//
// # Snapshots
//
// Freeze makes everything allocated so far the snapshot. A write to a frozen object copies it first
// (Memory.Thaw), and Reset puts the originals back and drops what was allocated since: it costs
// what the execution touched, not what the program holds.
//
// Slots are kept in pages, and a page in which nothing is alive is given back.
//
// # Collection
//
// Collect frees what is not reached (collect.go). It gives no address out again: else the number of an object would
// depend on when a collection ran, and so on the schedule. What is reused is the block of bytes behind the object and
// its record. Vacate gives an address out again, of an object that a goroutine has kept for itself and that no event
// names (naming/reuse.go).
//
// # Limits
//
// 65,536 segments; 2^31 slots a segment. Bytes alive are counted against a limit by the caller.
package mem

import (
	"slices"
	"unsafe"
)

// An Addr is an address of the machine's memory. 0 is nil.
type Addr = uint64

// The segments that belong to no goroutine of an execution.
const (
	Static = 0                // descriptors, function values, string constants: read-only, made when first needed
	Init   = 1                // package variables, and what package initialisers allocated
	First  = 2                // the first goroutine's
	Text   = segmentCount - 1 // addresses of code; it has no memory
)

// Lowest is the lowest address that an object has.
const Lowest = 1 << offBits

const (
	offBits      = 16
	slotMask     = 1<<(SegmentBits-offBits) - 1
	segmentCount = 1 << 16
)

// SegmentBits is how long an address in a segment is: an address is positive as an int (NUMBER3 of package vm).
const SegmentBits = 47

// SegmentOf is the segment of an address.
func SegmentOf(a Addr) uint64 { return a >> SegmentBits }

// SlotOf is the slot of an address in its segment.
func SlotOf(a Addr) uint64 { return a >> offBits & slotMask }

// Segment is the lowest address of a segment.
func Segment(seg int) Addr { return uint64(seg) << SegmentBits }

// Flags of an object.
type Flags uint16

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
	// Unlogged: reads of it make no event, since nobody writes it once others can reach it: the bytes of a string, a
	// value in an interface, a closure.
	Unlogged
	// Memo: a table of results, of which each goroutine has its own.
	Memo
	// Output: it holds output of a test, of which the program sees nothing. It never becomes Shared.
	Output
	// Met: an event names it, or the host keeps its address. So its address stands for nothing else in this execution.
	Met
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
	Seen  uint32 // number of the last walk that met it, for whoever walks
}

// An Aux is machine state that belongs to an object.
type Aux interface {
	// CloneAux copies the state for an execution that is about to change it.
	CloneAux() Aux
	// Scan calls visit for each word of the state that may be an address. With maybe these are more than the words of
	// pointer types.
	Scan(visit func(Addr), maybe bool)
	// Footprint is the state's size in bytes, about.
	Footprint() int64
}

const (
	pageBits  = 8
	pageSlots = 1 << pageBits
)

// A page is a row of slots; a slot without an object is nil.
type page [pageSlots]*Object

// noPage stands for every page in which nothing is alive.
var noPage = new(page)

// A segment is a table of slots. The first n have been given out.
type segment struct {
	pages []*page
	n     uint64
}

// page returns the page of a slot, made if there is none.
func (m *Memory) page(s *segment, slot uint64) *page {
	i := slot >> pageBits
	for uint64(len(s.pages)) <= i {
		s.pages = append(s.pages, noPage)
	}
	if s.pages[i] == noPage {
		if n := len(m.sparePages); n > 0 {
			s.pages[i] = m.sparePages[n-1]
			m.sparePages = m.sparePages[:n-1]
		} else {
			s.pages[i] = new(page)
		}
	}
	return s.pages[i]
}

// pageBytes is what a page costs.
const pageBytes = pageSlots * 8

// keptPages is how many pages an unused segment keeps for the next execution.
const keptPages = 4

// truncate takes back the slots from n on. They are empty.
func (m *Memory) truncate(s *segment, n uint64) {
	s.n = n
	keep := max(int((n+pageSlots-1)>>pageBits), keptPages)
	if keep >= len(s.pages) {
		return
	}
	for _, p := range s.pages[keep:] {
		m.giveBack(p)
	}
	clear(s.pages[keep:])
	s.pages = s.pages[:keep]
}

// giveBack keeps an empty page for use elsewhere.
func (m *Memory) giveBack(p *page) {
	if p != noPage && len(m.sparePages) < 1<<12 {
		m.sparePages = append(m.sparePages, p)
	}
}

type undo struct {
	addr Addr
	old  *Object
}

// A Memory is the memory of one machine.
type Memory struct {
	statics statics
	segs    []segment // that of Static is empty
	used    []int     // segments of goroutines that are not empty
	undos   []undo
	frozen  uint64 // slots of segment Init at the last Freeze
	free    [numClasses][]unsafe.Pointer
	spare   []*Object
	slab    []uint64
	objs    []Object

	sparePages []*page
	grey       []*Object // marked, and not yet scanned

	Live   int64 // bytes of the objects allocated and not freed, without the snapshot's
	Poison bool  // overwrite what is freed, so that a use of it shows
}

// New returns an empty memory.
func New() *Memory {
	m := &Memory{statics: statics{table: make([]*Object, fewStatics)}}
	m.seg(First)
	return m
}

// seg returns a segment; the pointer is good until the next call.
func (m *Memory) seg(i int) *segment {
	if n := i + 1 - len(m.segs); n > 0 {
		m.segs = append(m.segs, make([]segment, n)...)
	}
	return &m.segs[i]
}

// Object returns the object that addr points into, nil if there is none.
func (m *Memory) Object(addr Addr) *Object {
	s := SegmentOf(addr)
	if s >= uint64(len(m.segs)) {
		return nil
	}
	pages := m.segs[s].pages
	i := addr >> (offBits + pageBits) & (slotMask >> pageBits)
	if i >= uint64(len(pages)) { // as it is for all in Static
		return m.statics.object(addr)
	}
	return pages[i][uint8(addr>>offBits)]
}

// Given reports whether an object has or had the slot of an address.
func (m *Memory) Given(addr Addr) bool {
	s := SegmentOf(addr)
	return s != Static && s < uint64(len(m.segs)) && SlotOf(addr) < m.segs[s].n || m.Object(addr) != nil
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

// Count returns how many slots of a segment have been given out.
func (m *Memory) Count(seg int) uint64 {
	if seg < len(m.segs) {
		return m.segs[seg].n
	}
	return 0
}

// Next returns the address of the next object of a segment.
func (m *Memory) Next(seg int) Addr { return Segment(seg) | m.Count(seg)<<offBits }

// Full reports whether a segment has no room for an object of the given size.
func (m *Memory) Full(seg int, size uint64) bool {
	return seg < len(m.segs) && m.segs[seg].n+size>>offBits >= slotMask
}

// Alloc allocates size zeroed bytes in segment seg.
func (m *Memory) Alloc(seg int, size uint64, ptrs *PtrMap) *Object {
	return m.allocAt(seg, m.Count(seg), size, ptrs)
}

// AllocAt is Alloc in a slot of the caller's choice. All of the segment must be allocated so, each object at the slot
// that is always its own. What is there is dead.
func (m *Memory) AllocAt(seg int, slot, size uint64, ptrs *PtrMap) *Object {
	if n := m.Count(seg); slot < n {
		m.segs[seg].n = slot
		defer func() { m.segs[seg].n = max(n, m.segs[seg].n) }()
	}
	return m.allocAt(seg, slot, size, ptrs)
}

// Slots is how many slots an object of the given size takes.
func Slots(size uint64) uint64 { return 1 + size>>offBits }

func (m *Memory) allocAt(seg int, slot, size uint64, ptrs *PtrMap) *Object {
	if seg >= len(m.segs) {
		m.seg(seg)
	}
	s := &m.segs[seg]
	if s.n == 0 && seg >= First && !slices.Contains(m.used, seg) {
		m.used = append(m.used, seg)
	}
	o := m.newObject(size)
	o.Base = Segment(seg) | slot<<offBits
	o.Ptrs = ptrs
	s.n = slot + Slots(size)
	for ; slot < s.n; slot++ {
		if slot%pageSlots == 0 {
			m.Live += pageBytes
		}
		p := noPage
		if i := slot >> pageBits; i < uint64(len(s.pages)) {
			p = s.pages[i]
		}
		if p == noPage {
			p = m.page(s, slot)
		}
		p[slot%pageSlots] = o
	}
	m.Live += int64(size) + objectOverhead
	return o
}

// Meet notes that an event names the object at addr, or that the host keeps its address.
func (m *Memory) Meet(addr Addr) {
	if SegmentOf(addr) < First {
		return
	}
	if o := m.Object(addr); o != nil {
		o.Flags |= Met
	}
}

// Vacate drops an object that nothing refers to, and leaves its slot to another one (AllocIn).
func (m *Memory) Vacate(o *Object) {
	m.Live -= int64(o.Size) + objectOverhead
	if o.Aux != nil {
		m.Live -= o.Aux.Footprint()
	}
	m.place(o.Base, o.Size, nil)
	m.release(o)
}

// AllocIn allocates size zeroed bytes in a slot that was given out and is empty now. They must fit into one slot.
func (m *Memory) AllocIn(seg int, slot, size uint64, ptrs *PtrMap) *Object {
	o := m.newObject(size)
	o.Base = Segment(seg) | slot<<offBits
	o.Ptrs = ptrs
	m.page(&m.segs[seg], slot)[slot%pageSlots] = o
	m.Live += int64(size) + objectOverhead
	return o
}

// objectOverhead is what an object costs beside its bytes.
const objectOverhead = 64

// Thaw copies a frozen object for this execution and returns the copy.
func (m *Memory) Thaw(o *Object) *Object {
	c := m.newObject(o.Size)
	copy(c.Bytes(), o.Bytes())
	c.Base, c.Ptrs = o.Base, o.Ptrs
	c.Flags = o.Flags &^ Frozen
	if o.Aux != nil {
		c.Aux = o.Aux.CloneAux()
		m.Live += c.Aux.Footprint()
	}
	m.Live += int64(o.Size) + objectOverhead
	m.undos = append(m.undos, undo{o.Base, o})
	m.place(o.Base, o.Size, c)
	return c
}

// Free takes away an object that is not the snapshot's. What points to it points to nothing.
func (m *Memory) Free(base Addr) {
	o := m.Object(base)
	m.Live -= int64(o.Size) + objectOverhead
	m.place(base, o.Size, nil)
	m.release(o)
}

// place puts an object (or nil) into the slots of one of the given size.
func (m *Memory) place(base Addr, size uint64, o *Object) {
	pages := m.segs[SegmentOf(base)].pages
	slot := SlotOf(base)
	for end := slot + size>>offBits; slot <= end; slot++ {
		pages[slot>>pageBits][slot%pageSlots] = o
	}
}

// Freeze makes the objects of segment Init the snapshot, shared between goroutines.
func (m *Memory) Freeze() {
	for _, p := range m.segs[Init].pages {
		for _, o := range p {
			if o != nil {
				o.Flags |= Frozen | Shared
			}
		}
	}
	m.undos = m.undos[:0]
	m.frozen = m.segs[Init].n
	m.Live = 0
}

// Rollback is Reset to the last Freeze for segment Init too: what was allocated there since is dropped.
func (m *Memory) Rollback() {
	m.Reset()
	m.drop(Init, m.frozen)
}

// drop releases the objects of a segment from a slot on. A large object stands in several slots, one after the other.
func (m *Memory) drop(seg int, from uint64) {
	s := &m.segs[seg]
	var last *Object
	for i := from; i < s.n; i++ {
		p := s.pages[i>>pageBits]
		if p == noPage {
			i |= pageSlots - 1
			continue
		}
		if o := p[i%pageSlots]; o != nil && o != last {
			last = o
			m.release(o)
		}
		p[i%pageSlots] = nil
	}
	m.truncate(s, from)
}

// Reset returns to the snapshot.
func (m *Memory) Reset() {
	for i := len(m.undos) - 1; i >= 0; i-- {
		u := m.undos[i]
		cur := m.Object(u.addr)
		m.place(u.addr, u.old.Size, u.old)
		if cur != nil && cur != u.old {
			m.release(cur)
		}
	}
	m.undos = m.undos[:0]
	for _, s := range m.used {
		m.drop(s, 0)
	}
	m.used = m.used[:0]
	m.Live = 0
}

// Changed visits every object that is not as the snapshot has it: those written since, and those allocated since.
func (m *Memory) Changed(visit func(*Object)) {
	for _, u := range m.undos {
		visit(m.Object(u.addr))
	}
	for _, seg := range m.used {
		var last *Object
		for _, p := range m.segs[seg].pages {
			if p == noPage {
				continue
			}
			for _, o := range p {
				if o != nil && o != last {
					last = o
					visit(o)
				}
			}
		}
	}
}
