package settled

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file finds accesses that are made only where the program rejects the execution: rule BEHIND14. A test that looks
// at x without a lock, to say in its message what x is, has failed by then, and says so next.
//
// Behind such an access its goroutine says why the test fails, whatever it meets, and on the way there it never waits.
// So an execution that has the access, and does not say so, is one that somebody has ended in between. No goroutine
// ends a program, but by a call of panic, which has the execution rejected too. So all executions with the access are
// (UREJECT1, UREJECT3). Those in which the clock never moves early are of the first regime, which looks for their races
// itself (BEHIND10).

// rejecting finds where executions are rejected.
type rejecting struct {
	rules spec.Rules
	ended bool           // an operation may end the program, and not have the execution rejected
	sure  map[int32]bool // by node: whether its goroutine fails the test whatever comes
}

func newRejecting(k spec.Rules) *rejecting {
	x := &rejecting{rules: k, ended: !k.Timing, sure: make(map[int32]bool)}
	for i := range k.Edges {
		e := &k.Edges[i]
		x.ended = x.ended || e.Kind.EndsProgram() && (e.Kind != event.Panic || e.Fails()&spec.PanicCalled == 0)
	}
	return x
}

// Rejected reports whether every execution with an access is rejected.
func (f *Finder) Rejected(a *Spots) bool {
	x := f.rejecting
	if x.ended {
		return false
	}
	for _, n := range a.Nodes {
		if !x.fails(n) {
			return false
		}
	}
	return true
}

// fails reports whether the goroutine at a node says why the test fails, whatever it meets, without ever waiting. One
// that goes round does not.
func (x *rejecting) fails(n int32) bool {
	if sure, ok := x.sure[n]; ok {
		return sure
	}
	x.sure[n] = false
	node := &x.rules.Nodes[n]
	if !node.Known || len(node.Edges) == 0 || node.Op.IsSelect() || node.Op.Kind.CanWait() {
		return false
	}
	for _, e := range node.Edges {
		if y := &x.rules.Edges[e]; y.Fails()&spec.SaysWhy == 0 && (y.Kind.EndsThread() || !x.fails(y.To)) {
			return false
		}
	}
	x.sure[n] = true
	return true
}
