package predict

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file cuts a trace into windows (PRED2).
//
// A window is a trace of its own: goroutines that were started before it are there from its start. What was locked, or
// counted up, before it looks wrong to the formula, which then keeps the order of all operations on it.

// windowsOf returns where the windows of a trace begin, never between the two halves of a rendezvous.
func windowsOf(t *trace.Trace) (starts []int) {
	for at := 0; ; at += windowEvents / 2 {
		from := at
		for from > 0 && from < len(t.Events) && split(t, from) {
			from--
		}
		starts = append(starts, from)
		if at+windowEvents >= len(t.Events) {
			return starts
		}
	}
}

// split reports whether a trace cut before an event would be cut between two halves.
func split(t *trace.Trace, at int) bool {
	p := t.Events[at].Partner
	return p >= 0 && int(p) < at
}

// part returns the window of a trace from an event to another.
func part(t *trace.Trace, from, to int) *trace.Trace {
	if to < len(t.Events) && split(t, to) {
		to--
	}
	out := &trace.Trace{Threads: slices.Clone(t.Threads), Events: slices.Clone(t.Events[from:to]), Cases: t.Cases}
	first := slices.Repeat([]int32{-1}, len(t.Threads)) // by goroutine, the Seq of its first event in the window
	for i := range out.Events {
		e := &out.Events[i]
		if first[e.Thread] < 0 {
			first[e.Thread] = e.Seq
		}
		e.Seq -= first[e.Thread]
		if e.Partner >= 0 {
			e.Partner -= int32(from)
		}
	}
	for i := range out.Threads {
		th := &out.Threads[i]
		th.Pending = nil
		if th.Spawn -= int32(from); th.Spawn < 0 || int(th.Spawn) >= len(out.Events) {
			th.Spawn = -1
		}
	}
	return out
}

// seedOf is the schedule of a part of a trace.
func seedOf(t *trace.Trace, from, to int) seed.Seed {
	s := make(seed.Seed, 0, to-from)
	for i := from; i < to; i++ {
		if step, ok := sched.StepAt(t, i); ok {
			s = append(s, step)
		}
	}
	return s
}
