package causality

import (
	"iter"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file finds the orders in which goroutines may have read the clock. No event says when one has read it: only that
// it was after one event of its goroutine, and before the next. So what happens before what leaves readings of several
// goroutines in any order, and each linear extension of that order is one that a compiled run can have. All of them are
// too many. A few have each two readings in both orders, if both are possible.
//
//	READ1  A reading is before another one if its time is less, if it is of the same goroutine and earlier there, or
//	       if the other's goroutine knows by then of what the first one's did next.
//	READ2  Critical sections of one lock are ordered by the lock only where something else in them conflicts. Those
//	       that do nothing to each other lead to the same states in both orders, and an explorer by states has
//	       executed one.
//	READ3  One order has the latest reading of those that may come next come first. It reverses what it can. Where two
//	       readings have not been reversed by that, another order has those of the earlier one's goroutine come as
//	       late as they may: then all that need not be after them is before them.
//
// What depends on three readings that come in one order, and on no two of them, is not found so.

// maxReadings is how many readings are compared with each other: of more there is the first order alone. maxSections is
// how many sections of one lock are: of more all are ordered by the lock.
const (
	maxReadings = 1_000
	maxSections = 256
)

// Instants gives some orders of the readings of t, other than that in which they came: by how much each is ahead. rec
// has watched the execution.
func Instants(t *trace.Trace, rec *Recorder) iter.Seq[[]int64] {
	return func(yield func([]int64) bool) {
		if !severalRead(t.Readings) {
			return
		}
		g := NewGraph(t, rec, true)
		if a := sections(g); a != nil {
			g = newGraph(t, rec, true, a)
		}
		rs := newReadings(g)
		first := rs.order(func(ready []int) int { return slices.Max(ready) })
		if !slices.IsSorted(first) && !yield(first) || len(rs.all) > maxReadings {
			return
		}
		late := make(map[int32]bool)
		for j, b := range rs.all {
			for i, a := range rs.all[:j] {
				if late[a.Thread] || first[j] < first[i] || rs.before(a, b) {
					continue
				}
				late[a.Thread] = true
				others := func(x int) bool { return rs.all[x].Thread != a.Thread }
				if !yield(rs.order(func(ready []int) int { return ready[max(0, slices.IndexFunc(ready, others))] })) {
					return
				}
			}
		}
	}
}

// InstantPairs is how many pairs of readings are compared at most to find one of these orders.
func InstantPairs(t *trace.Trace) int {
	readers := make(map[int32]bool)
	for _, r := range t.Readings {
		readers[r.Thread] = true
	}
	return len(t.Readings) * (min(len(t.Readings), maxReadings) + len(readers)*len(readers))
}

func severalRead(rs []trace.Reading) bool {
	return slices.ContainsFunc(rs, func(r trace.Reading) bool { return r.Thread != rs[0].Thread })
}

// readings are those of an execution, with the order that READ1 gives them.
type readings struct {
	g    *Graph
	all  []trace.Reading
	own  [][]int // indices in all, by thread
	only []int32 // the threads that have some
}

func newReadings(g *Graph) *readings {
	rs := &readings{g: g, all: g.Trace.Readings, own: make([][]int, len(g.Lines))}
	for i, r := range rs.all {
		if rs.own[r.Thread] == nil {
			rs.only = append(rs.only, r.Thread)
		}
		rs.own[r.Thread] = append(rs.own[r.Thread], i)
	}
	return rs
}

// before reports whether a reading is before one that came later.
func (rs *readings) before(a, b trace.Reading) bool {
	return a.Thread == b.Thread || a.Now < b.Now || rs.g.Knows(b.Thread, b.Seq, Ref{a.Thread, a.Seq})
}

// order is the linear extension in which pick has chosen each time among the readings that may come next.
func (rs *readings) order(pick func(ready []int) int) []int64 {
	instants := make([]int64, len(rs.all))
	next := make([]int, len(rs.own)) // by thread
	ready := make([]int, 0, len(rs.only))
	for n := range rs.all {
		ready = ready[:0]
		for _, p := range rs.only {
			if next[p] < len(rs.own[p]) && rs.may(next, rs.own[p][next[p]]) {
				ready = append(ready, rs.own[p][next[p]])
			}
		}
		i := pick(ready)
		next[rs.all[i].Thread]++
		instants[i] = int64(n + 1)
	}
	return instants
}

// may reports whether all that is before a reading has come, where next are the first that have not.
func (rs *readings) may(next []int, i int) bool {
	b := rs.all[i]
	for _, p := range rs.only {
		if p != b.Thread && next[p] < len(rs.own[p]) && rs.own[p][next[p]] < i && rs.before(rs.all[rs.own[p][next[p]]], b) {
			return false
		}
	}
	return true
}

// apart says of which locks the sections are ordered by what else they do (READ2).
type apart struct {
	locks map[int32]bool  // cells
	after map[int32][]Ref // by event that begins a section: the ends of those that conflict
}

// depsOf is DepsOf, for event i, with such locks.
func (a *apart) depsOf(g *Graph, i int32, me Ref, ts []Touch) []Ref {
	if a == nil {
		return g.DepsOf(me, ts)
	}
	ts = slices.DeleteFunc(slices.Clone(ts), func(t Touch) bool { return a.locks[t.Cell] })
	deps := g.DepsOf(me, ts)
	for _, f := range a.after[i] {
		deps = g.addDep(deps, me, f)
	}
	return deps
}

// A section is a critical section: the events of a thread from one index of the trace on to another.
type section struct {
	thread   int32
	from, to int32
	depth    int
	touches  map[int32]uint32 // what else it does to which cells: a set of classes
}

// sections finds the sections of locks, and which of them conflict; nil if there are no locks.
func sections(g *Graph) *apart {
	locks := make(map[int32][]*section) // by cell
	odd := make(map[int32]bool)         // cells of locks that are used otherwise
	open := make(map[[2]int32]*section) // by thread and cell
	inside := make(map[int32][]*section)
	for i := range g.Trace.Events {
		e := &g.Trace.Events[i]
		for _, t := range g.Touches[i] {
			if g.Cells[t.Cell].Key.Space != SpaceLock {
				continue
			}
			k := [2]int32{e.Thread, t.Cell}
			s := open[k]
			switch e.Kind {
			case event.Lock, event.RLock, event.LockAnnounce:
				if s == nil {
					s = &section{thread: e.Thread, from: int32(i), to: -1, touches: make(map[int32]uint32)}
					open[k], locks[t.Cell] = s, append(locks[t.Cell], s)
					inside[e.Thread] = append(inside[e.Thread], s)
				}
				if e.Kind != event.LockAnnounce {
					s.depth++
				}
			case event.Unlock, event.RUnlock:
				if s == nil {
					odd[t.Cell] = true
				} else if s.depth--; s.depth <= 0 {
					s.to = int32(i)
					delete(open, k)
					inside[e.Thread] = slices.DeleteFunc(inside[e.Thread], func(o *section) bool { return o == s })
				}
			default:
				odd[t.Cell] = true
			}
		}
		for _, s := range inside[e.Thread] {
			for _, t := range g.Touches[i] {
				if g.Cells[t.Cell].Key.Space != spaceMapRace {
					s.touches[t.Cell] |= 1 << t.class
				}
			}
		}
	}
	if len(locks) == 0 {
		return nil
	}
	a := &apart{make(map[int32]bool), make(map[int32][]Ref)}
	for cell, ss := range locks {
		if odd[cell] || len(ss) > maxSections {
			continue
		}
		a.locks[cell] = true
		for j, s := range ss {
			for _, o := range ss[:j] {
				if o.thread != s.thread && o.to >= 0 && o.to < s.from && o.conflicts(s, cell) {
					a.after[s.from] = append(a.after[s.from], Ref{o.thread, g.Trace.Events[o.to].Seq})
				}
			}
		}
	}
	return a
}

// conflicts reports whether two sections of a lock do something else that conflicts.
func (s *section) conflicts(o *section, lock int32) bool {
	if len(o.touches) < len(s.touches) {
		s, o = o, s
	}
	for cell, classes := range s.touches {
		others := o.touches[cell]
		for c := class(0); c < numClasses && others != 0 && cell != lock; c++ {
			if classes&(1<<c) != 0 && conflicts[c]&others != 0 {
				return true
			}
		}
	}
	return false
}
