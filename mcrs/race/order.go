package race

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file follows the clocks of goroutines, and of what they leave at objects, through a trace.

// A port is where an object takes what one goroutine leaves for others. Most objects have one.
type port struct {
	addr uint64
	what uint64
}

// The ports of objects with more than one.
const (
	whole   = 0
	readers = 1 // RWMutex: what RUnlock leaves for Lock; sync.Map: what who changed nothing under the lock leaves for the next
	closing = 2 // channels: what close leaves
	slots   = 3 // and those above: the places of a channel's buffer, the tickets of a Cond
	inits   = 2 // sync.Map, atomic.Value: what its first operation leaves for all, if that is a write
	roots   = 3 // sync.Map: what Clear, and writes to nobody knows which key, leave for all
	keys    = 4 // and those above: sync.Map: a key
)

// An order follows the clocks of the goroutines through a trace.
type order struct {
	forest
	t       *trace.Trace
	threads []view
	ports   map[port]view
	starts  []start        // those that are yet to come, in the order of the trace
	all     []start        // all of them
	silent  []trace.Silent // those that are yet to come
	quiet   bool           // the operation makes no event
	causes  Causes         // nil if a read of bytes is after every write before it
	written [][]written    // with causes: by thread
	last    []int32        // likewise, its last event so far, -1 if it has none
}

// A start says which event starts a thread.
type start struct{ at, thread int32 }

func newOrder() *order { return &order{ports: make(map[port]view)} }

// begin brings an order to the start of a trace. All clocks that it has made before are void.
func (o *order) begin(t *trace.Trace) {
	o.forest.begin(len(t.Threads))
	o.t, o.silent = t, t.Silent
	clear(o.ports)
	o.threads, o.all, o.last = o.threads[:0], o.all[:0], o.last[:0]
	for i := range t.Threads {
		o.last = append(o.last, -1)
		o.threads = append(o.threads, o.view(int32(i)))
		if at := t.Threads[i].Spawn; at >= 0 {
			o.all = append(o.all, start{at, int32(i)})
		}
	}
	slices.SortStableFunc(o.all, func(a, b start) int { return int(a.at - b.at) })
	o.starts = o.all
}

// before brings the clocks to the point right before event i (SYNC14).
func (o *order) before(i int32) {
	for len(o.silent) > 0 && o.silent[0].At <= i {
		s := &o.silent[0]
		o.silent = o.silent[1:]
		if o.orders(&s.Op) {
			o.quiet = true
			synchronise(o, &s.Op, -1, channel{})
			o.quiet = false
		}
	}
}

// orders reports whether an operation synchronises as its kind says (SYNC15, SYNC16).
func (o *order) orders(e *event.Event) bool {
	return !e.Order.Loose() && !o.t.Unordered[e.Loc.Addr]
}

// perform performs event i: its thread knows then what the event tells it, and the event itself.
func (o *order) perform(i int32) {
	e := &o.t.Events[i]
	v := &o.threads[e.Thread]
	v.count, o.last[e.Thread] = e.Seq+1, i
	partner := int32(-1)
	if e.Partner >= 0 {
		partner = o.t.Events[e.Partner].Thread
	}
	var ch channel
	if e.Kind.IsComm() {
		ch = channel{o.t.Caps[e.Loc.Addr], o.t.Unsized[e.Loc.Addr]}
	}
	if o.orders(e) {
		synchronise(o, e, partner, ch)
	}
	for ; len(o.starts) > 0 && o.starts[0].at <= i; o.starts = o.starts[1:] { // SYNC1
		o.learn(&o.threads[o.starts[0].thread], v.now())
	}
}

func (o *order) acquire(t int32, p port) {
	if p == moves && o.causes != nil {
		o.read(t)
		return
	}
	if left, ok := o.ports[p]; ok {
		o.tell(t, p, left)
	}
}

// tell has a thread know what was left at a port, which is there as long as nobody leaves something else.
func (o *order) tell(t int32, p port, left view) {
	if left.by != 0 {
		left.by = 0
		o.ports[p] = left
	}
	o.learn(&o.threads[t], left.clock)
}

func (o *order) release(t int32, p port) { o.ports[p] = view{clock: o.threads[t].now()} }

// leave leaves what a goroutine knew before its operation. Nobody has heard of the operation yet, so the tree has no
// later count.
func (o *order) leave(t int32, p port) {
	left := o.threads[t].now()
	if !o.quiet {
		left.count--
	}
	o.ports[p] = view{clock: left}
}

func (o *order) merge(t int32, p port) {
	if p == moves && o.causes != nil {
		o.wrote(t)
		return
	}
	left, ok := o.ports[p]
	if !ok {
		o.release(t, p)
		return
	}
	was := left.clock
	left.thread, left.count = nobody, 0
	if was.thread != nobody && left.get(was.thread) < was.count {
		left.root = o.set(left.root, was.thread, was.count, o.writer(&left), o.height)
	}
	o.learn(&left, o.threads[t].now())
	o.ports[p] = left
}

func (o *order) exchange(t int32, p port) {
	left, ok := o.ports[p]
	o.release(t, p)
	if ok {
		o.learn(&o.threads[t], left.clock)
	}
}

func (o *order) meet(t, other int32) {
	o.learn(&o.threads[other], o.threads[t].now())
	o.learn(&o.threads[t], o.threads[other].now())
}

func (o *order) gather(t, bubble int32) {
	for k := range o.threads {
		if o.t.Threads[k].Bubble == bubble {
			o.learn(&o.threads[t], o.threads[k].now())
		}
	}
}
