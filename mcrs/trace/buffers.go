package trace

import "github.com/heddle-go/heddle/mcrs/event"

// This file is about store buffers under a relaxed memory model: which events have waited for one.

// Drained reports whether an event, of a goroutine, has waited until its goroutine's store buffer was empty (rule BUF4
// of the Go machine).
func (t *Trace) Drained(e *event.Event) bool {
	switch {
	case e.Kind == event.SelectDefault:
		return len(t.Cases[e.Cases]) > 1
	case e.Kind.Tries() && e.Value == 0:
		return event.IsRW(e.Key)
	}
	return e.Swap || (&event.Op{Kind: e.Kind, Loc: e.Loc, Key: e.Key}).AwaitsBuffer()
}
