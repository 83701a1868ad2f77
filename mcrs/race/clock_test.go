package race

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// arrays is the ledger as it is defined: a clock is an array, and a copy is a copy.
type arrays struct {
	t       *trace.Trace
	threads [][]int32
	ports   map[port][]int32
}

func joined(a, b []int32) []int32 {
	c := make([]int32, max(len(a), len(b)))
	copy(c, a)
	for i, n := range b {
		c[i] = max(c[i], n)
	}
	return c
}

func (x *arrays) acquire(t int32, p port) { x.threads[t] = joined(x.threads[t], x.ports[p]) }
func (x *arrays) release(t int32, p port) { x.ports[p] = slices.Clone(x.threads[t]) }
func (x *arrays) leave(t int32, p port) {
	x.release(t, p)
	x.ports[p][t]--
}
func (x *arrays) merge(t int32, p port) { x.ports[p] = joined(x.ports[p], x.threads[t]) }
func (x *arrays) exchange(t int32, p port) {
	was := x.ports[p]
	x.release(t, p)
	x.threads[t] = joined(x.threads[t], was)
}
func (x *arrays) meet(t, u int32) {
	x.threads[t] = joined(x.threads[t], x.threads[u])
	x.threads[u] = slices.Clone(x.threads[t])
}
func (x *arrays) gather(t, bubble int32) {
	for u := range x.threads {
		if x.t.Threads[u].Bubble == bubble {
			x.threads[t] = joined(x.threads[t], x.threads[u])
		}
	}
}

// TestClocks compares the clocks of goroutines, and those that were kept of them, with arrays.
func TestClocks(t *testing.T) {
	for _, n := range []int{1, 3, 16, 17, 40, 300} {
		r := rand.New(rand.NewPCG(uint64(n), 1))
		tr := &trace.Trace{Threads: make([]trace.Thread, n)}
		for i := range tr.Threads {
			tr.Threads[i].Spawn, tr.Threads[i].Bubble = -1, int32(i%3)
		}
		o := newOrder()
		for range 3 { // the room of one trace is used for the next
			o.begin(tr)
			x := &arrays{tr, make([][]int32, n), map[port][]int32{}}
			for i := range x.threads {
				x.threads[i] = make([]int32, n)
			}
			compareClocks(t, r, o, x)
		}
	}
}

func compareClocks(t *testing.T, r *rand.Rand, o *order, x *arrays) {
	type kept struct {
		c    clock
		want []int32
	}
	var keep []kept
	n := len(x.threads)
	for range 400 {
		who := int32(r.IntN(n))
		if r.IntN(3) > 0 { // else it is silent synchronisation
			o.threads[who].count++
			x.threads[who][who]++
		}
		other, p, op := int32(r.IntN(n)), port{addr: uint64(r.IntN(5))}, r.IntN(9)
		if op == 8 { // what an event leaves without itself nobody has heard of before
			o.threads[who].count++
			x.threads[who][who]++
		}
		for _, l := range []ledger{o, x} {
			switch op {
			case 0, 1:
				l.acquire(who, p)
			case 2, 3:
				l.release(who, p)
			case 4:
				l.merge(who, p)
			case 5:
				l.exchange(who, p)
			case 6:
				if other != who {
					l.meet(who, other)
				}
			case 7:
				l.gather(who, other%3)
			case 8:
				l.leave(who, p)
			}
		}
		keep = append(keep, kept{o.threads[who].now(), slices.Clone(x.threads[who])})
		if len(keep) > 40 {
			k := r.IntN(len(keep))
			keep[k] = keep[len(keep)-1]
			keep = keep[:len(keep)-1]
		}
	}
	for i := range o.threads {
		keep = append(keep, kept{o.threads[i].clock, x.threads[i]})
	}
	for _, k := range keep {
		for i, want := range k.want {
			if got := k.c.get(int32(i)); got != want {
				t.Fatalf("%d threads: a clock has %d of thread %d, want %d", n, got, i, want)
			}
		}
	}
}

// crowd is a trace in which so many goroutines, one after the other, take a lock and write what it guards; the last two
// write something else without it.
func crowd(n int) *trace.Trace {
	var events []event.Event
	for i := range int32(n) {
		events = append(events, by(i, event.Lock), writes(i), by(i, event.Unlock))
	}
	for _, i := range []int32{int32(n) - 2, int32(n) - 1} {
		events = append(events, at(writes(i), variable+64))
	}
	t := execution()
	t.Threads = make([]trace.Thread, n)
	t.Events = events
	seqs := make([]int32, n)
	for i := range t.Threads {
		t.Threads[i].Spawn = -1
	}
	for i := range events {
		events[i].Seq = seqs[events[i].Thread]
		seqs[events[i].Thread]++
	}
	return t
}

// TestManyGoroutines shows that what a search keeps of many goroutines is not their product with what they do, and that
// a search without room says so.
func TestManyGoroutines(t *testing.T) {
	const n = 5_000
	x := crowd(n)
	s := begin(x)
	for i := range int32(len(x.Events)) {
		s.event(i)
	}
	if len(s.found) != 1 || s.made > 8*n {
		t.Errorf("%d goroutines: races %v, %d nodes", n, s.found, s.made)
	}
	if f := within(x, n); f.Whole || len(f.Races) > 0 {
		t.Errorf("with room for %d nodes: races %v, to the end: %v", n, f.Races, f.Whole)
	}
	if !Search(x).Whole {
		t.Error("the search did not come to its end")
	}
}
