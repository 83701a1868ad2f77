package union

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestTwins compares what union finds in programs in which goroutines run the same code, with loops, with what it finds
// without its reduction and without equal names for goroutines (RED10, RED20). Each of them tells another one, or a
// variable that is looked at in the end, what its rounds have come to. In program 1084 the cycles of the two are closed
// by different edges (RED21).
func TestTwins(t *testing.T) {
	n := unionCount()
	compared, went := 0, 0
	seeds := []int{1084}
	for i := range n {
		seeds = append(seeds, *unionFrom+i)
	}
	for _, i := range seeds {
		p := twins(uint64(i))
		explored := func(full bool) (*explore.Result, map[string]bool, bool) {
			x := New()
			x.Full, x.NoMerge, x.MergeFirst, x.Eager = full, full, !full, true
			r, found := (&Explorer{Engine: x, Alone: true}).Explore(p, explore.Limits{Executions: 300, Events: 4_000}), map[string]bool{}
			for _, f := range r.Findings {
				found[string(f.Category)+" "+f.Key] = true
			}
			if edge := oneWayBack(x); edge >= 0 && !full {
				t.Fatalf("program %d:\n%v\nedge %d does not count as closing a cycle, but one that is alike does", i, p, edge)
			}
			return r, found, x.Loops()
		}
		r, got, loops := explored(false)
		if r.Verdict != explore.Exhausted {
			continue
		}
		all, want, _ := explored(true)
		if all.Verdict != explore.Exhausted {
			continue
		}
		if compared++; loops {
			went++
		}
		if !maps.Equal(got, want) {
			t.Fatalf("program %d:\n%v\nfound %q, without reduction %q", i, p, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
	t.Logf("%d compared, %d of them with loops", compared, went)
	if compared < n/4 || went < n/16 {
		t.Errorf("only %d compared, and %d of them with loops", compared, went)
	}
}

// oneWayBack returns an edge that does not count as one that closed a cycle though one that is alike does, -1 if there
// is none.
func oneWayBack(e *Engine) int32 {
	type like struct{ class, weight uint64 }
	back := make(map[like]bool)
	for i := range e.Edges {
		x := &e.Edges[i]
		back[like{e.Nodes[x.From].Class, x.Weight}] = back[like{e.Nodes[x.From].Class, x.Weight}] || x.Back
	}
	return int32(slices.IndexFunc(e.Edges, func(x known.Edge) bool {
		return !x.Back && back[like{e.Nodes[x.From].Class, x.Weight}]
	}))
}

// twins draws a program of two or three goroutines that run the same loop, and others that end it.
func twins(seed uint64) *litmus.Program {
	r := rand.New(rand.NewPCG(seed, 20))
	load := func() litmus.Op { return litmus.Do(litmus.Load, r.IntN(3), 0, 0) }
	store := func() litmus.Op { return litmus.Do(litmus.Store, r.IntN(3), r.IntN(2), 0) }
	var loop []litmus.Op
	if r.IntN(2) == 0 {
		loop = append(loop, load(), litmus.Do(litmus.Keep, 0, 0, 0))
	}
	if r.IntN(2) == 0 { // some begin in the middle of the round
		loop = append(loop, load(), litmus.Do(litmus.Unless, 0, r.IntN(2), 1))
	}
	start := len(loop)
	for range 1 + r.IntN(3) {
		if r.IntN(4) == 0 {
			loop = append(loop, store())
		} else {
			loop = append(loop, load())
		}
	}
	loop = append(loop, load())
	loop = append(loop, litmus.Op{Code: litmus.Again, V: r.IntN(2), W: 1 + r.IntN(len(loop)-start)})
	if r.IntN(2) == 0 {
		loop = append(loop, litmus.Do(litmus.Sum, 0, 0, 0))
	}
	loop = append(loop, []litmus.Op{litmus.P(3, 0), litmus.Do(litmus.Assert, 0, r.IntN(2), 0), store(), litmus.W(3, 1)}[r.IntN(4)])
	ends := []litmus.Op{store()}
	if r.IntN(2) == 0 {
		ends = append(ends, store())
	}
	last := []litmus.Op{litmus.Do(litmus.Load, 3, 0, 0), litmus.Do(litmus.Assert, 0, r.IntN(2), 0)}
	first := litmustest.Loop(2, litmus.Spawn(1))
	first = append(first, litmus.Spawn(2))
	if r.IntN(2) == 0 {
		first = append(first, litmus.Spawn(3))
	}
	return &litmus.Program{Name: "twins", Threads: [][]litmus.Op{first, loop, ends, last}}
}
