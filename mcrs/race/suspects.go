package race

import (
	"cmp"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file finds the accesses that can race at all, before any clock is followed. Most memory is touched by one
// thread, or never written.

// A place is what an access touches.
type place struct {
	lo, hi uint64
	event  int32
}

// A span is a range of bytes, or a map, that accesses which overlap make up, one by one.
type span struct {
	lo, hi       uint64
	thread       int32 // who touched it first
	many, writes bool  // several threads did, and one of them wrote
	to           int32 // its accesses are those of places up to here
}

func (x *span) shared() bool { return x.many && x.writes }

// suspects marks the accesses to what several threads touch and one of them writes, and the operations of package sync
// on the same bytes. It reports whether there are any.
func (s *search) suspects() bool {
	if !s.collect() {
		return false
	}
	s.group()
	s.operations(func(x *span, e *event.Event, _ int) {
		x.many = x.many || x.thread != e.Thread
		x.writes = true
	})
	if !slices.ContainsFunc(s.spans, func(x span) bool { return x.shared() }) {
		return false
	}
	s.suspect = slices.Grow(s.suspect[:0], len(s.t.Events))[:len(s.t.Events)]
	clear(s.suspect)
	from := int32(0)
	for k := range s.spans {
		x := &s.spans[k]
		if x.shared() {
			for _, p := range s.places[from:x.to] {
				s.suspect[p.event] = true
			}
		}
		from = x.to
	}
	s.operations(func(x *span, _ *event.Event, i int) { s.suspect[i] = s.suspect[i] || x.shared() })
	return true
}

// collect finds the places that accesses touch. It reports whether there are any.
func (s *search) collect() bool {
	s.places = s.places[:0]
	closed := false
	for i := range s.t.Events {
		closed = closed || findsClosed(&s.t.Events[i])
	}
	for i := range s.t.Events {
		if e := &s.t.Events[i]; e.Kind.CanRace() || closed && (closes(e) || findsClosed(e)) {
			s.places = append(s.places, place{e.Loc.Addr, end(e.Loc), int32(i)})
		}
	}
	return len(s.places) > 0
}

// end is where a location ends: a map has one byte here.
func end(l event.Location) uint64 { return l.Addr + uint64(max(l.Size, 1)) }

// group makes spans of the places, both in the order of addresses.
func (s *search) group() {
	slices.SortFunc(s.places, func(a, b place) int { return cmp.Compare(a.lo, b.lo) })
	s.spans = s.spans[:0]
	for n, p := range s.places {
		e := &s.t.Events[p.event]
		if k := len(s.spans); k == 0 || p.lo >= s.spans[k-1].hi {
			s.spans = append(s.spans, span{lo: p.lo, hi: p.hi, thread: e.Thread})
		}
		x := &s.spans[len(s.spans)-1]
		x.hi = max(x.hi, p.hi)
		x.many = x.many || x.thread != e.Thread
		x.writes = x.writes || e.Kind.IsWrite() || e.Kind == event.ChanClose
		x.to = int32(n + 1)
	}
}

// operations calls do for the operations of package sync on the bytes of spans. Two such operations do not race with
// each other, so those on other bytes are left out.
func (s *search) operations(do func(x *span, e *event.Event, i int)) {
	for i := range s.t.Events {
		e := &s.t.Events[i]
		if e.Kind.CanRace() {
			continue
		}
		loc := placeOf(e)
		if loc.Size == 0 {
			continue
		}
		k := sort.Search(len(s.spans), func(k int) bool { return s.spans[k].hi > loc.Addr })
		for ; k < len(s.spans) && s.spans[k].lo < end(loc); k++ {
			do(&s.spans[k], e, i)
		}
	}
}
