package reduce

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file keeps what is known of the future of each node: what its goroutine may yet touch, and take from wait
// groups.

// maxHeld bounds the memory of futures, in words: 256 MiB. A long execution that makes new objects all the time has as
// many nodes as objects.
const maxHeld = 32 << 20

// maxRounds is how often Raise looks at a node, on average, before it takes it to be on a cycle.
const maxRounds = 64

// Raise brings the futures of nodes up to date after some got a new operation or edge, in whatever number of
// executions: those in the queue. What an edge adds to a node's future is looked at when the edge is new, and when what
// it leads to has grown. Raise gives up, and returns false, where futures take too much memory.
//
// A class is a function of the classes that its edges lead to. On a cycle that would never end. Cycles of one goroutine
// are known (Loops). A cycle can also go through several: a timer's function starts the timer again. If the work does
// not end, each of the nodes at which it then is gets a class of its own, which is always right.
func (k *Reducer) Raise() bool {
	q := &k.Changed
	if len(q.Nodes) == 0 {
		return true
	}
	k.Epoch++
	old := k.raised // nodes from there on are new
	k.raised = int32(len(k.Nodes))
	for looked := 0; len(q.Nodes) > 0; looked++ {
		if k.held > maxHeld {
			return false
		}
		n := q.Take()
		whole, edges := q.Whole[n], q.Edges[n]
		q.Whole[n] = false
		var own known.Bits
		if whole {
			own = k.Touches(n)
			edges = k.Nodes[n].Edges
		}
		x := &k.Nodes[n]
		x.Alone = x.Alone || looked > maxRounds*len(k.Nodes)
		k.held -= cap(x.Future)
		grew := x.Future.Add(own)
		for _, e := range edges {
			for _, to := range k.Leads(e) {
				grew = x.Future.Add(k.Nodes[to].Future) || grew
			}
		}
		k.held += cap(x.Future)
		if whole {
			k.order.note(n, own)
		}
		for _, d := range k.ownDrops(n, whole, edges) {
			grew = raiseDrop(x, d, k.Loops[x.Thread]) || grew
		}
		if n < old && grew && x.Relied == k.Sweeps {
			k.Grown = true
		}
		if c := k.classOf(n, whole, edges); c != x.Class {
			if x.Class, grew = c, true; x.Named == k.Sweeps {
				k.Grown = true
			}
		}
		q.Edges[n] = q.Edges[n][:0]
		if !grew {
			continue
		}
		if x.Parent > 0 {
			q.AddEdge(x.Parent, x.Via)
		}
		for _, e := range x.Others {
			q.AddEdge(k.Edges[e].From, e)
		}
		for _, e := range x.Spawners {
			q.AddEdge(k.Edges[e].From, e)
		}
	}
	return true
}

// classOf names what is known of the future of a node (RED10): its operation and its edges, what they do to the objects
// of a state, and where they lead. Whose goroutine it is, and how it came there, is left out, unless a state shows it.
// edges are those that have changed.
//
// A node that a sweep meets first has a class of its own if it comes round. A loop shows one round after the other, and
// the last round that is known has the future that the one before it had when that was the last. Their states would
// have one name, so the sweep would not go on behind it, and would have to begin again for each round.
func (k *Reducer) classOf(n int32, whole bool, edges []int32) uint64 {
	x := &k.Nodes[n]
	if !x.Known || x.Alone {
		return ownClass(n)
	}
	head, sum := x.Head, x.Sum
	if whole {
		x.Head = k.headOf(n)
		x.Round = n >= k.began && comesRound(k, n)
	}
	for _, e := range edges {
		w := k.weightOf(e)
		y := &k.Edges[e]
		k.Nodes[n].Sum += w - y.Weight
		y.Weight = w
	}
	switch {
	case x.Round && n >= k.began:
		return ownClass(n)
	case !k.Loops[x.Thread]:
		return known.Mix(x.Head, x.Sum)
	case x.Class == 0 || x.Head != head || x.Sum != sum: // until the next sweep begins (RED20)
		return ownClass(n)
	}
	return x.Class
}

// maxRound bounds the rounds of loops that are looked for, in operations of a goroutine.
const maxRound = 256

// comesRound reports whether the goroutine at a node has been at the same operation a while before.
func comesRound(k *Reducer, n int32) bool {
	head := k.Nodes[n].Head
	for p, i := k.Nodes[n].Parent, 0; p > 0 && i < maxRound; p, i = k.Nodes[p].Parent, i+1 {
		if k.Nodes[p].Head == head {
			return true
		}
	}
	return false
}

// ownClass is a class that no other node has.
func ownClass(n int32) uint64 { return known.Mix(uint64(n), 11) }

// headOf names what a class owes to the node itself.
func (k *Reducer) headOf(n int32) uint64 {
	a := k.ActOf(n)
	x := &k.Nodes[n]
	op := &x.Op
	h := known.Mix(uint64(op.Kind)|uint64(known.OneIf(op.HasDefault))<<8, uint64(op.Site))
	h = known.Mix(h, uint64(a.Object))
	for _, c := range a.Cells {
		h = known.Mix(h, uint64(c))
	}
	for _, c := range a.Comms {
		h = known.Mix(h, known.Mix(uint64(c.Object), uint64(uint16(c.Case))<<1|known.OneIf(c.Send)))
	}
	if b := k.In(x.Thread); b > 0 { // whose clock and rest it waits for, and whether Run waits for its end
		h = known.Mix(h, uint64(b)<<1|known.OneIf(k.Bubbles[b].Main == x.Thread))
	}
	for _, l := range x.Locks {
		h = known.Mix(h, uint64(l.Object)<<8|uint64(l.Mode))
	}
	switch {
	case op.Kind == event.CondAdd || op.Kind == event.CondWait || op.Kind == event.TimerFire: // the queue, or the clock, has its name
		h = known.Mix(h, uint64(x.Thread))
	case op.Kind == event.Sleep:
		h = known.Mix(h, uint64(op.After+op.Deadline))
	case op.Kind == event.ObjectWrite || op.Kind == event.FileWrite:
		h = known.Mix(known.Mix(h, uint64(n)), op.Key)
	case op.Adds:
		h = known.Mix(known.Mix(h, op.Key), 44)
	case !op.Kind.IsAccess():
		h = known.Mix(h, op.Key)
	case len(a.Cells) == 0 && k.IsBuffer(x.Thread): // which reads wait for it
		h = known.Mix(h, known.Mix(op.Loc.Addr, uint64(op.Loc.Size)))
	}
	return h
}

