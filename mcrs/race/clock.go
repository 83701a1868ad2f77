package race

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines vector clocks, and follows them through a trace.

// A clock says of each thread how many of its events are known: event seq of thread t is, if seq < clock[t].
type clock []int32

// join adds what another clock knows.
func (c clock) join(d clock) {
	for i, n := range d {
		if n > c[i] {
			c[i] = n
		}
	}
}

// A port is where an object takes what one goroutine leaves for others. Most objects have one.
type port struct {
	addr uint64
	what uint64
}

// The ports of objects with more than one.
const (
	whole   = 0
	readers = 1 // RWMutex: what RUnlock leaves for Lock
	closing = 2 // channels: what close leaves
	slots   = 3 // and those above: the places of a channel's buffer, the tickets of a Cond
)

// An order follows the clocks of the goroutines through a trace.
type order struct {
	t        *trace.Trace
	threads  []clock
	ports    map[port]clock
	children map[int32][]int32 // threads by the event that starts them
	silent   []trace.Silent    // those that are yet to come
}

func newOrder(t *trace.Trace) *order {
	o := &order{t: t, threads: make([]clock, len(t.Threads)), ports: make(map[port]clock), children: make(map[int32][]int32), silent: t.Silent}
	n := len(t.Threads)
	all := make([]int32, n*n)
	for i := range t.Threads {
		o.threads[i] = all[i*n : (i+1)*n]
		if at := t.Threads[i].Spawn; at >= 0 {
			o.children[at] = append(o.children[at], int32(i))
		}
	}
	return o
}

// before brings the clocks to the point right before event i (SYNC14).
func (o *order) before(i int32) {
	for len(o.silent) > 0 && o.silent[0].At <= i {
		s := &o.silent[0]
		o.silent = o.silent[1:]
		synchronise(o, &s.Op, -1, channel{})
	}
}

// perform performs event i: its thread knows then what the event tells it, and the event itself.
func (o *order) perform(i int32) {
	e := &o.t.Events[i]
	c := o.threads[e.Thread]
	c[e.Thread] = e.Seq + 1
	partner := int32(-1)
	if e.Partner >= 0 {
		partner = o.t.Events[e.Partner].Thread
	}
	synchronise(o, e, partner, channel{o.t.Caps[e.Loc.Addr], o.t.Unsized[e.Loc.Addr]})
	for _, child := range o.children[i] { // SYNC1
		o.threads[child].join(c)
	}
}

func (o *order) acquire(t int32, p port) { o.threads[t].join(o.ports[p]) }

func (o *order) release(t int32, p port) { o.ports[p] = append(o.ports[p][:0], o.threads[t]...) }

func (o *order) merge(t int32, p port) {
	if d := o.ports[p]; d != nil {
		d.join(o.threads[t])
		return
	}
	o.ports[p] = slices.Clone(o.threads[t])
}

func (o *order) exchange(t int32, p port) {
	was := o.ports[p]
	o.ports[p] = slices.Clone(o.threads[t])
	o.threads[t].join(was)
}

func (o *order) meet(t, other int32) {
	o.threads[other].join(o.threads[t])
	o.threads[t].join(o.threads[other])
}

func (o *order) gather(t, bubble int32) {
	for k := range o.threads {
		if o.t.Threads[k].Bubble == bubble {
			o.threads[t].join(o.threads[k])
		}
	}
}
