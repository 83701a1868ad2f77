package solver

import (
	"math/rand/v2"
	"testing"
)

// TestOrderGraph adds and pops random edges, and compares with a graph searched from scratch.
func TestOrderGraph(t *testing.T) {
	for seed := range 300 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		var g orderGraph
		n := 2 + r.IntN(12)
		for range n {
			g.newNode()
		}
		var stack [][2]Node
		var reaches func(a, b Node, depth int) bool
		reaches = func(a, b Node, depth int) bool {
			if a == b {
				return true
			}
			for _, e := range stack {
				if depth > 0 && e[0] == a && reaches(e[1], b, depth-1) {
					return true
				}
			}
			return false
		}
		for range 60 {
			if len(stack) > 0 && (r.IntN(4) == 0 || len(stack) > 14) {
				e := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				g.pop(e[0], e[1])
				continue
			}
			if r.IntN(4) == 0 {
				g.restore()
			}
			a, b := Node(r.IntN(n)), Node(r.IntN(n))
			cycle := reaches(b, a, n)
			conflict, ok := g.add(a, b, Lit(len(stack)+1))
			if ok == cycle {
				t.Fatalf("seed %d: add(%d, %d) = %v, a path back: %v", seed, a, b, ok, cycle)
			}
			if ok {
				stack = append(stack, [2]Node{a, b})
			} else {
				checkCycle(t, stack, a, b, conflict)
			}
			for _, e := range stack {
				if g.pos[e[0]] >= g.pos[e[1]] {
					t.Fatalf("seed %d: edge %v points backwards", seed, e)
				}
			}
			for i, x := range g.at {
				if g.pos[x] != int32(i) {
					t.Fatalf("seed %d: at and pos disagree", seed)
				}
			}
		}
	}
}

// checkCycle follows an explanation, which is a → b and then the path from a backwards.
func checkCycle(t *testing.T, stack [][2]Node, a, b Node, conflict []Lit) {
	t.Helper()
	at := a
	for _, l := range conflict[1:] {
		e := stack[-l-1]
		if e[1] != at {
			t.Fatalf("explanation %v is no path", conflict)
		}
		at = e[0]
	}
	if at != b {
		t.Fatalf("explanation %v of %d → %d ends at %d", conflict, a, b, at)
	}
}
