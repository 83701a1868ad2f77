package causality

import "github.com/heddle-go/heddle/mcrs/event"

// Balanced reports whether the adds of each wait group may be taken to commute
// (the first form of rule DEP4): each unit of a negative add can be given a unit of
// a positive add of its own that happens before it. Then no configuration inside the
// trace brings a counter below zero, so no order of the adds panics. The match
// is greedy, with the latest add first; a match missed costs executions, not soundness.
func (g *Graph) Balanced() bool {
	type unit struct {
		at   Ref
		left int64
	}
	adds := make(map[uint64][]unit)
	for i := range g.Trace.Events {
		e := &g.Trace.Events[i]
		if e.Kind != event.WaitGroupAdd {
			continue
		}
		if g.overwritten(event.Bytes(e.Kind, e.Loc, e.Key)) {
			return false
		}
		d := int64(e.Value)
		us := adds[e.Loc.Addr]
		for j := len(us) - 1; j >= 0 && d < 0; j-- {
			if u := &us[j]; u.left > 0 && g.Knows(e.Thread, e.Seq, u.at) {
				n := min(u.left, -d)
				u.left -= n
				d += n
			}
		}
		if d < 0 {
			return false
		}
		if d > 0 {
			adds[e.Loc.Addr] = append(us, unit{Ref{e.Thread, e.Seq}, d})
		}
	}
	return true
}