// weightOf names what a class owes to an edge.
func (k *Reducer) weightOf(e int32) uint64 {
	w := doing(k, e)
	if y := &k.Edges[e]; !y.Kind.EndsThread() {
		w = known.Mix(w, k.Nodes[y.To].Class)
	}
	return w
}

// doing names what an edge does, whom it starts, and all else but where it leads.
func doing(k *Reducer, e int32) uint64 {
	effects := k.EffectsOf(e)
	y := &k.Edges[e]
	w := known.Mix(uint64(y.Key.Kind)|uint64(uint16(y.Key.Case))<<8|known.OneIf(y.Key.Flag)<<24|uint64(y.Kind)<<32, y.Key.Value)
	if w = known.Mix(w, uint64(y.Key.Now)); y.Kind == event.MapWrite && y.Send == 0 {
		w = known.Mix(w, uint64(e))
	}
	for _, f := range effects {
		w = known.Mix(w, uint64(f.Object)<<32|uint64(uint32(f.Value)))
	}
	w = known.Mix(known.Mix(w, y.Send), uint64(y.Delta))
	if f := y.Fails(); f != 0 {
		w = known.Mix(w, uint64(f))
	}
	for _, z := range y.Starts() {
		w = known.Mix(known.Mix(w, uint64(z.Timer)), known.Mix(uint64(z.After), uint64(z.Period))+z.Sent+known.OneIf(z.Rests))
		w = known.Mix(w, k.Nodes[k.Timers[z.Timer].Root].Class)
	}
	for _, one := range y.Stores() {
		w = known.Mix(w, k.Nodes[one].Class)
	}
	if y.Child > 0 {
		w = known.Mix(w, k.Nodes[y.Child].Class)
	}
	return w
}

// endless is how much is taken from a counter in a cycle: more than any counter has.
const endless = 1 << 40

// raiseDrop brings one of the drops of a node up to date. In a graph with cycles one that has grown may grow for ever.
func raiseDrop(x *known.Node, d known.Drop, loops bool) bool {
	for i := range x.Drops {
		if y := &x.Drops[i]; y.Object == d.Object {
			if y.Max >= d.Max {
				return false
			}
			if y.Max = d.Max; loops {
				y.Max = endless
			}
			return true
		}
	}
	x.Drops = append(x.Drops, d)
	return d.Max > 0
}

// ownDrops is the most that is taken from each counter and channel from node n on (RED6, RED17), along some of its
// edges.
func (k *Reducer) ownDrops(n int32, whole bool, edges []int32) []known.Drop {
	x := &k.Nodes[n]
	sum, out := k.sums, k.most[:0]
	for _, e := range edges {
		y := &k.Edges[e]
		sum = append(sum[:0], k.Nodes[y.To].Drops...)
		if y.Child > 0 {
			sum = addDrops(sum, k.Nodes[y.Child].Drops)
		}
		for _, z := range y.Starts() {
			sum = addDrops(sum, k.Nodes[k.Timers[z.Timer].Root].Drops)
		}
		switch {
		case y.Delta < 0:
			sum = addDrops(sum, []known.Drop{{Object: k.ActOf(n).Object, Max: -y.Delta}})
		case y.Delta > 0:
			giveBack(sum, k.ActOf(n).Object, y.Delta)
		}
		sum = commsOf(k, n, y, sum)
		for _, d := range sum {
			out = most(out, d)
		}
	}
	if whole && x.Known && x.Op.Kind == event.WaitGroupAdd && len(x.Edges) == 0 && int64(x.Op.Key) < 0 {
		out = append(out, known.Drop{Object: k.ActOf(n).Object, Max: -int64(x.Op.Key)})
	}
	if whole && x.Known {
		for i := range k.ActOf(n).Comms {
			for _, d := range takes(k, &k.ActOf(n).Comms[i]) { // of a case that was not seen to be taken, too
				out = most(out, d)
			}
		}
	}
	k.sums, k.most = sum, out
	return out
}

// most adds what is taken on another way, of which the one that takes the most counts.
func most(out []known.Drop, d known.Drop) []known.Drop {
	if i := slices.IndexFunc(out, func(o known.Drop) bool { return o.Object == d.Object }); i >= 0 {
		out[i].Max = max(out[i].Max, d.Max)
		return out
	}
	return append(out, d)
}

// addDrops adds what is taken to what else is.
func addDrops(sum, more []known.Drop) []known.Drop {
	for _, d := range more {
		if i := slices.IndexFunc(sum, func(o known.Drop) bool { return o.Object == d.Object }); i < 0 {
			sum = append(sum, d)
		} else {
			sum[i].Max = min(sum[i].Max+d.Max, endless)
		}
	}
	return sum
}
