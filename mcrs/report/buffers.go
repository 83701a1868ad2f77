package report

import (
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
// buffer, -1 if it does not.
func (p pending) event(t *trace.Trace, i int) int {
	e := &t.Events[i]
	switch owner := ownerOf(t, e.Thread); {
	case e.Kind == event.Store:
		p[owner] = append(p[owner], i)
	case owner != e.Thread:
		at := slices.IndexFunc(p[owner], func(j int) bool { return t.Events[j].Loc.Addr == e.Loc.Addr })
		if at >= 0 && !isFresh(t, e) {
			p[owner] = slices.Delete(p[owner], at, at+1)
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
