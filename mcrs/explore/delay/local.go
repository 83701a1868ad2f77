package delay

import (
	"iter"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file leaves out departures that make no difference (rules DELAY1 to DELAY3 of Explorer).

// A place is an operation of a line of code on an address.
type place struct {
	site event.Site
	addr uint64
}

// end is the place of the end of a goroutine, which meets nothing.
var end = place{addr: 1}

// placeOf is where a thread stands if its operation is local until it is seen to meet another (DELAY2). The zero place
// is none.
func placeOf(th *sched.Thread) place {
	op := th.Op
	if op.Kind == event.End && th.ID != "G1" {
		return end
	}
	switch op.Kind.Object() {
	case event.Memory, event.Whole, event.Map, event.Mutex, event.Once:
		if op.Site != 0 {
			return place{op.Site, op.Loc.Addr}
		}
	}
	return place{}
}

// A turn is where a goroutine stands whose turn it is.
type turn struct {
	at     place
	sentTo bool // others stand at sends to the goroutine that has taken the last step
}

// turnAt is that of the goroutine of a transition.
func turnAt(s *sched.State, n int) turn {
	sentTo := s.Last >= 0 && slices.ContainsFunc(s.Enabled, func(t sched.Transition) bool { return t.Partner == s.Last })
	return turn{placeOf(&s.Threads[s.Enabled[n].Thread]), sentTo}
}

// received reports whether at a point who has taken the step before it is sent to (DELAY4).
func received(points []point, turns []turn, i int) bool {
	return i < len(points) && turns[i].sentTo && points[i].step == points[i-1].step+1
}

// meetings are the places that are not local.
type meetings struct {
	at    map[place]bool
	all   bool // nothing is (DELAY3)
	fresh bool // something has been added
	left  []leftOut
}

// A leftOut is a point of a run at which nobody departs, and the place because of which.
type leftOut struct {
	position
	at place
}

// A position is a point of a run.
type position struct{ bound, run, point int32 }

// local reports whether departures from an operation at a place are left out.
func (m *meetings) local(at place) bool { return !m.all && at != place{} && !m.at[at] }

// learn notes what meets in an execution, done or pending. It returns what was left out, and is not any more.
func (m *meetings) learn(g *causality.Graph) []position {
	if m.all {
		return nil
	}
	m.fresh = false
	if g == nil || g.Counts || g.Looks || g.Trace.Memory != event.SC || bubbled(g.Trace) {
		m.all, m.fresh = true, true
	} else {
		m.look(g)
	}
	return m.found()
}

// look notes the places where something is touched that two goroutines touch in no order.
func (m *meetings) look(g *causality.Graph) {
	for i, op := range pending(g) {
		ts := g.PlainTouches(i, op.Kind, op.Loc, op.Key)
		g.DepsOf(causality.Ref{Thread: i, Seq: int32(len(g.Lines[i].Events))}, ts) // for CellUse.Raced
	}
	for i, op := range pending(g) {
		m.meet(g, g.PlainTouches(i, op.Kind, op.Loc, op.Key), place{op.Site, op.Loc.Addr})
	}
	for i := range g.Trace.Events {
		e := &g.Trace.Events[i]
		m.meet(g, g.Touches[i], place{e.Site, e.Loc.Addr})
	}
}

// pending are the operations at which goroutines stand at the end.
func pending(g *causality.Graph) iter.Seq2[int32, *event.Op] {
	return func(yield func(int32, *event.Op) bool) {
		for i := range g.Lines {
			if op := g.Trace.Threads[i].Pending; op != nil && !op.IsSelect() && !yield(int32(i), op) {
				return
			}
		}
	}
}

func (m *meetings) meet(g *causality.Graph, ts []causality.Touch, at place) {
	if !m.at[at] && slices.ContainsFunc(ts, func(t causality.Touch) bool { return g.Cells[t.Cell].Raced }) {
		m.at[at], m.fresh = true, true
	}
}

// found takes what is not left out any more.
func (m *meetings) found() (found []position) {
	if !m.fresh {
		return nil
	}
	left := m.left[:0]
	for _, x := range m.left {
		if m.local(x.at) {
			left = append(left, x)
		} else {
			found = append(found, x.position)
		}
	}
	m.left = left
	return found
}

// bubbled reports whether an execution has bubbles of testing/synctest.
func bubbled(t *trace.Trace) bool {
	for i := range t.Threads {
		if t.Threads[i].Bubble != 0 {
			return true
		}
	}
	return false
}

// unfair reports whether goroutines that could go on are not all taken in turns: somebody polls, gives way, ends the
// program or is early.
func unfair(s *sched.State) bool {
	if len(s.Idle) > 0 || len(s.Held) > 0 {
		return true
	}
	for _, t := range s.Enabled {
		if th := &s.Threads[t.Thread]; th.Spin || th.Early || th.Op.Kind == event.Yield || s.Ends(t) {
			return true
		}
	}
	return false
}
