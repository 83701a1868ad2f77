package constraint

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares the encoding with enumeration under relaxed memory models: store buffers as queues, by themselves.

// queues are the store buffers of a trace: which write brings which store to memory.
type queues struct {
	flush     []int  // by event of a store: its write, -1 if there is none
	store     []int  // by event of a buffer's write: what it was
	forwarded []bool // by event: a read that found its own goroutine's store in the trace
}

func queuesOf(t *trace.Trace) *queues {
	q := &queues{make([]int, len(t.Events)), make([]int, len(t.Events)), make([]bool, len(t.Events))}
	for i := range q.flush {
		q.flush[i], q.store[i] = -1, -1
	}
	for b, th := range t.Threads {
		if th.Buffers == 0 {
			continue
		}
		at := 0
		for i, e := range t.Events { // first in, first out
			if e.Kind != event.Store || e.Thread != th.Buffers-1 || t.Memory == event.PSO && e.Loc.Addr != th.Queue {
				continue
			}
			for at < len(t.Events) && int(t.Events[at].Thread) != b {
				at++
			}
			if at < len(t.Events) {
				q.flush[i], q.store[at] = at, i
				at++
			}
		}
	}
	w := &world{t: t, done: make([]bool, len(t.Events)), queues: q}
	for i := range t.Events {
		own, _ := w.own(i)
		q.forwarded[i] = own >= 0
		w.done[i] = true
	}
	return q
}

// buffered lists the stores of a goroutine that are not in memory, oldest first.
func (w *world) buffered(th int32) (out []int) {
	for i, e := range w.t.Events {
		if e.Kind == event.Store && e.Thread == th && w.done[i] && (w.flush[i] < 0 || !w.done[w.flush[i]]) {
			out = append(out, i)
		}
	}
	return out
}

// own returns the newest store of the buffer that overlaps what event i reads, -1 if there is none, and whether it has
// all of that.
func (w *world) own(i int) (at int, whole bool) {
	e := &w.t.Events[i]
	if e.Kind != event.Read && e.Kind != event.AtomicLoad {
		return -1, false
	}
	at = -1
	for _, j := range w.buffered(e.Thread) {
		if o := w.t.Events[j].Loc; o.Overlaps(e.Loc) {
			at, whole = j, o.Addr <= e.Loc.Addr && e.Loc.Addr+uint64(e.Loc.Size) <= o.Addr+uint64(o.Size)
		}
	}
	return at, whole
}

// first reports whether event i finds what its location held at first.
func (w *world) first(i int) bool {
	_, written := w.mem[w.t.Events[i].Loc]
	own, _ := w.own(i)
	return !written && own < 0
}

// ready reports whether the buffers let event i be next.
func (w *world) ready(i int) bool {
	e := &w.t.Events[i]
	switch {
	case w.t.Memory == event.SC:
		return true
	case w.t.Threads[e.Thread].Buffers > 0:
		s := w.store[i]
		if !w.done[s] {
			return false
		}
		for _, o := range w.buffered(w.t.Threads[e.Thread].Buffers - 1) {
			if o == s {
				return true
			}
			if w.t.Memory == event.TSO || w.t.Events[o].Loc.Overlaps(e.Loc) {
				return false
			}
		}
		return true
	case e.Kind == event.Store, e.Kind.Tries() && e.Value == 0:
		return true
	case e.Kind == event.Read, e.Kind == event.AtomicLoad:
		own, whole := w.own(i)
		return own < 0 || whole
	}
	if len(w.buffered(e.Thread)) > 0 {
		return false
	}
	return e.Partner < 0 || len(w.buffered(w.t.Events[e.Partner].Thread)) == 0
}

// relaxedTrace is a random trace under a relaxed memory model.
func relaxedTrace(r *rand.Rand, n int, mixed bool, model event.MemoryModel) *trace.Trace {
	c := &recorder{r: r, t: &trace.Trace{Diverged: -1, Memory: model}, mem: map[event.Location]uint64{}, holder: map[event.Location]int32{}}
	c.t.Threads = []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1, Holder: -1}}
	c.allowed = 10
	if mixed {
		c.allowed = 18
	}
	b := &bufferer{recorder: c}
	for len(c.t.Threads) < 3 {
		b.drain(0)
		c.spawn(0)
	}
	for len(c.t.Events) < n {
		b.step()
	}
	return c.t
}

// A bufferer is a recorder with store buffers.
type bufferer struct {
	*recorder
	stores []event.Event // on their way, oldest first
}

