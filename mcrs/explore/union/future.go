package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file keeps what is known of the future of each node: what its goroutine may yet touch, and take from wait groups.

// maxHeld bounds the memory of futures, in words: 256 MiB. A long execution that makes new objects all the time has as many nodes as objects.
const maxHeld = 32 << 20

// raise brings the futures of nodes up to date after some got a new operation or edge, in whatever number of executions: those in the queue. What a
// node's future owes to an edge is looked at when the edge is new, and when what it leads to has grown. It gives up, and returns false, where futures take
// too much memory.
func (k *reducer) raise() bool {
	q := &k.queue
	if len(q.ns) == 0 {
		return true
	}
	k.epoch++
	old := k.raised // nodes from there on are new
	k.raised = int32(len(k.nodes))
	for len(q.ns) > 0 {
		if k.held > maxHeld {
			return false
		}
		n := q.take()
		whole, edges := q.whole[n], q.edges[n]
		q.whole[n] = false
		var own bits
		if whole {
			own = k.touches(n)
			edges = k.nodes[n].edges
		}
		x := &k.nodes[n]
		k.held -= cap(x.future)
		grew := x.future.add(own)
		for _, e := range edges {
			for _, to := range k.leads(e) {
				grew = x.future.add(k.nodes[to].future) || grew
			}
		}
		k.held += cap(x.future)
		for _, d := range k.ownDrops(n, whole, edges) {
			grew = raiseDrop(x, d, k.loops[x.thread]) || grew
		}
		if n < old && grew && x.relied == k.sweeps {
			k.grown = true
		}
		if c := k.classOf(n, whole, edges); c != x.class {
			if x.class, grew = c, true; x.named == k.sweeps {
				k.grown = true
			}
		}
		q.edges[n] = q.edges[n][:0]
		if !grew {
			continue
		}
		if x.parent > 0 {
			q.addEdge(x.parent, x.via)
		}
		for _, e := range x.others {
			q.addEdge(k.edges[e].from, e)
		}
		for _, e := range x.spawners {
			q.addEdge(k.edges[e].from, e)
		}
	}
	return true
}

// classOf names what is known of the future of a node (RED10): its operation and its edges, what they do to the objects of a state, and where they
// lead. Whose goroutine it is, and how it came there, is left out, unless a state shows it. Edges are those that have changed.
func (k *reducer) classOf(n int32, whole bool, edges []int32) uint64 {
	x := &k.nodes[n]
	if !x.known || k.loops[x.thread] { // on a cycle it would be named by itself
		return mix(uint64(n), 11)
	}
	if whole {
		x.head = k.headOf(n)
	}
	for _, e := range edges {
		w := k.weightOf(e)
		y := &k.edges[e]
		k.nodes[n].sum += w - y.weight
		y.weight = w
	}
	return mix(k.nodes[n].head, k.nodes[n].sum)
}

// headOf names what a class owes to the node itself.
func (k *reducer) headOf(n int32) uint64 {
	a := k.actOf(n)
	x := &k.nodes[n]
	op := &x.op
	h := mix(uint64(op.Kind)|uint64(b2w(op.HasDefault))<<8, uint64(op.Site))
	h = mix(h, uint64(a.obj))
	for _, c := range a.cells {
		h = mix(h, uint64(c))
	}
	for _, c := range a.comms {
		h = mix(h, mix(uint64(c.obj), uint64(uint16(c.kase))<<1|b2w(c.send)))
	}
	for _, l := range x.locks {
		h = mix(h, uint64(l.obj)<<8|uint64(l.mode))
	}
	switch {
	case op.Kind == event.CondAdd || op.Kind == event.CondWait || op.Kind == event.TimerFire: // the queue, or the clock, has its name
		h = mix(h, uint64(x.thread))
	case op.Kind == event.Sleep:
		h = mix(h, uint64(op.Deadline))
	case op.Kind == event.ObjectWrite:
		h = mix(h, uint64(n))
	case !op.Kind.IsAccess():
		h = mix(h, op.Key)
	}
	return h
}

// weightOf names what a class owes to an edge.
func (k *reducer) weightOf(e int32) uint64 {
	effects := k.effectsOf(e)
	y := &k.edges[e]
	w := mix(uint64(y.key.kind)|uint64(uint16(y.key.kase))<<8|b2w(y.key.flag)<<24|uint64(y.kind)<<32, y.key.val)
	if w = mix(w, uint64(y.key.now)); y.kind == event.MapWrite {
		w = mix(w, uint64(e))
	}
	for _, f := range effects {
		w = mix(w, uint64(f.obj)<<32|uint64(uint32(f.value)))
	}
	w = mix(mix(w, y.send), uint64(y.delta))
	for _, z := range y.starts() {
		w = mix(mix(w, uint64(z.timer)), mix(uint64(z.after), uint64(z.period)))
		w = mix(w, k.nodes[k.timers[z.timer].root].class)
	}
	if y.child > 0 {
		w = mix(w, k.nodes[y.child].class)
	}
	if !y.kind.EndsThread() {
		w = mix(w, k.nodes[y.to].class)
	}
	return w
}

// endless is how much is taken from a counter in a cycle: more than any counter has.
const endless = 1 << 40

// raiseDrop brings one of the drops of a node up to date. In a graph with cycles one that has grown may grow for ever.
func raiseDrop(x *node, d drop, loops bool) bool {
	for i := range x.drops {
		if y := &x.drops[i]; y.obj == d.obj {
			if y.max >= d.max {
				return false
			}
			if y.max = d.max; loops {
				y.max = endless
			}
			return true
		}
	}
	x.drops = append(x.drops, d)
	return d.max > 0
}

// ownDrops is the most that is taken from each counter from node n on (RED6), along some of its edges.
func (k *reducer) ownDrops(n int32, whole bool, edges []int32) []drop {
	x := &k.nodes[n]
	sum, out := k.sums, k.most[:0]
	for _, e := range edges {
		y := &k.edges[e]
		sum = append(sum[:0], k.nodes[y.to].drops...)
		if y.child > 0 {
			sum = addDrops(sum, k.nodes[y.child].drops)
		}
		for _, z := range y.starts() {
			sum = addDrops(sum, k.nodes[k.timers[z.timer].root].drops)
		}
		if y.delta < 0 {
			sum = addDrops(sum, []drop{{k.actOf(n).obj, -y.delta}})
		}
		for _, d := range sum {
			if i := slices.IndexFunc(out, func(o drop) bool { return o.obj == d.obj }); i < 0 {
				out = append(out, d)
			} else {
				out[i].max = max(out[i].max, d.max)
			}
		}
	}
	if whole && x.known && x.op.Kind == event.WaitGroupAdd && len(x.edges) == 0 && int64(x.op.Key) < 0 {
		out = append(out, drop{k.actOf(n).obj, -int64(x.op.Key)})
	}
	k.sums, k.most = sum, out
	return out
}

// addDrops adds what is taken to what else is.
func addDrops(sum, more []drop) []drop {
	for _, d := range more {
		if i := slices.IndexFunc(sum, func(o drop) bool { return o.obj == d.obj }); i < 0 {
			sum = append(sum, d)
		} else {
			sum[i].max = min(sum[i].max+d.max, endless)
		}
	}
	return sum
}
