package report

import (
	"fmt"
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file is about store buffers (docs/memory.md). What a buffer brings to memory is shown in the column of its
// goroutine, as a step of its own; a read of what is still in the buffer comes from the store.

// ownerOf is the goroutine whose store buffer a thread is, or the thread.
func ownerOf(t *trace.Trace, thread int32) int32 {
	if thread >= 0 && int(thread) < len(t.Threads) && t.Threads[thread].Buffers > 0 {
		return t.Threads[thread].Buffers - 1
	}
	return thread
}

// isFlush reports whether an event brings a store from a buffer to memory.
func isFlush(t *trace.Trace, e *event.Event) bool { return ownerOf(t, e.Thread) != e.Thread }

// isFresh reports whether a flush brings a word of an object to memory that a store has published (rule BUF7 of the
// Go machine). No event has stored it.
func isFresh(t *trace.Trace, flush *event.Event) bool {
	return flush.Seq == 0 && t.Threads[flush.Thread].Spawn >= 0
}

// flushed names what a flush brings to memory. Its site is that of the store, and name is of what that stores to.
func flushed(t *trace.Trace, e *event.Event, name string) string {
	switch {
	case name == "":
		return "memory"
	case isFresh(t, e):
		return "what " + name + " leads to"
	}
	return name
}

// touchesMemory reports whether an event is an access, or will be one when it reaches memory.
func touchesMemory(e *event.Event) bool { return e.Kind.IsAccess() || e.Kind == event.Store }

// A pending is the stores that are still in buffers, by goroutine: indices of events, oldest first.
type pending map[int32][]int

// event takes note of an event. It returns the store from which an event reads what its own goroutine has in the
// buffer, or which it brings to memory, -1 if it does neither.
func (p pending) event(t *trace.Trace, i int) int {
	e := &t.Events[i]
	switch owner := ownerOf(t, e.Thread); {
	case e.Kind == event.Store:
		p[owner] = append(p[owner], i)
	case owner != e.Thread:
		at := slices.IndexFunc(p[owner], func(j int) bool { return t.Events[j].Loc.Addr == e.Loc.Addr })
		if at >= 0 && !isFresh(t, e) {
			j := p[owner][at]
			p[owner] = slices.Delete(p[owner], at, at+1)
			return j
		}
	case e.Kind.IsAccess() && e.Kind.Reads():
		for _, j := range slices.Backward(p[owner]) {
			if t.Events[j].Loc.Overlaps(e.Loc) {
				return j
			}
		}
	}
	return -1
}

// An Overtaking is an access of a goroutine that comes before what another has stored is in memory, though the store
// was made first: the indices of the store, or of the one that publishes what is accessed, and of the access. That is a
// read, or a write that reaches memory. Nothing orders the two, or the store would be in memory (rule BUF4 of the Go
// machine): so they race. A trace without one is that of a sequentially consistent execution, in which each store is
// done at once.
type Overtaking struct{ Store, Access int }

// Overtakings lists them, those with the same sites once.
func Overtakings(t *trace.Trace) (out []Overtaking) {
	if t.Memory == event.SC {
		return nil
	}
	stored, fresh := pending{}, freshOf(t)
	seen := map[[2]event.Site]bool{}
	for i := range t.Events {
		e := &t.Events[i]
		made := stored.event(t, i)
		if isFlush(t, e) && isFresh(t, e) {
			delete(fresh, e.Thread)
		}
		if !e.Kind.IsAccess() {
			continue
		}
		if e.Kind.Reads() || made < 0 {
			made = i
		}
		note := func(store int) {
			if s := &t.Events[store]; store < made && s.Thread != ownerOf(t, e.Thread) && !seen[[2]event.Site{s.Site, e.Site}] {
				seen[[2]event.Site{s.Site, e.Site}] = true
				out = append(out, Overtaking{store, i})
			}
		}
		for _, store := range slices.Sorted(maps.Keys(stored.stores())) {
			if t.Events[store].Loc.Overlaps(e.Loc) {
				note(store)
			}
		}
		for _, b := range slices.Sorted(maps.Keys(fresh)) {
			word := event.Location{Addr: t.Threads[b].Queue, Size: fresh[b]}
			if word.Overlaps(e.Loc) {
				note(int(t.Threads[b].Spawn))
			}
		}
	}
	return out
}

// stores is the set of the stores that are in buffers.
func (p pending) stores() map[int]bool {
	all := map[int]bool{}
	for _, of := range p {
		for _, i := range of {
			all[i] = true
		}
	}
	return all
}

// freshOf returns, by threads of buffers, the sizes of the words that stores publish and that are on their way then.
func freshOf(t *trace.Trace) map[int32]uint32 {
	words := map[int32]uint32{}
	for i := range t.Events {
		if e := &t.Events[i]; isFlush(t, e) && isFresh(t, e) {
			words[e.Thread] = e.Loc.Size
		}
	}
	return words
}

// relateOvertakings adds the accesses that come before stores of others are in memory: without these a relaxed memory
// model shows nothing that sequential consistency does not.
func relateOvertakings(v *View, t *trace.Trace, add func(frames []trace.Frame, format string, args ...any)) {
	all := Overtakings(t)
	for _, o := range all[:min(len(all), maxListed)] {
		store := &t.Events[o.Store]
		by := id(t, int(store.Thread))
		add(v.frames(t, o.Access), "%s before what %s has stored is in memory", overtakes(&v.Code, t, o.Access), by)
		add(v.frames(t, o.Store), "%s stores this, and it waits in a buffer: a lock, or sync/atomic, would not let it", by)
	}
}

// overtakes says what an access does that comes before a store is in memory: "G1.2 reads x".
func overtakes(v *Code, t *trace.Trace, access int) string {
	e, does := &t.Events[access], "reads"
	if !e.Kind.Reads() {
		does = "writes"
	}
	return fmt.Sprintf("%s %s %s", id(t, int(ownerOf(t, e.Thread))), does, v.variable(e, "memory"))
}