func (b *bufferer) step() {
	th := int32(b.r.IntN(len(b.t.Threads)))
	if b.t.Threads[th].Buffers > 0 || b.r.IntN(4) == 0 {
		if len(b.stores) > 0 {
			b.write(b.r.IntN(len(b.stores)))
		}
		return
	}
	x := loc(uint64(8+8*b.r.IntN(2)), 8)
	if b.allowed > 10 && b.r.IntN(4) == 0 {
		x = loc(40+4*uint64(b.r.IntN(2)), uint32(4+4*b.r.IntN(2)))
	}
	switch b.r.IntN(5) {
	case 0, 1:
		e := *b.event(th, event.Store, x, uint64(b.r.IntN(3)))
		b.stores = append(b.stores, e)
		b.thread(&e)
	case 2, 3:
		v := b.mem[x]
		for i := 0; i < len(b.stores); i++ {
			if s := &b.stores[i]; s.Thread != th || !s.Loc.Overlaps(x) {
				continue
			}
			if v = b.stores[i].Value; b.stores[i].Loc != x { // it waits, or takes a part, which is another value
				b.drain(th)
				v, i = b.mem[x], -1
			}
		}
		b.event(th, event.Read, x, v)
	default:
		b.drain(th)
		old := len(b.t.Events)
		b.operate(th)
		for i := old; i < len(b.t.Events); i++ {
			if e := &b.t.Events[i]; e.Kind == event.Write { // the machine makes none
				e.Kind = event.AtomicStore
				b.mem[e.Loc] = e.Value
			}
			if e := &b.t.Events[i]; e.Partner >= 0 && (len(b.bufferOf(e.Thread)) > 0 || b.t.Threads[e.Thread].Buffers > 0) { // the other side waits, too
				b.t.Events = b.t.Events[:old]
				break
			}
		}
	}
}

// thread makes the thread of a store's queue, and returns it.
func (b *bufferer) thread(e *event.Event) int32 {
	queue, n := uint64(0), 0
	if b.t.Memory == event.PSO {
		queue = e.Loc.Addr
	}
	for i, th := range b.t.Threads {
		if th.Buffers == e.Thread+1 {
			if n++; th.Queue == queue {
				return int32(i)
			}
		}
	}
	b.t.Threads = append(b.t.Threads, trace.Thread{ID: event.BufferOf(b.t.Threads[e.Thread].ID, n+1), Parent: -1, Spawn: -1, Holder: -1, Buffers: e.Thread + 1, Queue: queue})
	return int32(len(b.t.Threads) - 1)
}

func (b *bufferer) bufferOf(th int32) (out []int) {
	for i := range b.stores {
		if b.stores[i].Thread == th {
			out = append(out, i)
		}
	}
	return out
}

// write brings the i-th store to memory, or one that comes before it.
func (b *bufferer) write(i int) {
	s := b.stores[i]
	for _, j := range b.bufferOf(s.Thread) {
		if o := &b.stores[j]; j < i && (b.t.Memory == event.TSO || o.Loc.Overlaps(s.Loc)) {
			b.write(j)
			return
		}
	}
	b.event(b.thread(&s), event.Write, s.Loc, s.Value)
	b.mem[s.Loc] = s.Value
	b.stores = append(b.stores[:i], b.stores[i+1:]...)
}

func (b *bufferer) drain(th int32) {
	for of := b.bufferOf(th); len(of) > 0; of = b.bufferOf(th) {
		b.write(of[0])
	}
}

// TestStoreBuffers compares under total and partial store order: rules TSO1 to TSO5. The trace may end with stores
// in a buffer.
func TestStoreBuffers(t *testing.T) {
	for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
		for _, mixed := range []bool{false, true} {
			var n tally
			for s := range long.Pick(40, 3000) {
				tr := relaxedTrace(rand.New(rand.NewPCG(uint64(s), 77)), 6+s%10, mixed, model)
				if err := compareIn(tr, encode(tr, Options{}, solver.New(), s%3 > 0), &n); err != nil {
					t.Fatalf("%v, trace %d, mixed %v: %v\n%s", model, s, mixed, err, dump(tr))
				}
			}
			t.Logf("%v, mixed %v: %d traces, %d states enumerated, %d answers sat, %d unsat", model, mixed, n.traces, n.states, n.sat, n.unsat)
		}
	}
}

// TestStoreBuffering is figure 3.5(a) of the dissertation, also with each goroutine's own reads, which the
// dissertation's constraints do not allow: both later reads can find 0.
func TestStoreBuffering(t *testing.T) {
	const one, two, oneBuffer, twoBuffer = 1, 2, 3, 4
	for _, own := range []bool{false, true} {
		c := &recorder{t: build(2, nil)}
		c.t.Memory = event.TSO
		for th := range int32(2) {
			c.t.Threads = append(c.t.Threads, trace.Thread{ID: event.BufferOf(c.t.Threads[th+1].ID, 0), Parent: -1, Spawn: -1, Holder: -1, Buffers: th + 2})
		}
		for _, l := range []line{
			{one, event.Store, 8, 1}, {oneBuffer, event.Write, 8, 1}, {one, event.Read, 8, 1}, {one, event.Read, 16, 0},
			{two, event.Store, 16, 1}, {twoBuffer, event.Write, 16, 1}, {two, event.Read, 16, 1}, {two, event.Read, 8, 1},
		} {
			if own || l.kind != event.Read || (l.th == one) == (l.addr == 16) {
				c.event(l.th, l.kind, loc(l.addr, 8), l.value)
			}
		}
		a := Encode(c.t).CanReturnInitial(len(c.t.Events) - 1)
		if a.Status != solver.Sat {
			t.Fatalf("own reads %v: %v", own, a.Status)
		}
		if slices.ContainsFunc(a.Seed, func(s seed.Step) bool { return s.Thread == c.t.Threads[oneBuffer].ID }) {
			t.Errorf("own reads %v: the store is in memory: %v", own, a.Seed)
		}
		var n tally
		if err := compare(c.t, &n); err != nil {
			t.Errorf("own reads %v: %v", own, err)
		}
	}
}
