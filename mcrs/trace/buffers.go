package trace

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file is about store buffers under a relaxed memory model: which events have waited for one, and what is on its
// way when an object becomes shared.

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

// Unpublished returns what a publication leaves in memory: words that are still on their way are zero (rule BUF7 of the
// Go machine).
func (t *Trace) Unpublished(p *Publication) []byte {
	b := t.Bytes[p.Offset : p.Offset+p.Size]
	if t.Memory != event.PSO {
		return b
	}
	copied := false
	for i := range t.Threads {
		x := &t.Threads[i]
		if x.Buffers == 0 || x.Spawn != p.Event || x.Queue < p.Addr || x.Queue >= p.Addr+uint64(p.Size) {
			continue
		}
		if !copied {
			b, copied = slices.Clone(b), true
		}
		word := b[x.Queue-p.Addr:]
		clear(word[:min(8, len(word))])
	}
	return b
}
