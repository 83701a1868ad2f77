package report

import (
	"cmp"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file decides which events of a witness people need to see, and where
// the values that they return came from.

// mattering tells for each event whether it is shown: it is one of the
// finding's own, starts a goroutine, ends the program, or works on
// something that two goroutines use and at least one changes.
func mattering(f *Finding) []bool {
	t := f.Witness
	keep := make([]bool, len(t.Events))
	objects := map[uint64]*use{}
	ranges := rangesOf(t)
	for i := range t.Events {
		e := &t.Events[i]
		if u := ranges[i]; u != nil && touchesMemory(e) {
			u.add(ownerOf(t, e.Thread), e.Kind.IsWrite() || e.Kind == event.Store)
			continue
		} else if u != nil {
			u.add(e.Thread, true)
		}
		for _, a := range addresses(t, e) {
			u := objects[a]
			if u == nil {
				u = new(use)
				objects[a] = u
			}
			u.add(e.Thread, e.Kind != event.ObjectRead && e.Kind != event.MapRead && e.Kind != event.FileRead)
		}
	}
	// What a blocked goroutine waits for matters, though the wait is no event.
	for _, i := range f.ends().Threads {
		if i < 0 || i >= len(t.Threads) || t.Threads[i].Pending == nil {
			continue
		}
		p := t.Threads[i].Pending
		for _, a := range pendingAddresses(p) {
			if u := objects[a]; u != nil {
				u.add(int32(i), true)
			}
		}
	}
	for i := range t.Events {
		e := &t.Events[i]
		switch e.Kind {
		case event.End, event.Yield, event.Fence, event.Invalid:
		case event.Spawn, event.Sleep, event.Panic, event.Exit: // they matter by themselves
			keep[i] = true
		default:
			if u := ranges[i]; u != nil {
				keep[i] = u.shared()
			}
			if touchesMemory(e) {
				break
			}
			for _, a := range addresses(t, e) {
				keep[i] = keep[i] || objects[a].shared()
			}
		}
	}
	for i := range keep {
		keep[i] = keep[i] || f.mark(i) != ""
	}
	return keep
}

// A use says who uses a range of memory or an object.
type use struct {
	thread int32 // the first user, plus one
	many   bool
	writes bool
}

func (u *use) add(thread int32, write bool) {
	u.many = u.many || u.thread != 0 && u.thread != thread+1
	u.thread = thread + 1
	u.writes = u.writes || write
}

func (u *use) shared() bool { return u.many && u.writes }

// rangesOf joins overlapping accesses into ranges: the result has, for each access, the use of its range. An operation
// of package sync belongs to a range if accesses touch the bytes of its object. For other events the result has nil.
func rangesOf(t *trace.Trace) []*use {
	bytes := make([]event.Location, len(t.Events))
	var order []int
	for i := range t.Events {
		e := &t.Events[i]
		bytes[i] = e.Loc
		if !touchesMemory(e) {
			bytes[i] = event.Bytes(e.Kind, e.Loc, e.Key)
		}
		if touchesMemory(e) || bytes[i].Size > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(bytes[a].Addr, bytes[b].Addr) })
	out := make([]*use, len(t.Events))
	var cur *use
	var end uint64
	var members []int
	memory := false // an access is among the members
	close := func() {
		for _, i := range members {
			if memory {
				out[i] = cur
			}
		}
		members, memory = members[:0], false
	}
	for _, i := range order {
		l := bytes[i]
		if cur == nil || l.Addr >= end {
			close()
			cur, end = new(use), l.Addr
		}
		end = max(end, l.Addr+uint64(max(l.Size, 1)))
		members = append(members, i)
		memory = memory || t.Events[i].Kind.IsAccess()
	}
	close()
	return out
}

// addresses returns the objects an event works on.
func addresses(t *trace.Trace, e *event.Event) []uint64 {
	if e.Kind == event.SelectDefault && e.Cases >= 0 && int(e.Cases) < len(t.Cases) {
		var as []uint64
		for _, c := range t.Cases[e.Cases] {
			as = append(as, c.Chan)
		}
		return as
	}
	return []uint64{e.Loc.Addr}
}

func pendingAddresses(p *event.Op) []uint64 {
	if !p.IsSelect() {
		return []uint64{p.Loc.Addr}
	}
	var as []uint64
	for _, c := range p.Cases {
		as = append(as, c.Chan)
	}
	return as
}

// sources finds, while it walks over a trace, the event whose value each event returns.
type sources struct {
	bytes   map[uint64]int    // byte to its last write
	objects map[uint64]int    // map or object to its last write
	keys    map[[2]uint64]int // map and key (0: the whole map) to its last write
	sends   map[[2]uint64]int // channel and number to the send
	closes  map[uint64]int    // channel to its close
}

// readsFrom returns for each event the index of the one whose value it returns,
// -1 if it returns none or the initial value.
func readsFrom(t *trace.Trace) []int {
	s := sources{map[uint64]int{}, map[uint64]int{}, map[[2]uint64]int{}, map[[2]uint64]int{}, map[uint64]int{}}
	from, stored := make([]int, len(t.Events)), pending{}
	for i := range t.Events {
		e := &t.Events[i]
		switch own := stored.event(t, i); {
		case own >= 0 && e.Kind.Reads():
			from[i] = own
		case e.Kind.IsAccess():
			from[i] = s.access(i, e)
		default:
			from[i] = s.object(i, e)
		}
	}
	return from
}

// access looks up and then updates the bytes of e. Of ranges over 64 bytes it
// considers the first and last eight: memory is mostly read as it was written.
func (s *sources) access(i int, e *event.Event) int {
	from := -1
	for n := uint64(0); n < uint64(e.Loc.Size); n++ {
		if e.Loc.Size > 64 && n == 8 {
			n = uint64(e.Loc.Size) - 8
		}
		a := e.Loc.Addr + n
		if j, ok := s.bytes[a]; ok && e.Kind.Reads() {
			from = max(from, j)
		}
		if e.Kind.IsWrite() {
			s.bytes[a] = i
		}
	}
	return from
}

func (s *sources) object(i int, e *event.Event) int {
	at := func(j int, ok bool) int {
		if ok {
			return j
		}
		return -1
	}
	a := e.Loc.Addr
	lookup := func(m map[[2]uint64]int, k uint64) int {
		j, ok := m[[2]uint64{a, k}]
		return at(j, ok)
	}
	whole := func() int {
		j, ok := s.objects[a]
		return at(j, ok)
	}
	switch e.Kind {
	case event.ObjectWrite:
		s.objects[a] = i
	case event.MapWrite, event.FileWrite:
		s.objects[a], s.keys[[2]uint64{a, e.Key}] = i, i
	case event.ChanSend:
		s.sends[[2]uint64{a, uint64(e.Other)}] = i
	case event.ChanClose:
		s.closes[a] = i
	case event.ObjectRead:
		return whole()
	case event.MapRead, event.FileRead:
		if e.Key == 0 {
			return whole()
		}
		return max(lookup(s.keys, e.Key), lookup(s.keys, 0))
	case event.ChanRecv:
		switch {
		case e.Partner >= 0:
			return int(e.Partner)
		case e.Other < 0:
			j, ok := s.closes[a]
			return at(j, ok)
		}
		return lookup(s.sends, uint64(e.Other))
	}
	return -1
}
