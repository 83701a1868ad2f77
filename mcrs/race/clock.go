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
	t       *trace.Trace
	threads []clock
	ports   map[port]clock
	starts  []start        // those that are yet to come, in the order of the trace
	all     []start        // all of them
	silent  []trace.Silent // those that are yet to come
	room    []int32        // for clocks: those of a trace are made in it, one after the other
}

// A start says which event starts a thread.
type start struct{ at, thread int32 }

func newOrder() *order { return &order{ports: make(map[port]clock)} }

// begin brings an order to the start of a trace. All clocks that it has made before are void.
func (o *order) begin(t *trace.Trace) {
	o.t, o.silent = t, t.Silent
	clear(o.ports)
	o.room, o.threads, o.all = o.room[:0], o.threads[:0], o.all[:0]
	for i := range t.Threads {
		o.threads = append(o.threads, o.newClock())
		if at := t.Threads[i].Spawn; at >= 0 {
			o.all = append(o.all, start{at, int32(i)})
		}
	}
	slices.SortStableFunc(o.all, func(a, b start) int { return int(a.at - b.at) })
	o.starts = o.all
}

// newClock returns a clock that knows nothing.
func (o *order) newClock() clock {
	n := len(o.t.Threads)
	if cap(o.room)-len(o.room) < n { // the clocks in the old room stay there
		o.room = make([]int32, 0, max(2*cap(o.room), 16*n))
	}
	at := len(o.room)
	o.room = o.room[:at+n]
	c := o.room[at : at+n : at+n]
	clear(c)
	return c
}

func (o *order) copyOf(c clock) clock {
	d := o.newClock()
	copy(d, c)
	return d
}

// before brings the clocks to the point right before event i (SYNC14).
func (o *order) before(i int32) {
	for len(o.silent) > 0 && o.silent[0].At <= i {
		s := &o.silent[0]
		o.silent = o.silent[1:]
		if !o.t.Unordered[s.Op.Loc.Addr] { // SYNC15
			synchronise(o, &s.Op, -1, channel{})
		}
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
	var ch channel
	if e.Kind.IsComm() {
		ch = channel{o.t.Caps[e.Loc.Addr], o.t.Unsized[e.Loc.Addr]}
	}
	if !o.t.Unordered[e.Loc.Addr] { // SYNC15
		synchronise(o, e, partner, ch)
	}
	for ; len(o.starts) > 0 && o.starts[0].at <= i; o.starts = o.starts[1:] { // SYNC1
		o.threads[o.starts[0].thread].join(c)
	}
}

func (o *order) acquire(t int32, p port) { o.threads[t].join(o.ports[p]) }

func (o *order) release(t int32, p port) {
	if d := o.ports[p]; d != nil {
		copy(d, o.threads[t])
		return
	}
	o.ports[p] = o.copyOf(o.threads[t])
}

func (o *order) merge(t int32, p port) {
	if d := o.ports[p]; d != nil {
		d.join(o.threads[t])
		return
	}
	o.ports[p] = o.copyOf(o.threads[t])
}

func (o *order) exchange(t int32, p port) {
	was := o.ports[p]
	o.ports[p] = o.copyOf(o.threads[t])
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
