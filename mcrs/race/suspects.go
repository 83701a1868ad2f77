package race

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file finds the accesses that can race at all, before any clock is followed: most memory is touched by one thread, or never written.

// A span is a range of bytes, or a map, that accesses of a trace have in common.
type span struct {
	lo, hi       uint64
	thread       int32 // who touched it first
	many, writes bool  // several threads did, and one of them wrote
	access       bool  // one of them by an access, and not by an operation of package sync alone
	group        int32 // of spans that overlap
}

// suspects marks the accesses to what several threads touch, one of them writing. It reports whether there are any.
func (s *search) suspects() bool {
	at := make(map[event.Location]int32)
	var spans []span
	for i := range s.t.Events {
		e := &s.t.Events[i]
		access := isAccess(e.Kind)
		loc := placeOf(e)
		if !access && loc.Size == 0 {
			continue
		}
		k, ok := at[loc]
		if !ok {
			k = int32(len(spans))
			at[loc] = k
			spans = append(spans, span{lo: loc.Addr, hi: loc.Addr + uint64(max(loc.Size, 1)), thread: e.Thread})
		}
		x := &spans[k]
		x.many = x.many || x.thread != e.Thread
		x.writes = x.writes || !access || e.Kind.IsWrite()
		x.access = x.access || access
	}
	shared := groups(spans)
	if !slices.Contains(shared, true) {
		return false
	}
	s.suspect = make([]bool, len(s.t.Events))
	for i := range s.t.Events {
		e := &s.t.Events[i]
		if loc := placeOf(e); isAccess(e.Kind) || loc.Size > 0 {
			s.suspect[i] = shared[spans[at[loc]].group]
		}
	}
	return true
}

// groups puts spans that overlap into groups, and returns which groups are shared and written.
func groups(spans []span) (shared []bool) {
	order := make([]int32, len(spans))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(spans[a].lo, spans[b].lo) })
	var g span
	for n, i := range order {
		x := &spans[i]
		if n == 0 || x.lo >= g.hi {
			g = *x
			shared = append(shared, false)
		}
		g.hi = max(g.hi, x.hi)
		g.many = g.many || x.many || x.thread != g.thread
		g.writes = g.writes || x.writes
		g.access = g.access || x.access
		x.group = int32(len(shared) - 1)
		shared[x.group] = g.many && g.writes && g.access
	}
	return shared
}
