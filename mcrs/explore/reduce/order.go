package reduce

import (
	mathbits "math/bits"
	"slices"
	"sync"

	"github.com/heddle-go/heddle/mcrs/explore/beside"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file leaves goroutines out of sets for what they can do only after another one has moved: rule RED18.
//
// Let t stand at a node n, and u at x. Package beside says at which nodes u can stand while t has not left n. If no way
// from x leads through such nodes alone to one of them whose operation may be dependent with t's, or enable it, then u
// does nothing of that kind before t moves, and nobody whom u starts does. So u need not be in the set of t (RED1). It
// is in it wherever t and u can race: then u can come to its access while t stands at its own.
//
// The table of package beside is made of what is known at one time. More knowledge makes nothing less that is beside a
// node. So what was left out is asked once more when nothing waits any more (RED19): if it is wrong by then the sweep
// begins again. It is asked before that, too, if the sweep has gone on for long: what comes of a sweep that is to begin
// again is lost.

// order is who can stand beside whom, shared by all who look at states.
type order struct {
	table *beside.Table
	large bool         // it was too large
	own   []known.Bits // by node: what its operation touches
	grown bool         // that has grown since the table was made
	nodes int          // that there were then
	asked int          // the work when what was left out was last asked once more
	all   *registry
}

// A registry has what was relied on in a sweep.
type registry struct {
	sync.Mutex
	views []*views
}

// views is the memory of one who asks.
type views struct {
	table *beside.Table
	all   *registry
	at    map[viewKey]*view
}

type viewKey struct {
	node int32
	mask uint64
}

// A view is what may concern the operation of a node.
type view struct {
	node    int32
	mask    known.Bits // what is dependent with it, or enables it
	reaches []uint64   // the nodes from which others come to that before it
	relied  []uint64   // those at which somebody was left out
}

// A table is made when there are orderFrom nodes more than the last one knows of, and as many parts of these.
const (
	orderFrom   = 32
	orderGrowth = 4
	orderAt     = 256 // states: before that it would not pay
)

// askEvery is after how much work what was left out is asked once more, in tables: that costs about one.
const askEvery = 16

// note notes what the operation of a node touches: own, which nobody else keeps.
func (o *order) note(n int32, own known.Bits) {
	if o.all == nil { // no table is ever made
		return
	}
	for len(o.own) <= int(n) {
		o.own = append(o.own, nil)
	}
	if o.own[n] == nil {
		o.own[n], o.grown = own, o.grown || own != nil
		return
	}
	o.grown = o.own[n].Add(own) || o.grown
}

// current reports whether the table is of all that is known.
func current(k *Reducer) bool { return !k.order.grown && k.order.table.Of(&k.Rules) }

// Anew begins to note what is relied on, for a sweep that begins. It is to be called before anything is known, too. The
// nodes that the last sweep has met first have classes from now on that others have, too (RED10).
func Anew(k *Reducer) {
	k.order.all = new(registry)
	for ; k.began < int32(len(k.Nodes)); k.began++ {
		k.Changed.Add(k.began)
	}
	if k.Raise() {
		nameCycles(k)
	}
}

// Order makes a table of who can stand beside whom, if enough has become known since the last one, and asks once more
// what was left out, if much was done since. states is how many were looked at.
func Order(k *Reducer, states int) {
	o := &k.order
	if o.large || k.Relaxed() || len(k.Bubbles) > 1 || states < orderAt && !k.Eager {
		return
	}
	if len(k.Nodes) > o.nodes+o.nodes/orderGrowth+orderFrom || k.Eager && (o.table == nil || !current(k)) {
		makeOrder(k)
	}
	if o.table != nil && !k.Grown && k.Work-o.asked > askEvery*o.table.Steps/wordsOfPair && !Confirm(k) {
		k.Grown = true
	}
}

func makeOrder(k *Reducer) {
	o := &k.order
	was := o.table
	o.table, o.grown, o.nodes = beside.Make(&k.Rules), false, len(k.Nodes)
	if o.large = o.table == nil; o.large {
		k.Grown = true // what was left out cannot be asked once more
		return
	}
	if k.Work += o.table.Steps / wordsOfPair; !o.table.Useful && was == nil {
		o.table = nil
		o.nodes *= 2
	}
}

// wordsOfPair is how many words of a table are looked at in the time of a comparison.
const wordsOfPair = 4

// Confirm reports whether all that was left out in this sweep may be left out by what is known now (RED19).
func Confirm(k *Reducer) bool {
	o := &k.order
	if o.table == nil {
		return true
	}
	if !current(k) {
		makeOrder(k)
	}
	if o.asked = k.Work; o.large {
		return false
	}
	for _, vs := range o.all.views {
		if vs.table == o.table {
			continue
		}
		for _, v := range vs.at {
			if v.relied != nil && meet(reaching(k, v.node, v.mask), v.relied) {
				return false
			}
		}
	}
	return true
}

func meet(a, b []uint64) bool {
	for i := range min(len(a), len(b)) {
		if a[i]&b[i] != 0 {
			return true
		}
	}
	return false
}

// leaveOut takes those out of a row of goroutines that concern t who can do so only after it has moved (RED18).
func leaveOut(k *Reducer, s *spec.State, t int32, mask known.Bits, ofLock bool, row Threads) {
	n := s.Nodes[t]
	if o := &k.order; o.table == nil || int(n) >= o.table.Nodes || !slices.ContainsFunc(row, func(w uint64) bool { return w != 0 }) {
		return
	}
	if ofLock {
		lock := &k.Objects[k.ActOf(n).Object].Usage
		mask = slices.Clone(mask)
		setWay(&mask, lock, known.WayLock, known.WayRLock, known.WayUnlock, known.WayTry)
	}
	v := viewOf(k, n, mask)
	for i := range row {
		for w := row[i]; w != 0; w &= w - 1 {
			u := int32(i<<6 | mathbits.TrailingZeros64(w))
			if x := s.Nodes[u]; u != t && int(x) < k.order.table.Nodes && v.reaches[x>>6]>>(x&63)&1 == 0 {
				if v.relied == nil {
					v.relied = make([]uint64, len(v.reaches))
				}
				v.relied[x>>6] |= 1 << (x & 63)
				row[i] &^= w & -w
			}
		}
	}
}

// viewOf returns what may concern the operation of a node.
func viewOf(k *Reducer, n int32, mask known.Bits) *view {
	c := &k.Scratch
	if o := &k.order; c.views == nil || c.views.table != o.table || c.views.all != o.all {
		c.views = &views{o.table, o.all, make(map[viewKey]*view)}
		o.all.Lock()
		o.all.views = append(o.all.views, c.views)
		o.all.Unlock()
	}
	h := uint64(len(mask))
	for _, w := range mask {
		h = known.Mix(h, w)
	}
	key := viewKey{n, h}
	v := c.views.at[key]
	if v == nil {
		v = &view{node: n, mask: slices.Clone(mask), reaches: reaching(k, n, mask)}
		c.views.at[key] = v
	}
	return v
}

// reaching returns the nodes of other goroutines from which they, or those whom they start, come to an operation that
// touches what is in a mask before the goroutine at n moves.
func reaching(k *Reducer, n int32, mask known.Bits) []uint64 {
	table, own := k.order.table, k.order.own
	out := make([]uint64, (table.Nodes+63)/64)
	var todo []int32
	add := func(m int32) {
		if m > 0 && out[m>>6]>>(m&63)&1 == 0 && k.Nodes[m].Thread != k.Nodes[n].Thread && table.Beside(m, n) {
			out[m>>6] |= 1 << (m & 63)
			todo = append(todo, m)
		}
	}
	for m := int32(1); int(m) < min(table.Nodes, len(own)); m++ {
		if own[m].Meets(mask) {
			add(m)
		}
	}
	from := func(e int32) {
		if int(e) < table.Edges {
			add(k.Edges[e].From)
		}
	}
	for len(todo) > 0 {
		x := &k.Nodes[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if x.Parent > 0 {
			from(x.Via)
		}
		for _, e := range x.Others {
			from(e)
		}
		for _, e := range x.Spawners {
			from(e)
		}
	}
	return out
}
