package race

import (
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file finds the races that an execution hides by accident. Writing bytes is before every later reading of bytes
// (SYNC13), but a write of one file and a read of another are independent. An explorer that executes one of the orders
// of independent operations has one of the two in which they may come.

// A Hidden is a race that an execution has in some order of its independent operations. Writes are the events after
// which goroutines that knew of the first access wrote bytes: what need not come after one of these comes before it.
type Hidden struct {
	Pair
	Writes []int32
}

// Causes reports whether event i of a trace comes before what a goroutine does after its first n events, in every order
// of independent operations.
type Causes func(thread, n, i int32) bool

// A written is what a goroutine knew when it wrote bytes.
type written struct {
	after int32 // the event after which it did, or that wrote
	knew  clock
}

// ByAccident lists the races that a trace has if a read of bytes is after the writes alone that must come before it
// (SYNC17), and that it need not have as it is. No more than the first of each pair of sites is listed. all is as of
// Search.
func ByAccident(t *trace.Trace, causes Causes) (found []Hidden, all bool) {
	if t.Memory != event.SC || !movesBeside(t) {
		return nil, true
	}
	s := begin(t)
	if s == nil {
		return nil, true
	}
	defer s.end()
	s.causes, s.written = causes, make([][]written, len(t.Threads))
	defer func() { s.causes, s.written = nil, nil }()
	for i := range int32(len(t.Events)) {
		if s.made > MaxNodes {
			return nil, false
		}
		s.event(i)
	}
	for _, p := range s.found {
		h, a := Hidden{Pair: p}, &t.Events[p.First]
		for _, of := range s.written {
			for _, w := range of {
				if w.knew.get(a.Thread) > a.Seq && w.after >= 0 {
					h.Writes = append(h.Writes, w.after)
					break // those of its goroutine that come later are after it
				}
			}
		}
		if len(h.Writes) > 0 {
			found = append(found, h)
		}
	}
	return found, true
}

// movesBeside reports whether one goroutine reads bytes after another one has written some.
func movesBeside(t *trace.Trace) bool {
	writer, several := int32(-1), false
	looks := func(e *event.Event) bool {
		switch moved(e) {
		case event.KernelWrite:
			several = several || writer >= 0 && writer != e.Thread
			writer = e.Thread
		case event.KernelRead:
			return several || writer >= 0 && writer != e.Thread
		}
		return false
	}
	silent := t.Silent
	for i := range t.Events {
		for ; len(silent) > 0 && silent[0].At <= int32(i); silent = silent[1:] {
			if looks(&silent[0].Op) {
				return true
			}
		}
		if looks(&t.Events[i]) {
			return true
		}
	}
	return false
}

// moved says whether an operation writes bytes of files, or reads some, as its key on the kernel does; 0 if neither.
func moved(e *event.Event) uint64 {
	switch {
	case e.Kind == event.FileRead || e.Kind == event.FileWrite:
		return uint64(e.Loc.Size)
	case (e.Kind == event.ObjectRead || e.Kind == event.ObjectWrite) && e.Loc.Addr == event.Kernel:
		return e.Key
	}
	return 0
}

// lastEvent is the event after which a goroutine does what it does now: its last one, or that which has started it, -1
// if nothing has.
func (o *order) lastEvent(thread int32) int32 {
	if i := o.last[thread]; i >= 0 {
		return i
	}
	return o.t.Threads[thread].Spawn
}

// wrote notes that a goroutine writes bytes.
func (o *order) wrote(thread int32) {
	o.written[thread] = append(o.written[thread], written{o.lastEvent(thread), o.threads[thread].now()})
}

// read has a goroutine know what the writes leave that must come before its read (SYNC17).
func (o *order) read(thread int32) {
	v := &o.threads[thread]
	for _, of := range o.written {
		n := sort.Search(len(of), func(i int) bool { return of[i].after >= 0 && !o.causes(thread, v.count, of[i].after) })
		if n > 0 { // the last one knows what those before it do
			o.learn(v, of[n-1].knew)
		}
	}
}
