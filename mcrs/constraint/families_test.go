package constraint

import (
	"fmt"
	"math/rand/v2"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file generates the traces that benchmarks ask about. G1 writes the first values and starts
// the goroutines, whose events follow in a random order.
//
//	counter  each goroutine increments one variable, again and again
//	lockctr  likewise, every other increment under a lock
//	bubble   each goroutine swaps two neighbours of eight cells, chosen at random, again and again. Racing
//	         swaps lose values, so after eight swaps a goroutine stores a fresh one in some cell.

// familyNames lists them.
var familyNames = []string{"counter", "lockctr", "bubble"}

// family generates the trace of so many events. Equal arguments give equal traces.
func family(name string, threads, events int) *trace.Trace {
	f := &familyTrace{
		r:   rand.New(rand.NewPCG(7, 11)),
		t:   &trace.Trace{Threads: []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1, Holder: -1}}, Diverged: -1},
		seq: make([]int32, threads+1),
		mem: make(map[event.Location]uint64),
	}
	cells := 1
	if name == "bubble" {
		cells = 8
	}
	for i := range cells {
		f.write(0, f.cell(i), uint64(i))
	}
	gs := make([]func(), threads)
	for i := range gs {
		th := int32(i + 1)
		f.event(0, event.Spawn, event.Location{}, 0).Other = int64(th)
		f.t.Threads = append(f.t.Threads, trace.Thread{ID: event.ThreadID(fmt.Sprintf("G1.%d", th)), Spawn: int32(len(f.t.Events) - 1), Holder: -1})
		switch name {
		case "counter":
			gs[i] = f.incrementer(th, false)
		case "lockctr":
			gs[i] = f.incrementer(th, true)
		case "bubble":
			gs[i] = f.swapper(th, cells)
		default:
			panic("no family " + name)
		}
	}
	for len(f.t.Events) < events {
		gs[f.r.IntN(threads)]()
	}
	return f.t
}

type familyTrace struct {
	r      *rand.Rand
	t      *trace.Trace
	seq    []int32
	mem    map[event.Location]uint64
	holder int32
}

func (f *familyTrace) cell(i int) event.Location { return loc(uint64(8+8*i), 8) }

func (f *familyTrace) event(th int32, k event.Kind, l event.Location, v uint64) *event.Event {
	f.t.Events = append(f.t.Events, event.Event{Thread: th, Seq: f.seq[th], Kind: k, Case: -1, Loc: l, Value: v, Partner: -1, Cases: -1})
	f.seq[th]++
	return &f.t.Events[len(f.t.Events)-1]
}

func (f *familyTrace) read(th int32, l event.Location) uint64 {
	f.event(th, event.Read, l, f.mem[l])
	return f.mem[l]
}

func (f *familyTrace) write(th int32, l event.Location, v uint64) {
	f.event(th, event.Write, l, v)
	f.mem[l] = v
}

// incrementer returns what moves a goroutine by one event, or by none if it waits for the lock.
func (f *familyTrace) incrementer(th int32, locks bool) func() {
	x, lock := f.cell(0), loc(100, 0)
	step, turn, v := 0, int(th), uint64(0)
	return func() {
		guarded := locks && turn%2 == 0
		if !guarded && step == 0 {
			step = 1
		}
		switch step {
		case 0:
			if f.holder != 0 {
				return
			}
			f.holder = th
			f.event(th, event.Lock, lock, 0)
		case 1:
			v = f.read(th, x)
		case 2:
			f.write(th, x, v+1)
			if !guarded {
				step, turn = 0, turn+1
				return
			}
		case 3:
			f.event(th, event.Unlock, lock, 0)
			f.holder = 0
			step, turn = 0, turn+1
			return
		}
		step++
	}
}

func (f *familyTrace) swapper(th int32, cells int) func() {
	step, turn, i := 0, 0, 0
	var a, b uint64
	return func() {
		switch step {
		case 0:
			i = f.r.IntN(cells - 1)
			a = f.read(th, f.cell(i))
		case 1:
			b = f.read(th, f.cell(i+1))
		case 2:
			f.write(th, f.cell(i), b)
		case 3:
			f.write(th, f.cell(i+1), a)
			if turn++; turn%8 != 0 {
				step = 0
				return
			}
		case 4:
			f.write(th, f.cell(f.r.IntN(cells)), uint64(f.r.IntN(cells)))
			step = 0
			return
		}
		step++
	}
}

// A probe is the question whether the read r can return v.
type probe struct {
	r int
	v uint64
}

// probes chooses n random reads, and for each another value than the observed one that some write of the trace offers.
func probes(t *trace.Trace, n int) []probe {
	values := make(map[event.Location][]uint64)
	var reads []int
	for i, e := range t.Events {
		switch e.Kind {
		case event.Read:
			reads = append(reads, i)
		case event.Write:
			seen := false
			for _, v := range values[e.Loc] {
				seen = seen || v == e.Value
			}
			if !seen {
				values[e.Loc] = append(values[e.Loc], e.Value)
			}
		}
	}
	r := rand.New(rand.NewPCG(5, 13))
	var out []probe
	for len(out) < n {
		i := reads[r.IntN(len(reads))]
		e := &t.Events[i]
		if of := values[e.Loc]; len(of) > 1 {
			if v := of[r.IntN(len(of))]; v != e.Value {
				out = append(out, probe{i, v})
			}
		}
	}
	return out
}
