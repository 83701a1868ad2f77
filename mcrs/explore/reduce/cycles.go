package reduce

import (
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file names the nodes of graphs with cycles: rules RED20 and RED21.
//
// Two nodes are alike if they have the same head, and each edge of one has its like among those of the other: it does
// the same, and leads to a node that is alike. Where there are no cycles, hashes say so from the end on (classOf). On a
// cycle all nodes are taken to be alike at first, and are then told apart by their edges, round after round. Two cycles
// of s nodes each have 2s nodes together, so what 2s rounds do not tell apart no further round does. A component of a
// graph, in which each node is reached from each, is named like that by its own size; those of different size are never
// alike. What it leads to has its name before.
//
// It is done once for each sweep, when that begins. A node on a way to something that becomes known in the sweep has a
// class of its own from then on, which is always right.
//
// RED12 needs that each cycle of states has a move along an edge that closed a cycle. With these names a state may
// follow itself with goroutines in each other's places. So of edges that are alike all count as closing a cycle if one
// of them did (RED21).

// maxCycle bounds the components of which nodes are compared, in nodes.
const maxCycle = 256

// cycles is memory for that.
type cycles struct {
	nodes  map[int32][]int32 // by goroutine
	listed int32             // nodes that were looked at for that

	number, low []int32 // by node, of Tarjan's method
	stack       []int32
	local       []int32 // by node: its place in a component, from 1 on
	now, next   []uint64
	edges       []cycleEdge
}

// A cycleEdge is an edge of a node of a component.
type cycleEdge struct {
	from, to int32  // places in it, to is 0 if it leads out
	does     uint64 // names what it does, and where it leads if that is out
}

// nameCycles gives the nodes of graphs with cycles classes that those of other goroutines have, too.
func nameCycles(k *Reducer) {
	if k.Distinct || len(k.Loops) == 0 || k.Relaxed() {
		return
	}
	c := &k.cycles
	if c.nodes == nil {
		c.nodes = make(map[int32][]int32)
	}
	for ; int(c.listed) < len(k.Nodes); c.listed++ {
		t := k.Nodes[c.listed].Thread
		c.nodes[t] = append(c.nodes[t], c.listed)
	}
	n := len(k.Nodes)
	c.number, c.low, c.local = make([]int32, n), make([]int32, n), make([]int32, n)
	threads := slices.Sorted(maps.Keys(k.Loops))
	for _, t := range slices.Backward(threads) { // those whom others start come first
		nameGraph(k, c.nodes[t])
		if !k.Raise() {
			return
		}
	}
	for _, t := range threads {
		k.Work += len(c.nodes[t])
	}
	closeAlike(k, threads)
}

// nameGraph names the nodes of a goroutine, component by component, those that others lead to first.
func nameGraph(k *Reducer, nodes []int32) {
	c := &k.cycles
	type call struct{ node, next int32 }
	var calls []call
	count := int32(0)
	for _, root := range nodes {
		if c.number[root] != 0 {
			continue
		}
		calls = append(calls[:0], call{root, 0})
		for len(calls) > 0 {
			top := &calls[len(calls)-1]
			n := top.node
			if top.next == 0 {
				count++
				c.number[n], c.low[n] = count, count
				c.stack = append(c.stack, n)
			}
			if edges := k.Nodes[n].Edges; int(top.next) < len(edges) {
				to := k.Edges[edges[top.next]].To
				top.next++
				if c.number[to] == 0 {
					calls = append(calls, call{to, 0})
				} else {
					c.low[n] = min(c.low[n], c.low[to])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].node
				c.low[p] = min(c.low[p], c.low[n])
			}
			if c.low[n] != c.number[n] {
				continue
			}
			from := len(c.stack) - 1
			for c.stack[from] != n {
				from--
			}
			component := c.stack[from:]
			c.stack = c.stack[:from]
			for _, m := range component {
				c.low[m] = found
			}
			nameComponent(k, component)
		}
	}
}

// found marks the nodes of components that were named.
const found = 1 << 30

// nameComponent names the nodes of a component.
func nameComponent(k *Reducer, nodes []int32) {
	c := &k.cycles
	size := len(nodes)
	if size > maxCycle {
		for _, n := range nodes {
			rename(k, n, ownClass(n))
		}
	} else {
		for i, n := range nodes {
			c.local[n] = int32(i) + 1
		}
		c.edges = c.edges[:0]
		turns := false
		for i, n := range nodes {
			for _, e := range k.Nodes[n].Edges {
				y := &k.Edges[e]
				one := cycleEdge{from: int32(i), does: doing(k, e)}
				if !y.Kind.EndsThread() {
					if one.to = c.local[y.To]; one.to == 0 {
						one.does = known.Mix(one.does, k.Nodes[y.To].Class)
					}
					turns = turns || one.to != 0
				}
				c.edges = append(c.edges, one)
			}
		}
		compare(k, nodes, turns)
		for i, n := range nodes {
			x := &k.Nodes[n]
			w := c.now[i]
			if turns {
				w = known.Mix(w, uint64(size)<<8|37)
			}
			if !x.Known || x.Alone {
				w = ownClass(n)
			}
			rename(k, n, w)
			c.local[n] = 0
		}
	}
	for _, n := range nodes {
		x := &k.Nodes[n]
		for _, e := range x.Edges {
			w := k.weightOf(e)
			x.Sum += w - k.Edges[e].Weight
			k.Edges[e].Weight = w
		}
	}
}

// compare tells the nodes of a component apart by their edges. What names them is in now.
func compare(k *Reducer, nodes []int32, turns bool) {
	c := &k.cycles
	size := len(nodes)
	c.now, c.next = slices.Grow(c.now[:0], size)[:size], slices.Grow(c.next[:0], size)[:size]
	for i, n := range nodes {
		if c.now[i] = 41; !k.Nodes[n].Known || k.Nodes[n].Alone {
			c.now[i] = ownClass(n)
		}
	}
	rounds := 1
	if turns {
		rounds = 2 * size // RED20
	}
	k.Work += rounds * len(c.edges) / 4
	for range rounds {
		clear(c.next)
		for i := range c.edges {
			e := &c.edges[i]
			w := e.does
			if e.to != 0 {
				w = known.Mix(w, c.now[e.to-1])
			}
			c.next[e.from] += w
		}
		for i, n := range nodes {
			if x := &k.Nodes[n]; x.Known && !x.Alone {
				c.now[i] = known.Mix(x.Head, c.next[i])
			}
		}
	}
}

// rename gives a node a class.
func rename(k *Reducer, n int32, class uint64) {
	x := &k.Nodes[n]
	if x.Class == class {
		return
	}
	x.Class = class
	for _, e := range x.Spawners {
		k.Changed.AddEdge(k.Edges[e].From, e)
	}
}

// closeAlike has an edge count as one that closed a cycle if one that is alike did (RED21).
func closeAlike(k *Reducer, threads []int32) {
	type like struct{ class, weight uint64 }
	back := make(map[like]bool)
	each := func(f func(x *known.Edge, y like)) {
		for _, t := range threads {
			for _, n := range k.cycles.nodes[t] {
				x := &k.Nodes[n]
				for _, e := range x.Edges {
					f(&k.Edges[e], like{x.Class, k.Edges[e].Weight})
				}
			}
		}
	}
	each(func(x *known.Edge, y like) {
		if x.Back {
			back[y] = true
		}
	})
	each(func(x *known.Edge, y like) { x.Back = x.Back || back[y] }) // RED21
}
