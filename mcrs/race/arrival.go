package race

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file has what an operation touches because of where others stood when its goroutine came to it: a Wait that had
// to wait (RACE9), a Do that came before the function had ended (RACE10), and an operation on a sync.Map that may have
// come before the first one had ended (RACE6). It also has what comes after such an end (RACE11).

// An ended is the last end of the function of a Once, or the first operation on a sync.Map.
type ended struct {
	at    int32
	found []int32 // operations that have found that it is over, the first of each thread
}

// arrival reports whether it matters to what an operation touches when its goroutine came, or what others touch.
func arrival(e *event.Event) bool {
	return e.Kind == event.WaitGroupWait || e.Kind == event.OnceBegin || e.Kind == event.OnceEnd || event.OfMap(e)
}

// arrives notes what the current operation, event i, touches besides what its event says, and whether it has come to an
// end, or found one.
func (s *search) arrives(i int32) {
	e := &s.t.Events[i]
	switch {
	case e.Kind == event.WaitGroupWait:
		s.more = s.hadToWait(i)
	case e.Kind == event.OnceEnd || event.OfMap(e) && e.Other&event.MapUsed != 0:
		s.ends[e.Loc.Addr] = &ended{at: i}
	case e.Kind == event.OnceBegin && e.Value != 0:
	default:
		end := s.ends[e.Loc.Addr]
		if end == nil {
			return // it was over before others could reach the object
		}
		f := &s.t.Events[end.at]
		if f.Thread != e.Thread && f.Seq >= s.came.get(f.Thread) && !s.finds(end, s.came) {
			if s.more = s.cameAfter(i) < end.at; !s.more {
				s.over = end.at
			}
		}
		for _, k := range end.found {
			if s.t.Events[k].Thread == e.Thread {
				return
			}
		}
		end.found = append(end.found, i)
	}
}

// finds reports whether who knows c knows of an operation that has found the end.
func (s *search) finds(end *ended, c clock) bool {
	for _, k := range end.found {
		if d := &s.t.Events[k]; d.Seq < c.get(d.Thread) {
			return true
		}
	}
	return false
}

// whenItCame reports whether what an operation touches it touches when its goroutine comes to it. It then says nothing
// of what the operation is after, and the order of what races with it matters to nobody.
func whenItCame(e *event.Event, more bool) bool {
	return e.Kind == event.WaitGroupWait || more && e.Kind == event.OnceBegin
}

// touchingMore returns e as the first operation on a sync.Map (RACE6), as a Wait that had to wait (RACE9), or as a Do
// that takes the Mutex of the Once (RACE10), if it may be that.
func touchingMore(e *event.Event, more bool) *event.Event {
	if !more {
		return e
	}
	f := *e
	switch e.Kind {
	case event.WaitGroupWait:
		return event.Waited(e)
	case event.OnceBegin:
		f.Value = 1 // the Do that runs the function touches the same
	default:
		f.Other |= event.MapUsed
	}
	return &f
}

// unknown returns what of event f is not before what a goroutine does that knows c, but not f. Of an end that it has
// found over, that is the Unlock (RACE11).
func (s *search) unknown(f *event.Event, index int32, c clock) *event.Event {
	if f.Kind != event.OnceEnd && !event.OfMap(f) {
		return f
	}
	if end := s.ends[f.Loc.Addr]; end == nil || end.at != index || !s.finds(end, c) {
		return f
	}
	return event.UnlockOf(f)
}

// precedes reports whether event f stands before what a goroutine does that knows c, in the orders of events that are
// tried. Who has found that a function is over knows all before its end, but not the end (RACE11).
func precedes(f *event.Event, c clock) bool {
	known := c.get(f.Thread)
	return f.Seq < known || f.Seq == known && (f.Kind == event.OnceEnd || event.OfMap(f) && f.Other&event.MapUsed != 0)
}

// doubt notes that event i and an earlier access, of which nothing orders the two, race if the one that is an operation
// of package sync comes earlier than it did in the trace.
func (s *search) doubt(a access, i int32) {
	f, e := &s.t.Events[a.index], &s.t.Events[i]
	d := doubted{Pair: Pair{a.index, i}, end: -1}
	switch {
	case e.Kind == event.WaitGroupWait:
		d.knows = s.threads[e.Thread].now()
	case f.Kind == event.WaitGroupWait:
		d.knows = a.knows
	case s.over >= 0:
		d.of, d.end = i, s.over
	case a.over >= 0:
		d.of, d.end = a.index, a.over
	default:
		return
	}
	if Conflict(touchingMore(f, true), touchingMore(e, true)) {
		s.doubted = append(s.doubted, d)
	}
}

// cameAfter returns the event after which the goroutine of event i stood at its operation: its last one before, or that
// which started it.
func (s *search) cameAfter(i int32) int32 {
	e := &s.t.Events[i]
	for k := i - 1; k >= 0; k-- {
		if f := &s.t.Events[k]; f.Thread == e.Thread || f.Partner >= 0 && s.t.Events[f.Partner].Thread == e.Thread {
			return k
		}
	}
	return s.t.Threads[e.Thread].Spawn
}

// beforeEnd returns the events of a trace up to the second of a pair, with an end as late as the order of all others
// allows: so the operation that may come before it does.
func beforeEnd(t *trace.Trace, p *doubted) []int32 {
	end := &t.Events[p.end]
	events, back := heldBack(t, p.of, func(k int32, f *event.Event) bool {
		return k == p.end || k > p.end && f.Kind == event.OnceBegin && f.Loc == end.Loc
	})
	events = append(events, back...)
	for k := p.of; k <= p.Second; k++ {
		events = append(events, k)
	}
	return events
}

// heldBack returns the events of a trace before some event without those that are to be held back, and without what
// comes after these, and then those that are left out.
func heldBack(t *trace.Trace, until int32, hold func(k int32, f *event.Event) bool) (events, back []int32) {
	o := newOrder()
	o.begin(t)
	held := make(map[int32]int32) // by thread, its first event that is held back
	for k := range until {
		o.before(k)
		o.perform(k)
		f := &t.Events[k]
		_, is := held[f.Thread]
		if !is && hold(k, f) {
			is, held[f.Thread] = true, f.Seq
		}
		for thread, seq := range held {
			if !is && o.threads[f.Thread].get(thread) > seq {
				is, held[f.Thread] = true, f.Seq
			}
		}
		if is {
			back = append(back, k)
		} else {
			events = append(events, k)
		}
	}
	return events, back
}
