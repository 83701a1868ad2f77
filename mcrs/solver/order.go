package solver

import (
	"cmp"
	"slices"
)

// This file defines the theory of acyclicity: a directed graph that grows and
// shrinks like a stack, and a topological order of it that is repaired on growth.

// An arc is one end of an edge; lit is the order atom it stands for, 0 for a
// static edge.
type arc struct {
	node Node
	lit  Lit
}

type orderGraph struct {
	out, in [][]arc
	// Invariant: at[pos[n]] == n, and pos[a] < pos[b] for each edge a → b.
	pos []int32
	at  []Node

	reorders int64

	// Scratch of one insertion. A node is marked if seen[n] == round.
	seen   []int32
	round  int32
	parent []arc // of a node found forward: the edge that found it
	fwd    []Node
	bwd    []Node
	slots  []int32
}

func (g *orderGraph) newNode() Node {
	n := Node(len(g.pos))
	g.out, g.in = append(g.out, nil), append(g.in, nil)
	g.pos, g.at = append(g.pos, int32(n)), append(g.at, n)
	g.seen, g.parent = append(g.seen, 0), append(g.parent, arc{})
	return n
}

// add inserts the edge a → b for l. If that closes a cycle, the graph stays as
// it was, and add returns the clause that forbids the cycle.
func (g *orderGraph) add(a, b Node, l Lit) (conflict []Lit, ok bool) {
	if a == b {
		return g.explain(a, b, l), false
	}
	if g.pos[a] > g.pos[b] {
		if !g.forward(b, a) {
			return g.explain(a, b, l), false
		}
		g.backward(a, g.pos[b])
		g.reorder()
	}
	g.out[a] = append(g.out[a], arc{b, l})
	g.in[b] = append(g.in[b], arc{a, l})
	return nil, true
}

// pop removes the edge a → b, which must be the last one added at both ends.
func (g *orderGraph) pop(a, b Node) {
	g.out[a] = g.out[a][:len(g.out[a])-1]
	g.in[b] = g.in[b][:len(g.in[b])-1]
}

// restore gives the nodes the order in which they were made, unless an edge forbids it.
func (g *orderGraph) restore() {
	for a, arcs := range g.out {
		for _, e := range arcs {
			if e.node < Node(a) {
				return
			}
		}
	}
	for n := range g.pos {
		g.pos[n], g.at[n] = int32(n), Node(n)
	}
}

func (g *orderGraph) nextRound() {
	g.round++
	if g.round < 0 { // wrapped
		clear(g.seen)
		g.round = 1
	}
}

// forward collects in fwd what is reachable from b at or before goal's
// position. It reports whether goal is not among it.
func (g *orderGraph) forward(b, goal Node) bool {
	g.nextRound()
	g.seen[b] = g.round
	g.fwd = append(g.fwd[:0], b)
	for i := 0; i < len(g.fwd); i++ {
		n := g.fwd[i]
		for _, e := range g.out[n] {
			if g.seen[e.node] == g.round || g.pos[e.node] > g.pos[goal] {
				continue
			}
			g.seen[e.node] = g.round
			g.parent[e.node] = arc{n, e.lit}
			if e.node == goal {
				return false
			}
			g.fwd = append(g.fwd, e.node)
		}
	}
	return true
}

// backward collects in bwd what reaches a, at or after position low.
func (g *orderGraph) backward(a Node, low int32) {
	// The sets of forward and backward are disjoint, or there were a cycle.
	g.seen[a] = g.round
	g.bwd = append(g.bwd[:0], a)
	for i := 0; i < len(g.bwd); i++ {
		for _, e := range g.in[g.bwd[i]] {
			if g.seen[e.node] != g.round && g.pos[e.node] >= low {
				g.seen[e.node] = g.round
				g.bwd = append(g.bwd, e.node)
			}
		}
	}
}

// reorder gives the positions of bwd and fwd to bwd first, then fwd, each in its old order.
func (g *orderGraph) reorder() {
	g.reorders++
	byPos := func(a, b Node) int { return cmp.Compare(g.pos[a], g.pos[b]) }
	slices.SortFunc(g.bwd, byPos)
	slices.SortFunc(g.fwd, byPos)
	g.bwd = append(g.bwd, g.fwd...)
	g.slots = g.slots[:0]
	for _, n := range g.bwd {
		g.slots = append(g.slots, g.pos[n])
	}
	slices.Sort(g.slots)
	for i, n := range g.bwd {
		g.pos[n] = g.slots[i]
		g.at[g.slots[i]] = n
	}
}

// explain returns the negated atoms of the cycle that a → b closes with the
// path b → … → a that forward has just found.
func (g *orderGraph) explain(a, b Node, l Lit) []Lit {
	var clause []Lit
	if l != 0 {
		clause = append(clause, l.Not())
	}
	for n := a; n != b; n = g.parent[n].node {
		if e := g.parent[n].lit; e != 0 {
			clause = append(clause, e.Not())
		}
	}
	return clause
}
