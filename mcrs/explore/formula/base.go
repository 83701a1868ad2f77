package formula

import (
	"maps"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines what the explorer keeps of an execution in those below it, and which questions executions have
// answered already.

// A Base is the part of an execution that is kept in those below it: by goroutine how many events, and which of them
// are reads that keep their value.
type Base struct {
	events map[event.ThreadID]int32
	keep   map[place]keeping
}

// A place is an event: the seq-th of a goroutine.
type place struct {
	thread event.ThreadID
	seq    int32
}

// A keeping says why a read keeps its value.
type keeping uint8

const (
	asGoal   keeping = iota + 1 // a question was about it
	asBefore                    // it stood before such a read, and no dependence was asked about
)

// Events returns constraint.Options.Base for a trace that has the base.
func (b Base) Events(t *trace.Trace) []int32 {
	out := make([]int32, len(t.Threads))
	for i := range t.Threads {
		out[i] = b.events[t.Threads[i].ID]
	}
	return out
}

// Kept returns constraint.Options.Kept for a trace that has the base.
func (b Base) Kept(t *trace.Trace) []int32 { return b.kept(t, asBefore) }

// Goals is Kept without the reads that are kept only because no dependence was asked about.
func (b Base) Goals(t *trace.Trace) []int32 { return b.kept(t, asGoal) }

func (b Base) kept(t *trace.Trace, upTo keeping) (out []int32) {
	for i := range t.Events {
		e := &t.Events[i]
		if k := b.keep[place{t.Threads[e.Thread].ID, e.Seq}]; k != 0 && k <= upTo {
			out = append(out, int32(i))
		}
	}
	return out
}

// with returns the base of executions in which g is reached. all says that the reads before it kept their value.
func (b Base) with(g *goal, all bool) Base {
	out := Base{maps.Clone(b.events), maps.Clone(b.keep)}
	if out.events == nil {
		out = Base{make(map[event.ThreadID]int32), make(map[place]keeping)}
	}
	if all {
		for s := out.events[g.thread]; s < g.seq; s++ {
			out.keep[place{g.thread, s}] = asBefore
		}
	}
	out.events[g.thread] = g.seq + 1
	out.keep[place{g.thread, g.seq}] = asGoal
	return out
}

// holds reports whether t has the part of from that b keeps.
func (b Base) holds(from, t *trace.Trace) bool {
	has := make(map[place]*event.Event)
	for i := range t.Events {
		e := &t.Events[i]
		has[place{t.Threads[e.Thread].ID, e.Seq}] = e
	}
	for i := range from.Events {
		e := &from.Events[i]
		at := place{from.Threads[e.Thread].ID, e.Seq}
		if e.Seq >= b.events[at.thread] {
			continue
		}
		if o := has[at]; o == nil || o.Kind != e.Kind || o.Loc != e.Loc || b.keep[at] != 0 && o.Value != e.Value {
			return false
		}
	}
	return true
}

// within reports whether b keeps no more events than o would with g.
func (b Base) within(o Base, g *goal) bool {
	for id, n := range b.events {
		most := o.events[id]
		if id == g.thread {
			most = g.seq + 1
		}
		if n > most {
			return false
		}
	}
	return true
}

// An asked knows the executions that were asked about.
type asked struct {
	all []inquired
	of  map[*trace.Trace]int32
	by  map[uint64][]int32 // by history: the executions in which a goroutine has it
}

type inquired struct {
	t    *trace.Trace
	base Base
	met  map[event.ThreadID][]uint64 // by goroutine: its history after each of its events
}

// history is a hash of what a goroutine has met: e, which returned value, after what before stands for.
func history(before uint64, e *event.Event, value uint64) uint64 {
	if e.Kind == event.Write || e.Kind == event.Store || e.Kind == event.AtomicStore { // these return nothing
		value = 0
	}
	return causality.Mix(causality.Mix(before, uint64(e.Kind)<<32|uint64(uint32(e.Case))), causality.Mix(e.Loc.Addr, causality.Mix(e.Key, value)))
}

func historiesOf(t *trace.Trace) map[event.ThreadID][]uint64 {
	out := make(map[event.ThreadID][]uint64, len(t.Threads))
	for i := range t.Events {
		e := &t.Events[i]
		id := t.Threads[e.Thread].ID
		out[id] = append(out[id], history(last(out[id]), e, e.Value))
	}
	return out
}

func last(met []uint64) uint64 {
	if len(met) == 0 {
		return 0
	}
	return met[len(met)-1]
}

func (a *asked) add(t *trace.Trace, b Base) {
	if a.of == nil {
		a.of, a.by = make(map[*trace.Trace]int32), make(map[uint64][]int32)
	}
	at := int32(len(a.all))
	met := historiesOf(t)
	for _, hs := range met {
		for _, h := range hs {
			a.by[h] = append(a.by[h], at)
		}
	}
	a.of[t] = at
	a.all = append(a.all, inquired{t, b, met})
}

// answers reports whether some execution shows what a question asks for. All the questions that would be asked below
// the answer must have been asked below that execution.
func (a *asked) answers(g *goal) bool {
	if g.initial { // its value is not known
		return false
	}
	met := a.all[a.of[g.from]].met
	want := history(last(met[g.thread][:g.seq]), &g.from.Events[g.read], g.value)
next:
	for _, i := range a.by[want] {
		x := &a.all[i]
		if own := x.met[g.thread]; int(g.seq) >= len(own) || own[g.seq] != want || !x.base.within(g.base, g) {
			continue
		}
		for id, n := range g.base.events {
			if n > 0 && (len(x.met[id]) < int(n) || x.met[id][n-1] != met[id][n-1]) {
				continue next
			}
		}
		return true
	}
	return false
}

// baseOf returns a base for an execution that no question has led to, as if a question about the execution that has
// most in common with it had done so. all is that of with.
func (a *asked) baseOf(t *trace.Trace, all bool) Base {
	met := historiesOf(t)
	most, near := -1, (*inquired)(nil)
	for i := range a.all {
		n := 0
		for id, hs := range met {
			n += common(hs, a.all[i].met[id])
		}
		if n > most {
			most, near = n, &a.all[i]
		}
	}
	if near == nil || !near.base.holds(near.t, t) {
		return Base{}
	}
	for i := range t.Events {
		e := &t.Events[i]
		id := t.Threads[e.Thread].ID
		if int(e.Seq) >= common(met[id], near.met[id]) {
			return near.base.with(&goal{thread: id, seq: e.Seq}, all)
		}
	}
	return near.base
}

// common is the length of the beginning that two histories have in common.
func common(a, b []uint64) int {
	n := min(len(a), len(b))
	for n > 0 && a[n-1] != b[n-1] {
		n--
	}
	return n
}
