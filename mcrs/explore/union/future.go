package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file keeps what is known of the future of each node: what its goroutine may yet touch, and take from wait groups.

// maxHeld bounds the memory of futures, in words: 256 MiB. A long execution that makes new objects all the time has as many nodes as objects.
const maxHeld = 32 << 20

// raise brings the futures of nodes up to date after some got a new operation or edge. Nodes below old are not new. It gives up where they take too
// much memory.
func (k *knowledge) raise(news map[int32]bool, old int32) {
	q := &k.queue
	for len(q.queued) < len(k.nodes) {
		q.queued = append(q.queued, false)
	}
	for n := range news {
		q.add(n)
	}
	for len(q.ns) > 0 && k.held <= maxHeld {
		n := q.take()
		x := &k.nodes[n]
		b := k.touches(n)
		x = &k.nodes[n]
		drops := k.ownDrops(n)
		for _, e := range x.edges {
			y := &k.edges[e]
			b.add(k.nodes[y.to].future)
			if y.child > 0 {
				b.add(k.nodes[y.child].future)
			}
			for _, z := range y.starts() {
				b.add(k.nodes[k.timers[z.timer].root].future)
			}
		}
		k.held -= cap(x.future)
		grew := x.future.add(b)
		k.held += cap(x.future)
		for _, d := range drops {
			grew = x.raiseDrop(d) || grew
		}
		if n < old && grew && x.relied == k.sweeps {
			k.grown = true
		}
		if c := k.classOf(n); c != x.class {
			if x.class, grew = c, true; x.named == k.sweeps {
				k.grown = true
			}
		}
		if !grew {
			continue
		}
		if x.parent > 0 {
			q.add(x.parent)
		}
		for _, p := range x.spawners {
			q.add(p)
		}
	}
}

// classOf names what is known of the future of a node (RED10): its operation and its edges, what they do to the objects of a state, and where they
// lead. Whose goroutine it is, and how it came there, is left out, unless a state shows it.
func (k *knowledge) classOf(n int32) uint64 {
	x := &k.nodes[n]
	if !x.known {
		return mix(uint64(n), 11)
	}
	a := k.actOf(n)
	x = &k.nodes[n]
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
	sum := uint64(0)
	for _, e := range x.edges {
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
		if !ends(y.kind) {
			w = mix(w, k.nodes[y.to].class)
		}
		sum += w
	}
	return mix(h, sum)
}

func (x *node) raiseDrop(d drop) bool {
	for i := range x.drops {
		if x.drops[i].obj == d.obj {
			if x.drops[i].max < d.max {
				x.drops[i].max = d.max
				return true
			}
			return false
		}
	}
	x.drops = append(x.drops, d)
	return d.max > 0
}

func (x *node) dropOf(obj int32) int64 {
	for i := range x.drops {
		if x.drops[i].obj == obj {
			return x.drops[i].max
		}
	}
	return 0
}

// ownDrops is the most that is taken from each counter from node n on (RED6).
func (k *knowledge) ownDrops(n int32) (out []drop) {
	x := &k.nodes[n]
	sum := k.sums
	for _, e := range x.edges {
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
	k.sums = sum
	if x.known && x.op.Kind == event.WaitGroupAdd && len(x.edges) == 0 && int64(x.op.Key) < 0 {
		out = append(out, drop{k.actOf(n).obj, -int64(x.op.Key)})
	}
	return out
}

// addDrops adds what is taken to what else is.
func addDrops(sum, more []drop) []drop {
	for _, d := range more {
		if i := slices.IndexFunc(sum, func(o drop) bool { return o.obj == d.obj }); i < 0 {
			sum = append(sum, d)
		} else {
			sum[i].max += d.max
		}
	}
	return sum
}

// A nodeQueue gives the largest number first: children before parents. It is a binary heap.
type nodeQueue struct {
	ns     []int32
	queued []bool // by node
}

func (q *nodeQueue) add(n int32) {
	if q.queued[n] {
		return
	}
	q.queued[n] = true
	q.ns = append(q.ns, n)
	for i := len(q.ns) - 1; i > 0 && q.ns[(i-1)/2] < q.ns[i]; i = (i - 1) / 2 {
		q.ns[i], q.ns[(i-1)/2] = q.ns[(i-1)/2], q.ns[i]
	}
}

func (q *nodeQueue) take() int32 {
	n, last := q.ns[0], len(q.ns)-1
	q.ns[0] = q.ns[last]
	q.ns = q.ns[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && q.ns[c+1] > q.ns[c] {
			c++
		}
		if q.ns[i] >= q.ns[c] {
			break
		}
		q.ns[i], q.ns[c] = q.ns[c], q.ns[i]
		i = c
	}
	q.queued[n] = false
	return n
}
