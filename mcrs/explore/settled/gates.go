package settled

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file says which accesses a Once keeps apart: rule BEHIND7. One is made by the Once's function, the other by a
// goroutine that is always behind the Once when it makes it. A goroutine is behind a Once when its own Do has returned,
// or when one that was behind it has started the goroutine, or the timer that did.
//
// Let G make the first in an execution, and H the second. A Once runs one function in an execution (UONCE1: if not, the
// specification and the machine would not agree). So G ran it, and no other goroutine did. Somebody's Do has returned
// before H made its access: H's own, or that of one by whom it was started, with all between. If it was G's, the
// function had ended; if it was another's, it has waited for that end (SYNC6). Either way the end of the function is
// synchronised with H's access, and G's access comes before that end. So the two never race. This covers OnceFunc and
// OnceValue, and every table that is filled by a Once.

// gates says where goroutines are behind Onces.
type gates struct {
	rules  spec.Rules
	before map[int32]known.Bits // by Once: nodes to which a way leads that is not behind it
}

// precedes reports whether a Once's function makes a, and b is behind the Once.
func (g *gates) precedes(a, b *Spots) bool {
	return slices.ContainsFunc(a.Locks, func(h known.Held) bool {
		if g.rules.Objects[h.Object].Space != known.SpaceOnce {
			return false
		}
		before := g.beforeOf(h.Object)
		return !slices.ContainsFunc(b.Nodes, before.Has)
	})
}

// beforeOf returns the nodes to which a way leads that is not behind a Once.
func (g *gates) beforeOf(once int32) known.Bits {
	if before, ok := g.before[once]; ok {
		return before
	}
	var before known.Bits
	var todo []int32
	add := func(n int32) {
		if n > 0 && !before.Has(n) {
			before.Set(n)
			todo = append(todo, n)
		}
	}
	for n := range g.rules.Nodes {
		if x := &g.rules.Nodes[n]; x.Parent < 0 && len(x.Spawners) == 0 {
			add(int32(n))
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range g.rules.Nodes[n].Edges {
			if g.passes(e, once) {
				continue
			}
			for _, to := range g.rules.Leads(e) {
				add(to)
			}
		}
	}
	if g.before == nil {
		g.before = make(map[int32]known.Bits)
	}
	g.before[once] = before
	return before
}

// passes reports whether a Do of a Once returns at an edge.
func (g *gates) passes(e, once int32) bool {
	x := &g.rules.Edges[e]
	returns := x.Kind == event.OnceEnd || x.Kind == event.OnceBegin && x.Reply.Value == 0
	return returns && g.rules.ActOf(x.From).Object == once
}
