package machine

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/loop"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file finds initialisers that start goroutines, and come to one state under all schedules. They can be part of
// the snapshot. Prometheus' is one: its Register has a goroutine describe a collector, and waits for it.
//
// Background: G. Kahn, "The semantics of a simple language for parallel programming" (1974). Processes that share
// nothing but channels, each with one sender and one receiver that waits, have one behaviour.
//
// Method: the initialiser is run once, in an execution of its own. If in this one the goroutines are such processes,
// then they are under each schedule. Rules:
//
//	INIT1 Each channel has one goroutine that sends and closes, and one that receives. Nobody selects.
//	INIT2 Accesses of several goroutines to the same bytes, or the same map, are ordered by what is sent and by go
//	      statements. So are those of one goroutine and what comes after the initialiser.
//	INIT3 All else that goroutines operate on has one goroutine that does. Nobody reads the clock, waits for it, or
//	      looks at other goroutines.
//	INIT4 All goroutines have ended with the initialiser.

// settles reports whether an initialiser, run from the snapshot, comes to one state under all schedules.
func (m *Machine) settles(f *vm.Func) bool {
	v := m.vm
	v.Reset(nil, sched.Options{MaxEvents: maxSettled, MaxSteps: initSettled})
	v.Numbering = vm.NewNumbering()
	v.Main = goroutine.Start(v, nil, f, 0, nil)
	goroutine.Advance(v, v.Main)
	loop.Run(v, m.namer, sched.RunToBlock{})
	return settled(v.Trace)
}

const (
	maxSettled  = 100_000    // events of an initialiser
	initSettled = 10_000_000 // and instructions
	maxRange    = 1 << 12    // bytes of an access
)

// A network is what is known of goroutines that may be processes in Kahn's sense.
type network struct {
	clocks   [][]int32 // by goroutine: how many events of each one come before what it does next
	sent     map[[2]uint64][]int32
	closed   map[uint64][]int32
	senders  map[uint64]int32
	takers   map[uint64]int32
	owners   map[objectOf]int32
	accesses map[objectOf]*accessed
	counts   []int32
	last     []int32 // the number of a goroutine's last event that counts
}

type objectOf struct {
	sort event.Object
	addr uint64
}

// accessed is who has accessed some bytes last, and when.
type accessed struct {
	writer, at int32
	readers    map[int32]int32
}

// settled reports whether an execution of an initialiser is one of processes in Kahn's sense.
func settled(t *trace.Trace) bool {
	if t.Status != trace.Returned || t.TestFailed || len(t.Output) > 0 || t.Timers || t.Spun {
		return false
	}
	n := len(t.Threads)
	w := &network{
		clocks: make([][]int32, n), sent: map[[2]uint64][]int32{}, closed: map[uint64][]int32{}, senders: map[uint64]int32{}, takers: map[uint64]int32{},
		owners: map[objectOf]int32{}, accesses: map[objectOf]*accessed{}, counts: make([]int32, n), last: make([]int32, n),
	}
	for i := range w.clocks {
		w.clocks[i] = make([]int32, n)
	}
	ended := make([]bool, n)
	for i := range t.Events {
		e := &t.Events[i]
		if e.Kind == event.End {
			ended[e.Thread] = true
			continue
		}
		if !w.step(e) {
			return false
		}
	}
	for i := 1; i < n; i++ { // INIT4, INIT2
		if !ended[i] || w.clocks[0][i] < w.last[i] {
			return false
		}
	}
	return true
}

// step notes an event, and reports whether it is one of such a process.
func (w *network) step(e *event.Event) bool {
	g := e.Thread
	w.counts[g]++
	w.clocks[g][g] = w.counts[g]
	if e.Case >= 0 {
		return false // INIT1
	}
	if e.Kind != event.Yield {
		w.last[g] = w.counts[g]
	}
	ch := e.Loc.Addr
	switch e.Kind {
	case event.Yield:
	case event.Spawn:
		w.join(int32(e.Other), w.clocks[g])
	case event.ChanSend:
		w.sent[[2]uint64{ch, uint64(e.Other)}] = slices.Clone(w.clocks[g])
		return e.Other >= 0 && one(w.senders, ch, g)
	case event.ChanClose:
		w.closed[ch] = slices.Clone(w.clocks[g])
		return e.Value == 0 && one(w.senders, ch, g)
	case event.ChanRecv:
		from := w.closed[ch]
		if e.Other >= 0 {
			from = w.sent[[2]uint64{ch, uint64(e.Other)}]
		}
		if from == nil {
			return false
		}
		w.join(g, from)
		return one(w.takers, ch, g)
	case event.Read, event.Write, event.AtomicLoad, event.AtomicStore, event.AtomicRMW, event.MapRead, event.MapWrite:
		return w.access(e) // INIT2
	case event.Lock, event.Unlock, event.RLock, event.RUnlock, event.LockAnnounce, event.WaitGroupAdd, event.WaitGroupWait, event.OnceBegin, event.OnceEnd:
		return one(w.owners, objectOf{e.Kind.Object(), e.Loc.Addr}, g) // INIT3
	case event.ObjectRead, event.ObjectWrite, event.FileRead, event.FileWrite:
		return g == 0 && e.Loc.Addr != vm.ReadingsObject && one(w.owners, objectOf{e.Kind.Object(), e.Loc.Addr}, g)
	default:
		return false
	}
	return true
}

// one reports whether a goroutine is the only one that does something with an object.
func one[K comparable](who map[K]int32, object K, g int32) bool {
	if first, ok := who[object]; ok {
		return first == g
	}
	who[object] = g
	return true
}

func (w *network) join(g int32, clock []int32) {
	for i, c := range clock {
		w.clocks[g][i] = max(w.clocks[g][i], c)
	}
}

// access reports whether an access is ordered with those that it conflicts with.
func (w *network) access(e *event.Event) bool {
	g, sort := e.Thread, e.Kind.Object()
	first, end := e.Loc.Addr, e.Loc.Addr
	if sort == event.Memory {
		if e.Loc.Size > maxRange {
			return false
		}
		first, end = first>>3, (end+uint64(max(e.Loc.Size, 1))-1)>>3
	}
	before := func(o, at int32) bool { return o == g || w.clocks[g][o] >= at }
	for at := first; at <= end; at++ {
		a := w.accesses[objectOf{sort, at}]
		if a == nil {
			a = &accessed{writer: -1, readers: map[int32]int32{}}
			w.accesses[objectOf{sort, at}] = a
		}
		if a.writer >= 0 && !before(a.writer, a.at) {
			return false
		}
		if !e.Kind.IsWrite() {
			a.readers[g] = w.counts[g]
			continue
		}
		for o, at := range a.readers {
			if !before(o, at) {
				return false
			}
		}
		a.writer, a.at = g, w.counts[g]
	}
	return true
}
