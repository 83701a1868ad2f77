package settled

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file says at which nodes accesses are settled: rule BEHIND11. Some accesses of one goroutine are settled at a
// node of another one if all of them that an execution makes are made before the goroutine comes to the node, and are
// known to it.
//
// At a node of the goroutine that makes them, they are settled if none of them is made at the node or after it. At
// another one they are settled if they are so on every way that leads to the node. On a way they are settled where
// they were so at the node before, or where the goroutine learns so: it was started (by another one, or by a timer) at
// a node at which they are settled, or it meets another goroutine, takes an element that was sent, finds a channel
// closed, or comes to a Once that is done, and the accesses are settled at every node at which somebody meets it
// there, sends, closes, or ends the Once.
//
// Let an execution be the first to come to a node at which accesses are settled, though they are not made, or not
// known. Then they were not settled at the node before, and the goroutine has learned so at the edge. The one from
// whom it learned stood at a node at which they are settled, and that was earlier. So there is no such execution.
//
// Nobody can race with accesses that are settled where he stands. What goroutines learn of each other by locks and
// atomics says nothing here: the one who had the lock before may have come first. What a Wait says is in groups.go.

// settledBudget bounds the edges that are looked at to find where accesses are settled.
const settledBudget = 20_000_000

// A passage is where goroutines learn from each other: the sends to a channel, its receives, its close, or the end of a
// Once.
type passage struct {
	object int32
	by     event.Kind
}

// settling finds where accesses are settled.
type settling struct {
	spec.Rules
	gives, takes []int32   // by edge: the number of the passage, 0 if there is none
	takers       [][]int32 // edges, by passage
	closed       []bool    // passages that say nothing
	open         map[*Spots]known.Bits
	openAt       map[int32]known.Bits
	looked       int
	published    *publications // nil until it is asked
	ledgers      map[int32]*ledger
	spawners     map[int32][]int32 // by goroutine: the edges that start it, -1 for what is none
}

func newSettling(e spec.Rules) *settling {
	x := &settling{
		Rules: e, gives: make([]int32, len(e.Edges)), takes: make([]int32, len(e.Edges)), takers: make([][]int32, 1),
		closed: make([]bool, 1), open: make(map[*Spots]known.Bits), openAt: make(map[int32]known.Bits),
		ledgers: make(map[int32]*ledger),
	}
	numbers := make(map[passage]int32)
	number := func(p passage) int32 {
		n, ok := numbers[p]
		if p.object > 0 && !ok {
			n = int32(len(x.takers))
			numbers[p] = n
			x.takers, x.closed = append(x.takers, nil), append(x.closed, true) // until somebody gives
		}
		return n
	}
	for i := range e.Edges {
		gives, _, _ := x.passagesOf(&e.Edges[i])
		x.gives[i] = number(gives)
		x.closed[x.gives[i]] = false
	}
	for i := range e.Edges {
		_, takes, loose := x.passagesOf(&e.Edges[i])
		if t := number(takes); t > 0 && !loose {
			x.takes[i] = t
			x.takers[t] = append(x.takers[t], int32(i))
		}
		x.closed[x.gives[i]] = x.closed[x.gives[i]] || loose
	}
	return x
}

// passagesOf returns what an edge gives to, and what it takes from. loose says that it orders nothing.
func (x *settling) passagesOf(e *known.Edge) (gives, takes passage, loose bool) {
	a, op := x.ActOf(e.From), &x.Nodes[e.From].Op
	switch e.Kind {
	case event.OnceEnd:
		gives = passage{a.Object, event.OnceEnd}
	case event.OnceBegin:
		if e.Reply.Value == 0 {
			takes, loose = passage{a.Object, event.OnceEnd}, x.Objects[a.Object].Start != 0
		}
	case event.ChanClose:
		if !e.Key.Flag {
			gives = passage{a.Object, event.ChanClose}
		}
	case event.ChanSend, event.ChanRecv:
		c := a.Comms[max(e.Key.Case, 0)].Object
		o := &x.Objects[c]
		loose = op.Order != event.ByKind || x.Unordered[o.Addr] || o.Timer || o.Start != 0
		switch {
		case e.Kind == event.ChanRecv && e.Key.Flag:
			return passage{}, passage{c, event.ChanClose}, loose
		case e.Kind == event.ChanRecv:
			return passage{c, event.ChanRecv}, passage{c, event.ChanSend}, loose
		case !e.Key.Flag && o.Cap == 0:
			return passage{c, event.ChanSend}, passage{c, event.ChanRecv}, loose
		case !e.Key.Flag:
			gives = passage{c, event.ChanSend}
		}
	}
	return gives, takes, loose
}

// apart reports whether of two accesses one is always settled where the other is made.
func (x *settling) apart(a, b *Spots) bool {
	if x.settled(a, b) || x.settled(b, a) {
		return true
	}
	for _, n := range a.Nodes {
		for _, m := range b.Nodes {
			if x.openOf(n).Has(m) && x.openOf(m).Has(n) {
				return false
			}
		}
	}
	return x.looked < settledBudget
}

// settled reports whether an access is settled wherever b is made.
func (x *settling) settled(a, b *Spots) bool {
	open, ok := x.open[a]
	if !ok {
		open = x.openTo(a.Nodes)
		x.open[a] = open
	}
	return x.looked < settledBudget && !slices.ContainsFunc(b.Nodes, open.Has)
}

// openOf is openTo for what is made at one node.
func (x *settling) openOf(n int32) known.Bits {
	open, ok := x.openAt[n]
	if !ok {
		open = x.openTo([]int32{n})
		x.openAt[n] = open
	}
	return open
}

// openTo returns the nodes at which what a goroutine makes at some of its nodes may not be settled.
func (x *settling) openTo(made []int32) (open known.Bits) {
	own := x.Nodes[made[0]].Thread
	before := x.before(made)
	passed := make([]bool, len(x.takers))
	copy(passed, x.closed)
	var todo []int32
	add := func(n int32) {
		if n > 0 && !open.Has(n) && (x.Nodes[n].Thread != own || before.Has(n)) {
			open.Set(n)
			todo = append(todo, n)
		}
	}
	lead := func(e int32) {
		for _, n := range x.Leads(e) {
			add(n)
		}
	}
	for n := range x.Nodes {
		if y := &x.Nodes[n]; before.Has(int32(n)) || y.Parent < 0 && len(y.Spawners) == 0 {
			add(int32(n))
		}
	}
	for len(todo) > 0 && x.looked < settledBudget {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, e := range x.Nodes[n].Edges {
			x.looked++
			if p := x.gives[e]; p > 0 && !passed[p] {
				passed[p] = true
				for _, t := range x.takers[p] {
					if open.Has(x.Edges[t].From) {
						lead(t)
					}
				}
			}
			if p := x.takes[e]; (p == 0 || passed[p]) && !x.joins(e, own, before) { // BEHIND13
				lead(e)
			}
		}
	}
	return open
}

// before returns the nodes of a goroutine from which a way leads to one of some nodes, or that are one.
func (x *settling) before(made []int32) (out known.Bits) {
	todo := slices.Clone(made)
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; n <= 0 || out.Has(n) {
			continue
		}
		out.Set(n)
		x.looked++
		if y := &x.Nodes[n]; y.Parent >= 0 {
			todo = append(todo, y.Parent)
			for _, e := range y.Others {
				todo = append(todo, x.Edges[e].From)
			}
		}
	}
	return out
}
