package race

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file finds the Adds that should happen before a Wait of their wait group, and do not (RACE8), and the Waits that
// had to wait (RACE9).

// A group is what a search knows of a wait group of which one goroutine may have to wait for what another adds, or of
// which others touch the bytes.
type group struct {
	adds   []int32 // so far, and what has overwritten the counter
	waited []int32 // the Waits that have returned, and that had to wait
}

// A doubted is an Add and a later Wait that do not race, and of which nothing orders the two. knows is what happens
// before the Wait. Or it is a Wait and an access to the bytes of its wait group, in either order.
//
// Or it is another operation of package sync (of) and an access to the bytes of its object: the operation has come
// after an end in the trace.
type doubted struct {
	Pair
	knows   clock
	of, end int32 // end is -1 if it is none of these
}

// groupsOf finds the wait groups to which one goroutine adds, and at which another one waits, and those whose bytes are
// accessed besides, if there are suspect accesses. It reports whether there are any.
func (s *search) groupsOf(accesses bool) bool {
	clear(s.groups)
	clear(s.adders)
	adders := s.adders
	for i := range s.t.Events {
		if e := &s.t.Events[i]; e.Kind == event.WaitGroupAdd && int64(e.Value) > 0 {
			if by, ok := adders[e.Loc.Addr]; ok && by != e.Thread {
				adders[e.Loc.Addr] = nobody
			} else {
				adders[e.Loc.Addr] = e.Thread
			}
		}
	}
	if len(adders) == 0 {
		return false
	}
	for i := range s.t.Events {
		if e := &s.t.Events[i]; e.Kind == event.WaitGroupWait && s.groups[e.Loc.Addr] == nil {
			if by, ok := adders[e.Loc.Addr]; ok && by != e.Thread || accesses && s.suspect[i] {
				s.groups[e.Loc.Addr] = new(group)
			}
		}
	}
	return len(s.groups) > 0
}

// ofGroup looks for the races of event i, if it is an operation on a wait group.
func (s *search) ofGroup(i int32) {
	e := &s.t.Events[i]
	if e.Kind.IsWrite() && e.Kind.IsAccess() && s.suspect[i] {
		s.overwrites(i)
	}
	if e.Kind != event.WaitGroupAdd && e.Kind != event.WaitGroupWait {
		return
	}
	g := s.groups[e.Loc.Addr]
	if g == nil {
		return
	}
	knows := s.threads[e.Thread].now()
	unknown := func(k int32) bool {
		f := &s.t.Events[k]
		return f.Thread != e.Thread && f.Seq >= knows.get(f.Thread)
	}
	if e.Kind == event.WaitGroupAdd {
		if FirstAdd(e) {
			for _, k := range g.waited {
				if unknown(k) {
					s.tell(Pair{k, i})
				}
			}
		}
		g.adds = append(g.adds, i)
		return
	}
	waited := s.waited(g, i)
	for _, k := range g.adds {
		f := &s.t.Events[k]
		if f.Kind != event.WaitGroupAdd || int64(f.Value) <= 0 || !unknown(k) {
			continue
		}
		if waited && FirstAdd(f) {
			s.tell(Pair{k, i})
		} else {
			s.doubted = append(s.doubted, doubted{Pair: Pair{k, i}, knows: knows, end: -1})
		}
	}
	if waited {
		g.waited = append(slices.DeleteFunc(g.waited, func(k int32) bool { return s.t.Events[k].Thread == e.Thread }), i)
	}
}

// overwrites notes that event i overwrites the counters of wait groups, if it does.
func (s *search) overwrites(i int32) {
	e := &s.t.Events[i]
	for addr, g := range s.groups {
		if e.Loc.Overlaps(event.Bytes(event.WaitGroupWait, event.Location{Addr: addr}, 0)) {
			g.adds = append(g.adds, i)
		}
	}
}

// hadToWait reports whether event i is a Wait that had to wait.
func (s *search) hadToWait(i int32) bool {
	e := &s.t.Events[i]
	if e.Kind != event.WaitGroupWait {
		return false
	}
	g := s.groups[e.Loc.Addr]
	return g != nil && s.waited(g, i)
}

// tell adds a race, unless one of the same sites was found.
func (s *search) tell(p Pair) {
	a, b := s.t.Events[p.First].Site, s.t.Events[p.Second].Site
	if sites := [2]event.Site{min(a, b), max(a, b)}; !s.seen[sites] {
		s.seen[sites] = true
		s.found = append(s.found, p)
	}
}

// waited reports whether a Wait had to wait: since its goroutine came to it the counter was positive. What writes the
// counter is in the trace if others could reach it then. What is not comes before the goroutine could come, and shows:
// the counter is another one than the last Add left.
func (s *search) waited(g *group, i int32) bool {
	came, counter := s.cameAfter(i), int64(0) // counter is what it is after event k, -1 if that is not known
	for _, k := range slices.Backward(g.adds) {
		f := &s.t.Events[k]
		add := f.Kind == event.WaitGroupAdd
		if add && counter < 0 {
			counter = f.Other
		}
		if counter > 0 {
			return true
		}
		if k <= came || add && f.Other != counter {
			return false
		}
		if counter = -1; add {
			counter = f.Other - int64(f.Value)
		}
	}
	return false
}

