package objects

import (
	"go/types"
	"sort"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines maps. A map is one object of memory, with its entries kept beside the bytes in the order of
// their insertion, which is also the order of iteration. A key finds its entry through a canonical encoding
// (rtype.AppendKeyAt) for which equality of bytes is Go's ==.

// A MapState is a map, kept beside the bytes of its object.
type MapState struct {
	Type  *vm.MapType
	words map[uint64]int32
	strs  map[string]int32 // also encodings of other keys
	Keys  []byte
	Elems []byte
	Seqs  []uint64 // increasing; 0 marks a deleted entry
	next  uint64
	Live  int
	text  int64 // bytes of the keys of strs
	begun int   // iterations over it that have begun and not come to their end, but for vm.Execution.Ranged
}

// Ranged reports whether somebody may still be ranging over the map (RANGE2).
func (s *MapState) Ranged() bool { return s.begun > 0 }

// mapEntry is what an entry costs beside its key and element.
const mapEntry = 48

// Scan implements mem.Aux.
func (s *MapState) Scan(visit func(uint64), maybe bool) {
	if k := s.Type.Key; k.Ptrs != nil && len(s.Seqs) > 0 {
		k.Ptrs.Scan(unsafe.Pointer(&s.Keys[0]), uint64(len(s.Keys)), visit, maybe)
	}
	if e := s.Type.Elem; e.Ptrs != nil && len(s.Seqs) > 0 {
		e.Ptrs.Scan(unsafe.Pointer(&s.Elems[0]), uint64(len(s.Elems)), visit, maybe)
	}
}

// Footprint implements mem.Aux.
func (s *MapState) Footprint() int64 {
	return int64(cap(s.Keys)+cap(s.Elems)) + s.text + mapEntry*int64(len(s.Seqs))
}

// CloneAux implements mem.Aux.
func (s *MapState) CloneAux() mem.Aux {
	c := *s
	c.Keys = append([]byte(nil), s.Keys...)
	c.Elems = append([]byte(nil), s.Elems...)
	c.Seqs = append([]uint64(nil), s.Seqs...)
	if s.words != nil {
		c.words = make(map[uint64]int32, len(s.words))
		for k, v := range s.words {
			c.words[k] = v
		}
	}
	if s.strs != nil {
		c.strs = make(map[string]int32, len(s.strs))
		for k, v := range s.strs {
			c.strs[k] = v
		}
	}
	return &c
}

// MapHeader is the size of runtime.hmap, the object behind a map.
const MapHeader = 48

// NewMap makes an empty map.
func NewMap(m *vm.Machine, g *vm.G, t *types.Map) (uint64, vm.Status) {
	s := &MapState{Type: m.MapTypeOf(t), next: 1}
	if s.Type.Word {
		s.words = map[uint64]int32{}
	} else {
		s.strs = map[string]int32{}
	}
	return m.AllocAux(g, MapHeader, s)
}

// mapKey returns the index key of the key at p. A key that is not equal to itself has ok false. colon selects
// the message of the runtime for looking up a key that has no hash in an empty map.
func mapKey(m *vm.Machine, g *vm.G, t *vm.MapType, p unsafe.Pointer, colon bool) (w uint64, s string, ok bool, st vm.Status) {
	switch {
	case t.Word:
		vm.ToRegister(t.Key.Class, unsafe.Pointer(&w), p, t.Key.Size)
		return w, "", true, vm.Done
	case t.Str:
		return 0, string(m.Str(*(*uint64)(p), *(*uint64)(unsafe.Add(p, 8)))), true, vm.Done
	}
	b, nan, bad := m.Types.AppendKeyAt(nil, t.Key.Type, p)
	if bad != nil {
		if colon {
			return 0, "", false, goroutine.ThrowPlain(m, g, "hash of unhashable type: "+m.Types.Str(bad))
		}
		return 0, "", false, goroutine.ThrowComputed(m, g, "hash of unhashable type "+m.Types.Str(bad))
	}
	return 0, string(b), !nan, vm.Done
}

func mapEmpty(m *vm.Machine, addr uint64) bool {
	if o := m.Mem.Object(addr); o != nil {
		if s, ok := o.Aux.(*MapState); ok {
			return s.Live == 0
		}
	}
	return true
}

func keyDigest(t *vm.MapType, w uint64, s string) uint64 {
	if t.Word {
		w = w*0x9e3779b97f4a7c15 ^ w>>29
		return w | 1
	}
	return vm.Digest(append([]byte(s), 0xff, 1, 2, 3, 4, 5, 6, 7, 8)) | 1
}

func (s *MapState) find(w uint64, k string) int32 {
	if s.Type.Word {
		if i, ok := s.words[w]; ok {
			return i
		}
		return -1
	}
	if i, ok := s.strs[k]; ok {
		return i
	}
	return -1
}

// Elem returns the place of entry i's element.
func (s *MapState) Elem(i int32) unsafe.Pointer {
	if s.Type.Elem.Size == 0 {
		return unsafe.Pointer(&ZeroBlock)
	}
	return unsafe.Pointer(&s.Elems[uint64(i)*s.Type.Elem.Size])
}

// Key returns where the key of entry i is.
func (s *MapState) Key(i int32) unsafe.Pointer {
	if s.Type.Key.Size == 0 {
		return unsafe.Pointer(&ZeroBlock)
	}
	return unsafe.Pointer(&s.Keys[uint64(i)*s.Type.Key.Size])
}

var ZeroBlock [16]byte

// MapObject returns the object of a map of type t, if t is known. An address that the program made up, or a map of
// another type, is a fault.
func MapObject(m *vm.Machine, addr uint64, t *vm.MapType) *mem.Object {
	if o := m.Mem.Object(addr); o != nil {
		if s, ok := o.Aux.(*MapState); ok && (t == nil || t == s.Type ||
			t.Word == s.Type.Word && t.Str == s.Type.Str && t.Key.Size == s.Type.Key.Size && t.Elem.Size == s.Type.Elem.Size) {
			return o
		}
	}
	panic(rtype.BadAddr{Addr: addr, Size: MapHeader})
}

// MapGet returns the element of the key at p, nil if there is none. The event is logged.
func MapGet(m *vm.Machine, g *vm.G, addr uint64, p unsafe.Pointer, t *vm.MapType) (unsafe.Pointer, vm.Status) {
	w, k, ok, st := mapKey(m, g, t, p, mapEmpty(m, addr))
	if st != vm.Done {
		return nil, st
	}
	if addr == 0 {
		return nil, vm.Done
	}
	o := MapObject(m, addr, t)
	if !MapVisible(m, g, o, event.MapRead, keyDigest(t, w, k)) {
		return nil, vm.Yield
	}
	s := o.Aux.(*MapState)
	var e unsafe.Pointer
	if ok {
		if i := s.find(w, k); i >= 0 {
			e = s.Elem(i)
		}
	}
	if e == nil {
		m.Logged(g, 0, -1)
	} else {
		m.Logged(g, m.Carried(e, t.Elem.Size, t.Elem.Ptrs), 0)
	}
	return e, vm.Done
}

// MapSet stores key and element, given in memory layout.
func MapSet(m *vm.Machine, g *vm.G, addr uint64, key, elem unsafe.Pointer, t *vm.MapType) vm.Status {
	w, k, ok, st := mapKey(m, g, t, key, false)
	if st != vm.Done {
		return st
	}
	if addr == 0 {
		return goroutine.ThrowPlain(m, g, "assignment to entry in nil map")
	}
	o := MapObject(m, addr, t)
	shared := o.Flags&mem.Shared != 0
	if shared && !m.Visible(g, event.MapWrite, addr, 0, keyDigest(t, w, k)) {
		return vm.Yield
	}
	s := thawed(m, o)
	if shared {
		m.Logged(g, m.Carried(elem, t.Elem.Size, t.Elem.Ptrs), int64(m.Carried(key, t.Key.Size, t.Key.Ptrs)))
		m.PublishAt(key, t.Key.Size, t.Key.Ptrs)
		m.PublishAt(elem, t.Elem.Size, t.Elem.Ptrs)
	}
	i := int32(-1)
	if ok {
		i = s.find(w, k)
	}
	if i < 0 {
		if s.next > placeMask {
			m.Limit(g, "limit of 2^31 entries put into one map reached")
			return vm.Halt
		}
		i = int32(len(s.Seqs))
		s.Seqs = append(s.Seqs, s.next)
		s.next++
		s.Live++
		s.Keys = append(s.Keys, unsafe.Slice((*byte)(key), t.Key.Size)...)
		s.Elems = append(s.Elems, unsafe.Slice((*byte)(elem), t.Elem.Size)...)
		m.Mem.Live += int64(t.Key.Size+t.Elem.Size) + mapEntry + int64(len(k))
		if ok {
			if t.Word {
				s.words[w] = i
			} else {
				s.strs[k] = i
				s.text += int64(len(k))
			}
		}
		if m.Mem.Live > m.CollectAt && !m.Room(g, 0) {
			return vm.Halt
		}
		return vm.Done
	}
	copy(unsafe.Slice((*byte)(s.Key(i)), t.Key.Size), unsafe.Slice((*byte)(key), t.Key.Size)) // 0 takes the place of -0
	copy(unsafe.Slice((*byte)(s.Elem(i)), t.Elem.Size), unsafe.Slice((*byte)(elem), t.Elem.Size))
	return vm.Done
}

// MapDelete deletes the entry of a key.
func MapDelete(m *vm.Machine, g *vm.G, addr uint64, key unsafe.Pointer, t *vm.MapType) vm.Status {
	w, k, ok, st := mapKey(m, g, t, key, mapEmpty(m, addr))
	if st != vm.Done || addr == 0 {
		return st
	}
	o := MapObject(m, addr, t)
	if o.Flags&mem.Shared != 0 {
		if !m.Visible(g, event.MapWrite, addr, 0, keyDigest(t, w, k)) {
			return vm.Yield
		}
		m.Logged(g, event.MapDeleted, int64(m.Carried(key, t.Key.Size, t.Key.Ptrs)))
	}
	s := thawed(m, o)
	if !ok {
		return vm.Done
	}
	i := s.find(w, k)
	if i < 0 {
		return vm.Done
	}
	if t.Word {
		delete(s.words, w)
	} else {
		delete(s.strs, k)
		s.text -= int64(len(k))
	}
	s.Seqs[i] = 0
	s.Live--
	clear(unsafe.Slice((*byte)(s.Key(i)), t.Key.Size))
	clear(unsafe.Slice((*byte)(s.Elem(i)), t.Elem.Size))
	if len(s.Seqs) > 32 && s.Live < len(s.Seqs)/4 {
		s.compact()
	}
	return vm.Done
}

// compact drops deleted entries. Iterators hold sequence numbers, so they are not disturbed.
func (s *MapState) compact() {
	to := int32(0)
	moved := make([]int32, len(s.Seqs))
	for i, q := range s.Seqs {
		if q == 0 {
			continue
		}
		moved[i] = to
		if int32(i) != to {
			s.Seqs[to] = q
			copy(unsafe.Slice((*byte)(s.Key(to)), s.Type.Key.Size), unsafe.Slice((*byte)(s.Key(int32(i))), s.Type.Key.Size))
			copy(unsafe.Slice((*byte)(s.Elem(to)), s.Type.Elem.Size), unsafe.Slice((*byte)(s.Elem(int32(i))), s.Type.Elem.Size))
		}
		to++
	}
	for k, i := range s.words {
		s.words[k] = moved[i]
	}
	for k, i := range s.strs {
		s.strs[k] = moved[i]
	}
	s.Seqs = s.Seqs[:to]
	s.Keys = s.Keys[:uint64(to)*s.Type.Key.Size]
	s.Elems = s.Elems[:uint64(to)*s.Type.Elem.Size]
}

// MapClear deletes all entries.
func MapClear(m *vm.Machine, g *vm.G, addr uint64) vm.Status {
	if addr == 0 {
		return vm.Done
	}
	o := MapObject(m, addr, nil)
	if o.Flags&mem.Shared != 0 && !m.Visible(g, event.MapWrite, addr, 0, 0) {
		return vm.Yield
	}
	s := thawed(m, o)
	clear(s.words)
	clear(s.strs)
	s.text = 0
	s.Seqs, s.Keys, s.Elems, s.Live = s.Seqs[:0], s.Keys[:0], s.Elems[:0], 0
	return vm.Done
}

// MapVisible is visible for an operation on a map, which makes no event if nobody else can reach it.
func MapVisible(m *vm.Machine, g *vm.G, o *mem.Object, k event.Kind, key uint64) bool {
	if o.Flags&mem.Shared == 0 {
		m.LastEvent = -1 // of an earlier operation, perhaps of another goroutine
		return true
	}
	return m.Visible(g, k, o.Base, 0, key)
}

// MapLen returns the number of entries.
func MapLen(m *vm.Machine, g *vm.G, addr uint64) (uint64, vm.Status) {
	if addr == 0 {
		return 0, vm.Done
	}
	o := MapObject(m, addr, nil)
	if !MapVisible(m, g, o, event.MapRead, 0) {
		return 0, vm.Yield
	}
	n := uint64(o.Aux.(*MapState).Live)
	m.Logged(g, n, 0)
	return n, vm.Done
}

// A place in an iteration over a map: 0 before its first step, then the number of the entry to go on with, and, above
// that, the number that the next entry had when it began. It is no address of the machine's.
//
//	RANGE1  An iteration meets no entry that has come in since it began. By the language it may or may not meet one;
//	        in gc's tables there is room for few before they are laid out anew, so it always comes to an end.
//	RANGE2  What an iteration has still to meet depends on the numbers of the entries. So these are part of the name
//	        of a map's state while an iteration may be under way, which one that was left by a break is for ever. Else
//	        the order of the entries is, and a loop that puts one in and takes it out comes back to a state. No reply
//	        tells before which number an iteration ends: that is in the name of the whole state besides. The copy of
//	        a reflect.MapIter comes to its end too, so such an iteration counts for ever, unless the standard library
//	        ranges, which copies none.
const (
	placeBegun = 1 << 63
	placeShift = 31
	placeMask  = 1<<placeShift - 1
)

// MapNext returns the next entry of an iteration: its index, -1 at the end, and the place to go on from.
func MapNext(m *vm.Machine, g *vm.G, addr uint64, place uint64) (i int32, next uint64, s *MapState, st vm.Status) {
	if addr == 0 {
		return -1, 0, nil, vm.Done
	}
	o := MapObject(m, addr, nil)
	if !MapVisible(m, g, o, event.MapRead, 0) {
		return 0, 0, nil, vm.Yield
	}
	s = o.Aux.(*MapState)
	from, end := place&placeMask, place&^placeBegun>>placeShift
	if place == 0 {
		from, end = 1, s.next
	}
	at := 0
	if from > 1 {
		at = s.search(from)
	}
	for ; at < len(s.Seqs); at++ {
		if q := s.Seqs[at]; q >= end {
			break // RANGE1
		} else if q != 0 && q >= from {
			if m.LastEvent >= 0 {
				i := int32(at)
				m.Logged(g, vm.HashBytes(vm.HashBytes(0, unsafe.Slice((*byte)(s.Key(i)), s.Type.Key.Size)), unsafe.Slice((*byte)(s.Elem(i)), s.Type.Elem.Size)), 0)
			}
			return int32(at), placeBegun | end<<placeShift | (q + 1), s, vm.Done
		}
	}
	m.Logged(g, 0, -1)
	return -1, 0, s, vm.Done
}

// CountRange counts the iterations over a map that are under way (RANGE2): one has gone on from a place to entry i, or,
// where i is -1, to its end.
func CountRange(m *vm.Machine, g *vm.G, addr, place uint64, i int32) {
	change := 0
	switch {
	case addr == 0:
		return
	case place == 0 && i >= 0:
		change = 1
	case place != 0 && i < 0:
		change = -1
	default:
		return
	}
	o := MapObject(m, addr, nil)
	s := o.Aux.(*MapState)
	if change > 0 && o.Flags&mem.Shared != 0 {
		g.Ranged = vm.HashMix(g.Ranged, s.next)
	}
	if o.Flags&mem.Frozen == 0 {
		s.begun += change
		return
	}
	if m.Ranged == nil {
		m.Ranged = make(map[uint64]int)
	}
	m.Ranged[o.Base] += change
}

// thawed returns the state of a map, to be changed.
func thawed(m *vm.Machine, o *mem.Object) *MapState {
	n := 0
	if o.Flags&mem.Frozen != 0 {
		n = m.Ranged[o.Base]
	}
	s := m.Thawed(o).Aux.(*MapState)
	s.begun += n
	return s
}

// search returns an index at or before the first entry with a number of at least from.
func (s *MapState) search(from uint64) int {
	n := len(s.Seqs)
	i := sort.Search(n, func(i int) bool {
		for j := i; j < n; j++ {
			if q := s.Seqs[j]; q != 0 {
				return q >= from
			}
		}
		return true
	})
	return i
}
