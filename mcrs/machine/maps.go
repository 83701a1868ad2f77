package machine

import (
	"go/types"
	"sort"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
)

// This file defines maps. A map is one object of memory, with its entries kept beside the bytes in the order of
// their insertion, which is also the order of iteration. A key finds its entry through a canonical encoding
// (rtype.AppendKeyAt) for which equality of bytes is Go's ==.

type mapType struct {
	key, elem *layout.Layout
	word      bool // keys are one integer or pointer word
	str       bool // keys are strings
}

type mapState struct {
	t     *mapType
	words map[uint64]int32
	strs  map[string]int32 // also encodings of other keys
	keys  []byte
	elems []byte
	seqs  []uint64 // increasing; 0 marks a deleted entry
	next  uint64
	live  int
	text  int64 // bytes of the keys of strs
}

// mapEntry is what an entry costs beside its key and element.
const mapEntry = 48

// Scan implements mem.Aux.
func (s *mapState) Scan(visit func(uint64), maybe bool) {
	if k := s.t.key; k.Ptrs != nil && len(s.seqs) > 0 {
		k.Ptrs.Scan(unsafe.Pointer(&s.keys[0]), uint64(len(s.keys)), visit, maybe)
	}
	if e := s.t.elem; e.Ptrs != nil && len(s.seqs) > 0 {
		e.Ptrs.Scan(unsafe.Pointer(&s.elems[0]), uint64(len(s.elems)), visit, maybe)
	}
}

// Footprint implements mem.Aux.
func (s *mapState) Footprint() int64 {
	return int64(cap(s.keys)+cap(s.elems)) + s.text + mapEntry*int64(len(s.seqs))
}

func (s *mapState) CloneAux() mem.Aux {
	c := *s
	c.keys = append([]byte(nil), s.keys...)
	c.elems = append([]byte(nil), s.elems...)
	c.seqs = append([]uint64(nil), s.seqs...)
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

// mapHeader is the size of runtime.hmap, the object behind a map.
const mapHeader = 48

func (m *Machine) newMap(g *G, t *types.Map) (uint64, status) {
	s := &mapState{t: m.mapTypeOf(t), next: 1}
	if s.t.word {
		s.words = map[uint64]int32{}
	} else {
		s.strs = map[string]int32{}
	}
	return m.allocAux(g, mapHeader, s)
}

// mapKey returns the index key of the key at p. A key that is not equal to itself has ok false. colon selects
// the message of the runtime for looking up a key that has no hash in an empty map.
func (m *Machine) mapKey(g *G, t *mapType, p unsafe.Pointer, colon bool) (w uint64, s string, ok bool, st status) {
	switch {
	case t.word:
		m.toRegister(t.key.Class, unsafe.Pointer(&w), p, t.key.Size)
		return w, "", true, done
	case t.str:
		return 0, string(m.str(*(*uint64)(p), *(*uint64)(unsafe.Add(p, 8)))), true, done
	}
	b, nan, bad := m.types.AppendKeyAt(nil, t.key.Type, p)
	if bad != nil {
		if colon {
			return 0, "", false, m.throwPlain(g, "hash of unhashable type: "+m.types.Str(bad))
		}
		return 0, "", false, m.throwComputed(g, "hash of unhashable type "+m.types.Str(bad))
	}
	return 0, string(b), !nan, done
}

func (m *heap) mapEmpty(addr uint64) bool {
	if o := m.mem.Object(addr); o != nil {
		if s, ok := o.Aux.(*mapState); ok {
			return s.live == 0
		}
	}
	return true
}

func digest(b []byte) uint64 {
	if len(b) <= 8 {
		var w uint64
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 8), b)
		return w
	}
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func keyDigest(t *mapType, w uint64, s string) uint64 {
	if t.word {
		w = w*0x9e3779b97f4a7c15 ^ w>>29
		return w | 1
	}
	return digest(append([]byte(s), 0xff, 1, 2, 3, 4, 5, 6, 7, 8)) | 1
}

