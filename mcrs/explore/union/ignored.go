package union

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file has executions ignore what nothing acts upon. Package sdg says which loads and atomic additions return such
// values, for the functions that executions have called so far. An execution that ignores them differs from one that
// does not in these values alone (docs/completeness.md). So what it shows is the same, and fewer are needed.
//
//	IGNORE1  An exploration that has not ended after some executions begins again with executions that ignore, if that
//	         may save some: where an operation was seen to find several values that it may ignore.
//	IGNORE2  It begins again when executions call functions that act upon something that was ignored. As long as none
//	         does, all that they can show is what executions of the functions called so far show: the way to the first
//	         call of another function leads through these alone, so an execution shows it.
//
// Replays ignore nothing: so every finding has an execution of the program as it is.

// ignoreAfter is after how many executions it is asked what can be ignored. It takes longer than most tests do.
const ignoreAfter = 32

// mostBeginnings is how often an exploration begins again. Then nothing is ignored any more.
const mostBeginnings = 4

// Ignoring says what executions may ignore, as far as the functions that were called first tell. changed says that they
// may not ignore any more what the last answer said. of is nil if there is nothing to ignore.
type Ignoring func(called int) (of func(event.Site) bool, changed bool)

// ignorance is what an exploration ignores.
type ignorance struct {
	ask   Ignoring
	of    func(event.Site) bool
	begun int  // beginnings
	first bool // Explorer.IgnoreFirst
	next  int  // after how many executions it is asked what can be ignored
}

// mayIgnore asks what can be ignored, once an execution was made. It reports whether the exploration must begin again.
// The execution itself may then have acted upon what it ignored.
func (u *unite) mayIgnore(x request) bool {
	g := &u.ignorance
	if g.ask == nil || g.begun > mostBeginnings || !g.first && u.Result.Stats.Executions < max(g.next, ignoreAfter) {
		return false
	}
	var of func(event.Site) bool
	changed := false
	u.team.Still(func() { of, changed = g.ask(*x.called) }) // what was called is the machine's
	switch {
	case g.of != nil && !changed:
		return false
	case g.of == nil && (of == nil || !g.first && !u.worth(of)):
		g.next = 2 * u.Result.Stats.Executions
		return false
	}
	if g.begun++; g.begun > mostBeginnings {
		of = nil
	}
	g.of = of
	return true
}

// beginAgain drops what is known, and what was asked for.
func (u *unite) beginAgain() {
	for _, x := range u.asked {
		u.team.Wait(x.run)
		u.NoteCost(x.run)
	}
	u.asked, u.left = nil, nil
	u.end()
	u.e = anew(u.e)
	u.begin()
	u.ask(Task{})
}

// worth reports whether an operation that can be ignored was seen to find several values (IGNORE1).
func (u *unite) worth(of func(event.Site) bool) bool {
	for n := range u.e.Nodes {
		if x := &u.e.Nodes[n]; x.Known && x.Op.Kind.IsAccess() && x.Op.Kind.Reads() && len(x.Edges) > 1 && of(x.Op.Site) {
			return true
		}
	}
	return false
}

// anew returns an engine without knowledge that has the same options.
func anew(e *Engine) *Engine {
	out := New()
	out.Apart, out.NoMerge, out.MergeFirst, out.Full, out.Retry, out.Stop = e.Apart, e.NoMerge, e.MergeFirst, e.Full, e.Retry, e.Stop
	out.Distinct, out.allowance, out.Share, out.Stats.States = e.Distinct, e.allowance, e.Share, e.Stats.States
	return out
}