// A Late is the beginning of an execution in which the Add of a wait group may be the first one, and a goroutine comes
// to wait that does not know of it: some events of another execution, in this order. Sites are those of the Add and of
// the Wait. Or a goroutine comes to wait before the Dones: Sites are those of the Wait and of an access to the bytes of
// the wait group.
type Late struct {
	Sites  [2]event.Site
	Events []int32
}

// mostLate bounds the Adds and Waits of one pair of sites that Lates looks at.
const mostLate = 64

// Lates lists executions by which an Add, or an access to the bytes of the wait group, may race with a Wait that it
// does not race with in the trace: of each pair of sites at most two.
func Lates(t *trace.Trace) (out []Late) {
	if t.Memory != event.SC {
		return nil
	}
	s := begin(t)
	if s == nil {
		return nil
	}
	defer s.end()
	knew := make(map[int32]clock) // by Add, what its goroutine knew
	tried := make(map[[2]event.Site]int)
	var held []doubted
	for i := range int32(len(t.Events)) {
		e := &t.Events[i]
		if s.made > MaxNodes {
			break
		}
		s.before(i)
		if s.groups[e.Loc.Addr] != nil && e.Kind == event.WaitGroupAdd && int64(e.Value) > 0 {
			knew[i] = s.threads[e.Thread].now()
		}
		s.event(i)
		for _, p := range s.doubted {
			add := &t.Events[p.First]
			sites := [2]event.Site{add.Site, e.Site}
			if tried[sites]++; tried[sites] > mostLate || s.seen[[2]event.Site{min(sites[0], sites[1]), max(sites[0], sites[1])}] {
				continue
			}
			if p.end >= 0 {
				out = append(out, Late{sites, beforeEnd(t, &p)})
				tried[sites] = mostLate
				continue
			}
			if add.Kind != event.WaitGroupAdd {
				if events := s.early(&p); events != nil {
					out = append(out, Late{sites, events})
					tried[sites] = mostLate
				}
				continue
			}
			if events := s.between(&p, knew[p.First]); events != nil {
				out = append(out, Late{sites, events})
				tried[sites] = mostLate
			}
			if FirstAdd(add) {
				held = append(held, p)
				tried[sites] = mostLate
			}
		}
	}
	for _, p := range held {
		add := &t.Events[p.First]
		events, _ := heldBack(t, p.Second, func(k int32, f *event.Event) bool { // what takes from the counter after the Add
			return k > p.First && f.Kind == event.WaitGroupAdd && f.Loc == add.Loc && int64(f.Value) < 0 && f.Seq >= p.knows.get(f.Thread)
		})
		out = append(out, Late{[2]event.Site{add.Site, t.Events[p.Second].Site}, events})
	}
	return out
}

// between returns what happens before the Add of a pair, and then what happens before the Wait, with the Add where the
// counter is zero, so that the counter is positive when the Wait comes: Adds that come between in the trace come later.
// It returns nil if there is no such place. knew is what happens before the Add.
func (s *search) between(p *doubted, knew clock) (events []int32) {
	add := &s.t.Events[p.First]
	var then []int32
	for k := range p.Second {
		switch f := &s.t.Events[k]; {
		case precedes(f, knew):
			events = append(events, k)
		case precedes(f, p.knows):
			then = append(then, k)
		}
	}
	place, counter := -1, int64(0)
	for i, k := range append(slices.Clone(events), then...) {
		if i >= len(events) && place < 0 && counter == 0 {
			place = i
		}
		switch f := &s.t.Events[k]; {
		case f.Loc != add.Loc:
		case f.Kind == event.WaitGroupAdd:
			counter += int64(f.Value)
		case f.Kind == event.WaitGroupWait:
			place = -1 // the Add would keep it waiting
		}
	}
	if place < 0 && counter == 0 {
		place = len(events) + len(then)
	}
	if place < 0 || counter+int64(add.Value) <= 0 {
		return nil
	}
	at := place - len(events)
	return slices.Concat(events, then[:at], []int32{p.First}, then[at:])
}

// early returns the events of a trace up to the second of a pair, a Wait and an access. What happens before the Wait
// comes first, so it has to wait if the counter is positive then. It returns nil if it is not.
func (s *search) early(p *doubted) (events []int32) {
	wait := &s.t.Events[p.First]
	if wait.Kind != event.WaitGroupWait {
		wait = &s.t.Events[p.Second]
	}
	counter := int64(0)
	var then []int32
	for k := range p.Second + 1 {
		f := &s.t.Events[k]
		if !precedes(f, p.knows) {
			then = append(then, k)
			continue
		}
		if events = append(events, k); f.Kind == event.WaitGroupAdd && f.Loc == wait.Loc {
			counter += int64(f.Value)
		}
	}
	if counter <= 0 {
		return nil
	}
	return append(events, then...)
}
