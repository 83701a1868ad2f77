package race

import (
	"fmt"
	"slices"
	"sync"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file finds the races of a trace.

// A Pair is two accesses that race, by their indices in Trace.Events: First came first.
type Pair struct{ First, Second int32 }

// Key names a pair of sites, in either order.
func Key(a, b event.Site) string { return fmt.Sprintf("%d %d", min(a, b), max(a, b)) }

// Adjacent lists the events of a trace that race with their successor. Both were next before the first of them was
// performed: an access changes nothing but what it names, and starts nobody. A trace of a relaxed memory model has
// none: see Of.
func Adjacent(t *trace.Trace) (first []int) {
	if t.Memory != event.SC {
		return nil
	}
	for i := 0; i+1 < len(t.Events); i++ {
		if Next(&t.Events[i], &t.Events[i+1]) {
			first = append(first, i)
		}
	}
	return first
}

// Next reports whether two events, one right after the other, make a data race. They do if they conflict, or are the
// Wait and a FirstAdd of one wait group (RACE4).
func Next(a, b *event.Event) bool {
	if a.Kind == event.WaitGroupWait {
		return a.Thread != b.Thread && FirstAdd(b) && a.Loc == b.Loc
	}
	return Conflict(a, b)
}

// Conflict reports whether two events are conflicting accesses.
func Conflict(a, b *event.Event) bool {
	if a.Thread == b.Thread || !a.Order.Races() || !b.Order.Races() { // SYNC16
		return false
	}
	if a.Kind == event.ChanClose || b.Kind == event.ChanClose {
		return a.Loc.Addr == b.Loc.Addr && (closes(a) && findsClosed(b) || closes(b) && findsClosed(a))
	}
	if a.Kind.IsAccess() != b.Kind.IsAccess() {
		return event.Touching(a, b) || event.Touching(b, a)
	}
	if !a.Kind.IsWrite() && !b.Kind.IsWrite() || !a.Loc.Overlaps(b.Loc) {
		return false
	}
	if isMap(a.Kind) && isMap(b.Kind) {
		return true
	}
	return a.Kind.IsAccess() && b.Kind.IsAccess() && !(a.Kind.IsAtomic() && b.Kind.IsAtomic())
}

// closes reports whether an event closes a channel. A second close makes no access.
func closes(e *event.Event) bool { return e.Kind == event.ChanClose && e.Value == 0 }

// findsClosed reports whether an event is a send that finds its channel closed.
func findsClosed(e *event.Event) bool { return e.Kind == event.ChanSend && e.Other < 0 }

// FirstAdd reports whether an event makes the counter of a wait group positive that was zero. Such an Add must happen
// before Wait (package sync). Next to one it is a race, as it is to Go's race detector.
func FirstAdd(e *event.Event) bool {
	return e.Kind == event.WaitGroupAdd && int64(e.Value) > 0 && e.Other == int64(e.Value)
}

// placeOf returns what an event accesses: bytes, a map, or the bytes of an object of package sync.
func placeOf(e *event.Event) event.Location {
	if e.Kind.CanRace() {
		return e.Loc
	}
	return event.Bytes(e.Kind, e.Loc, e.Key)
}

func isMap(k event.Kind) bool { return k.Object() == event.Map }

// Of lists the races of a trace (RACE1 to RACE3), in the order of their second accesses. Of several pairs with the same
// sites it lists the first.
//
// A trace of a relaxed memory model has none. Its writes stand where they reach memory, and nobody makes them. A
// program that has a race under such a model also has one that is sequentially consistent.
func Of(t *trace.Trace) []Pair {
	return Search(t).Races
}

// MaxNodes bounds the memory of a search: nodes of clocks, of some 200 bytes each.
const MaxNodes = 3_000_000

// A Found is what a search has found.
type Found struct {
	Races []Pair
	Whole bool // it came to the end of the trace, and did not use up its memory before
	Late  bool // Lates may list something
}

// Search is Of, and says more.
func Search(t *trace.Trace) Found { return within(t, MaxNodes) }

// within is Search with another bound.
func within(t *trace.Trace, nodes int) Found {
	if t.Memory != event.SC {
		return Found{Whole: true}
	}
	s := begin(t)
	if s == nil {
		return Found{Whole: true}
	}
	defer s.end()
	late := false
	for i := range int32(len(t.Events)) {
		if s.made > nodes {
			return Found{Races: s.found}
		}
		s.event(i)
		late = late || len(s.doubted) > 0
	}
	return Found{s.found, true, late}
}

// searches keeps the tables of searches that have ended. Each execution is searched, and most are small: making the
// tables anew would cost more than the search.
var searches = sync.Pool{New: func() any {
	return &search{order: newOrder(), blocks: make(map[uint64]int32), seen: make(map[[2]event.Site]bool), groups: make(map[uint64]*group), adders: make(map[uint64]int32), ends: make(map[uint64]*ended)}
}}

// begin returns a search at the start of a trace, nil if it has nothing to find.
func begin(t *trace.Trace) *search {
	s := searches.Get().(*search)
	s.t = t
	accesses := s.suspects()
	if !s.groupsOf(accesses) && !accesses {
		s.end()
		return nil
	}
	if !accesses {
		s.suspect = slices.Grow(s.suspect[:0], len(t.Events))[:len(t.Events)]
		clear(s.suspect)
	}
	s.order.begin(t)
	clear(s.blocks)
	clear(s.seen)
	clear(s.ends)
	s.lists, s.noted, s.doubted = s.lists[:0], s.noted[:0], s.doubted[:0]
	return s
}

// keptNodes is how large a search may have been whose tables are kept.
const keptNodes = 10_000

// end gives the tables of a search to the next one. What it has found is the caller's.
func (s *search) end() {
	if s.made > keptNodes { // they hold clocks
		return
	}
	s.t, s.order.t, s.order.silent, s.found = nil, nil, nil, nil
	searches.Put(s)
}

// event brings the search from before event i to after it.
func (s *search) event(i int32) {
	s.before(i)
	s.doubted = s.doubted[:0]
	e := &s.t.Events[i]
	s.more, s.over = false, -1
	if s.suspect[i] && arrival(e) {
		s.came = s.threads[e.Thread].now()
		s.arrives(i)
	}
	if learns(e) && s.orders(e) && !s.more {
		s.acquire(e.Thread, learnt(e))
	}
	if s.suspect[i] {
		s.access(i)
	}
	s.ofGroup(i)
	s.perform(i)
	switch {
	case len(s.noted) == 0:
	case whenItCame(e, s.more):
		s.keep(i, s.came)
	default:
		s.keep(i, s.threads[e.Thread].now())
	}
}

// Before lists the events of a trace that happen before the two accesses of a race, or that a race before them orders
// so, and then the two. They stand in the order of the trace.
func Before(t *trace.Trace, p Pair) (events []int32) {
	s := begin(t)
	if s == nil {
		return nil
	}
	defer s.end()
	known := s.view(nobody)
	for i := range p.Second + 1 {
		if s.before(i); i == p.First || i == p.Second {
			s.learn(&known, s.threads[t.Events[i].Thread].now())
		}
		s.event(i)
	}
	for i := range p.Second {
		if i != p.First && precedes(&t.Events[i], known.clock) {
			events = append(events, i)
		}
	}
	return append(events, p.First, p.Second)
}

// A search is the state of Of.
type search struct {
	*order
	t       *trace.Trace
	places  []place
	spans   []span
	suspect []bool           // by event: an access to what several threads touch
	blocks  map[uint64]int32 // by block of memory: which of lists has the accesses there
	lists   [][]access
	noted   []int32 // the lists of the blocks that the current access touches
	met     []clock
	found   []Pair
	seen    map[[2]event.Site]bool
	came    clock             // what the thread of the current operation knew when it came
	more    bool              // of the current operation: it touches more than its event says
	over    int32             // likewise: an event before which it may have come in another order, -1 if there is none
	ends    map[uint64]*ended // by address of a Once or sync.Map
	groups  map[uint64]*group // wait groups, by address
	adders  map[uint64]int32  // memory of groupsOf: by address of a wait group, who adds; nobody if several do
	doubted []doubted         // by the current event
}

// An access is one that later ones may race with.
type access struct {
	index int32
	knows clock // of its thread, with it; see whenItCame
	more  bool  // it touches more than its event says: RACE6, RACE9, RACE10
	over  int32 // an event before which it may have come in another order, and then would, -1 if there is none
}

// Accesses are looked up by blocks of so many bits of address.
const blockBits = 6

// access looks for the accesses that race with event i, and has its thread know them (RACE2).
func (s *search) access(i int32) {
	e := &s.t.Events[i]
	c := &s.threads[e.Thread]
	s.noted = s.noted[:0]
	loc := placeOf(e)
	for b := loc.Addr >> blockBits; b <= (loc.Addr+uint64(max(loc.Size, 1))-1)>>blockBits; b++ {
		s.noted = append(s.noted, s.list(b))
	}
	from := len(s.found)
	s.met = s.met[:0]
	for _, l := range s.noted {
		for _, a := range s.lists[l] {
			f := &s.t.Events[a.index]
			if f.Seq < c.get(f.Thread) {
				if s.over >= 0 && f.Seq >= s.came.get(f.Thread) {
					s.doubt(a, i)
				}
				continue
			}
			if !Conflict(s.unknown(touchingMore(f, a.more), a.index, c.clock), touchingMore(e, s.more)) {
				s.doubt(a, i)
				continue
			}
			if Orders(f, e) && !whenItCame(f, a.more) && !whenItCame(e, s.more) {
				s.met = append(s.met, a.knows)
			}
			s.tell(Pair{a.index, i})
		}
	}
	slices.SortFunc(s.found[from:], func(a, b Pair) int { return int(a.First - b.First) })
	for _, k := range s.met {
		s.learn(c, k)
	}
}

// list is which of s.lists has the accesses to a block.
func (s *search) list(block uint64) int32 {
	l, ok := s.blocks[block]
	if ok {
		return l
	}
	l = int32(len(s.lists))
	s.blocks[block] = l
	if len(s.lists) < cap(s.lists) {
		s.lists = s.lists[:l+1]
		s.lists[l] = s.lists[l][:0]
		return l
	}
	s.lists = append(s.lists, nil)
	return l
}

// keep notes the access of event i for later ones, without those that it hides (RACE3). c is what its goroutine knows.
func (s *search) keep(i int32, c clock) {
	e := &s.t.Events[i]
	a := access{i, c, s.more, s.over}
	for _, l := range s.noted {
		list := slices.DeleteFunc(s.lists[l], func(o access) bool {
			f := &s.t.Events[o.index]
			again := f.Thread == e.Thread && f.Kind == e.Kind && f.Loc == e.Loc && f.Site == e.Site
			return f.Seq < c.get(f.Thread) && Hides(e, f) || again && (s.more || !o.more) && (s.over >= 0 || o.over < 0)
		})
		s.lists[l] = append(list, a)
	}
	s.noted = s.noted[:0]
}

// Orders reports whether the order of two conflicting accesses matters to what comes after. It does not if they are
// operations on different keys of a map. Nor does it if one is a close: what is done after the close, and after what
// found it, is compared by itself (RACE7).
func Orders(f, e *event.Event) bool {
	if f.Kind == event.ChanClose || e.Kind == event.ChanClose {
		return false
	}
	return !isMap(e.Kind) || f.Key == e.Key || f.Key == 0 || e.Key == 0
}

// Hides reports whether every access that conflicts with f conflicts with e (RACE3).
func Hides(e, f *event.Event) bool {
	if !e.Kind.CanRace() || !f.Kind.CanRace() {
		return false
	}
	return f.Loc.Addr >= e.Loc.Addr && f.Loc.Addr+uint64(f.Loc.Size) <= e.Loc.Addr+uint64(e.Loc.Size) && isMap(e.Kind) == isMap(f.Kind) &&
		(e.Kind.IsWrite() || !f.Kind.IsWrite()) && (!e.Kind.IsAtomic() || f.Kind.IsAtomic())
}