func (s *mapState) find(w uint64, k string) int32 {
	if s.t.word {
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

// elem returns the place of entry i's element.
func (s *mapState) elem(i int32) unsafe.Pointer {
	if s.t.elem.Size == 0 {
		return unsafe.Pointer(&zeroBlock)
	}
	return unsafe.Pointer(&s.elems[uint64(i)*s.t.elem.Size])
}

func (s *mapState) key(i int32) unsafe.Pointer {
	if s.t.key.Size == 0 {
		return unsafe.Pointer(&zeroBlock)
	}
	return unsafe.Pointer(&s.keys[uint64(i)*s.t.key.Size])
}

var zeroBlock [16]byte

// mapObject returns the object of a map of type t, if t is known. An address that the program made up, or a map of another type, is a fault.
func (m *heap) mapObject(addr uint64, t *mapType) *mem.Object {
	if o := m.mem.Object(addr); o != nil {
		if s, ok := o.Aux.(*mapState); ok && (t == nil || t == s.t ||
			t.word == s.t.word && t.str == s.t.str && t.key.Size == s.t.key.Size && t.elem.Size == s.t.elem.Size) {
			return o
		}
	}
	panic(rtype.BadAddr{Addr: addr, Size: mapHeader})
}

// mapGet returns the element of the key at p, nil if there is none. The event is logged.
func (m *Machine) mapGet(g *G, addr uint64, p unsafe.Pointer, t *mapType) (unsafe.Pointer, status) {
	w, k, ok, st := m.mapKey(g, t, p, m.mapEmpty(addr))
	if st != done {
		return nil, st
	}
	if addr == 0 {
		return nil, done
	}
	o := m.mapObject(addr, t)
	if !m.mapVisible(g, o, event.MapRead, keyDigest(t, w, k)) {
		return nil, yield
	}
	s := o.Aux.(*mapState)
	var e unsafe.Pointer
	if ok {
		if i := s.find(w, k); i >= 0 {
			e = s.elem(i)
		}
	}
	if e == nil {
		m.logged(g, 0, -1)
	} else {
		m.logged(g, m.carried(e, t.elem.Size, t.elem.Ptrs), 0)
	}
	return e, done
}

// mapSet stores key and element, given in memory layout.
func (m *Machine) mapSet(g *G, addr uint64, key, elem unsafe.Pointer, t *mapType) status {
	w, k, ok, st := m.mapKey(g, t, key, false)
	if st != done {
		return st
	}
	if addr == 0 {
		return m.throwPlain(g, "assignment to entry in nil map")
	}
	o := m.mapObject(addr, t)
	shared := o.Flags&mem.Shared != 0
	if shared && !m.visible(g, event.MapWrite, addr, 0, keyDigest(t, w, k)) {
		return yield
	}
	o = m.thawed(o)
	s := o.Aux.(*mapState)
	if shared {
		m.logged(g, m.carried(elem, t.elem.Size, t.elem.Ptrs), 0)
		m.publishAt(key, t.key.Size, t.key.Ptrs)
		m.publishAt(elem, t.elem.Size, t.elem.Ptrs)
	}
	i := int32(-1)
	if ok {
		i = s.find(w, k)
	}
	if i < 0 {
		i = int32(len(s.seqs))
		s.seqs = append(s.seqs, s.next)
		s.next++
		s.live++
		s.keys = append(s.keys, unsafe.Slice((*byte)(key), t.key.Size)...)
		s.elems = append(s.elems, unsafe.Slice((*byte)(elem), t.elem.Size)...)
		m.mem.Live += int64(t.key.Size+t.elem.Size) + mapEntry + int64(len(k))
		if ok {
			if t.word {
				s.words[w] = i
			} else {
				s.strs[k] = i
				s.text += int64(len(k))
			}
		}
		if m.mem.Live > m.collectAt && !m.room(g, 0) {
			return halt
		}
		return done
	}
	copy(unsafe.Slice((*byte)(s.key(i)), t.key.Size), unsafe.Slice((*byte)(key), t.key.Size)) // 0 takes the place of -0
	copy(unsafe.Slice((*byte)(s.elem(i)), t.elem.Size), unsafe.Slice((*byte)(elem), t.elem.Size))
	return done
}

// thawed returns o in a state that may be changed.
func (m *heap) thawed(o *mem.Object) *mem.Object {
	if o.Flags&mem.Frozen != 0 {
		return m.mem.Thaw(o)
	}
	return o
}

func (m *Machine) mapDelete(g *G, addr uint64, key unsafe.Pointer, t *mapType) status {
	w, k, ok, st := m.mapKey(g, t, key, m.mapEmpty(addr))
	if st != done || addr == 0 {
		return st
	}
	o := m.mapObject(addr, t)
	if o.Flags&mem.Shared != 0 && !m.visible(g, event.MapWrite, addr, 0, keyDigest(t, w, k)) {
		return yield
	}
	s := m.thawed(o).Aux.(*mapState)
	if !ok {
		return done
	}
	i := s.find(w, k)
	if i < 0 {
		return done
	}
	if t.word {
		delete(s.words, w)
	} else {
		delete(s.strs, k)
		s.text -= int64(len(k))
	}
	s.seqs[i] = 0
	s.live--
	clear(unsafe.Slice((*byte)(s.key(i)), t.key.Size))
	clear(unsafe.Slice((*byte)(s.elem(i)), t.elem.Size))
	if len(s.seqs) > 32 && s.live < len(s.seqs)/4 {
		s.compact()
	}
	return done
}

// compact drops deleted entries. Iterators hold sequence numbers, so they are not disturbed.
func (s *mapState) compact() {
	to := int32(0)
	moved := make([]int32, len(s.seqs))
	for i, q := range s.seqs {
		if q == 0 {
			continue
		}
		moved[i] = to
		if int32(i) != to {
			s.seqs[to] = q
			copy(unsafe.Slice((*byte)(s.key(to)), s.t.key.Size), unsafe.Slice((*byte)(s.key(int32(i))), s.t.key.Size))
			copy(unsafe.Slice((*byte)(s.elem(to)), s.t.elem.Size), unsafe.Slice((*byte)(s.elem(int32(i))), s.t.elem.Size))
		}
		to++
	}
	for k, i := range s.words {
		s.words[k] = moved[i]
	}
	for k, i := range s.strs {
		s.strs[k] = moved[i]
	}
	s.seqs = s.seqs[:to]
	s.keys = s.keys[:uint64(to)*s.t.key.Size]
	s.elems = s.elems[:uint64(to)*s.t.elem.Size]
}

func (m *Machine) mapClear(g *G, addr uint64) status {
	if addr == 0 {
		return done
	}
	o := m.mapObject(addr, nil)
	if o.Flags&mem.Shared != 0 && !m.visible(g, event.MapWrite, addr, 0, 0) {
		return yield
	}
	s := m.thawed(o).Aux.(*mapState)
	clear(s.words)
	clear(s.strs)
	s.text = 0
	s.seqs, s.keys, s.elems, s.live = s.seqs[:0], s.keys[:0], s.elems[:0], 0
	return done
}

// mapVisible is visible for an operation on a map, which makes no event if nobody else can reach it.
func (m *Machine) mapVisible(g *G, o *mem.Object, k event.Kind, key uint64) bool {
	if o.Flags&mem.Shared == 0 {
		m.lastEvent = -1 // of an earlier operation, perhaps of another goroutine
		return true
	}
	return m.visible(g, k, o.Base, 0, key)
}

func (m *Machine) mapLen(g *G, addr uint64) (uint64, status) {
	if addr == 0 {
		return 0, done
	}
	o := m.mapObject(addr, nil)
	if !m.mapVisible(g, o, event.MapRead, 0) {
		return 0, yield
	}
	n := uint64(o.Aux.(*mapState).live)
	m.logged(g, n, 0)
	return n, done
}

// mapNext returns the first entry with a sequence number of at least from: its
// index and the number to go on with; -1 at the end.
func (m *Machine) mapNext(g *G, addr uint64, from uint64) (i int32, next uint64, s *mapState, st status) {
	if addr == 0 {
		return -1, 0, nil, done
	}
	o := m.mapObject(addr, nil)
	if !m.mapVisible(g, o, event.MapRead, 0) {
		return 0, 0, nil, yield
	}
	s = o.Aux.(*mapState)
	at := 0
	if from > 1 {
		at = s.search(from)
	}
	for ; at < len(s.seqs); at++ {
		if q := s.seqs[at]; q != 0 && q >= from {
			if m.lastEvent >= 0 {
				i := int32(at)
				m.logged(g, hashBytes(hashBytes(0, unsafe.Slice((*byte)(s.key(i)), s.t.key.Size)), unsafe.Slice((*byte)(s.elem(i)), s.t.elem.Size)), 0)
			}
			return int32(at), q + 1, s, done
		}
	}
	m.logged(g, 0, -1)
	return -1, 0, s, done
}

// search returns an index at or before the first entry with a number of at least from.
func (s *mapState) search(from uint64) int {
	n := len(s.seqs)
	i := sort.Search(n, func(i int) bool {
		for j := i; j < n; j++ {
			if q := s.seqs[j]; q != 0 {
				return q >= from
			}
		}
		return true
	})
	return i
}
