package race

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// The places of these programs.
const (
	x     = 0x1000 // plain memory
	y     = 0x2000
	thing = 0x3000 // an object
)

// A program is a trace in the making.
type program struct{ trace.Trace }

// by adds an event of a goroutine, on an object or, if size says so, on memory. Its site is its number, from 1.
func (p *program) by(thread int32, k event.Kind, addr uint64, change ...func(*event.Event)) *program {
	for len(p.Threads) <= int(thread) {
		p.Threads = append(p.Threads, trace.Thread{ID: event.ThreadID(fmt.Sprint("G", len(p.Threads))), Spawn: -1})
	}
	e := event.Event{Thread: thread, Kind: k, Case: -1, Partner: -1, Cases: -1, Loc: event.Location{Addr: addr}, Site: event.Site(len(p.Events) + 1)}
	if k.Object() == event.Memory {
		e.Loc.Size = 8
	}
	for _, o := range p.Events {
		if o.Thread == thread {
			e.Seq++
		}
	}
	for _, c := range change {
		c(&e)
	}
	p.Events = append(p.Events, e)
	return p
}

func (p *program) write(thread int32, addr uint64) *program { return p.by(thread, event.Write, addr) }

func value(v int64) func(*event.Event)  { return func(e *event.Event) { e.Value = uint64(v) } }
func other(v int64) func(*event.Event)  { return func(e *event.Event) { e.Other = v } }
func key(v uint64) func(*event.Event)   { return func(e *event.Event) { e.Key = v } }
func meets(i int32) func(*event.Event)  { return func(e *event.Event) { e.Partner = i } }
func bytes(n uint32) func(*event.Event) { return func(e *event.Event) { e.Loc.Size = n } }

// races are the pairs of sites that race.
func (p *program) races() (out []string) {
	for _, r := range Of(&p.Trace) {
		out = append(out, fmt.Sprint(r.First+1, "-", r.Second+1))
	}
	return out
}

// between is a program in which goroutine 0 writes x and does one thing, and goroutine 1 does another and writes x.
func between(k event.Kind, change func(*event.Event), l event.Kind, then func(*event.Event)) *program {
	p := new(program).write(0, x)
	p.by(0, k, thing, change).by(1, l, thing, then).write(1, x)
	p.Caps = map[uint64]int{thing: 2}
	return p
}

func asIs(*event.Event) {}

// A ruleCase is a program with the pairs of events that race, by their numbers from 1.
type ruleCase struct {
	what string
	p    *program
	want []string
}

func check(t *testing.T, cases ...ruleCase) {
	t.Helper()
	for _, c := range cases {
		if got := c.p.races(); !slices.Equal(got, c.want) {
			t.Errorf("%s: races %v, want %v", c.what, got, c.want)
		}
	}
}

var raced = []string{"1-4"} // of between

func TestSYNC1(t *testing.T) {
	started := new(program).write(0, x).by(0, event.Spawn, 0).write(1, x)
	started.Threads[1].Spawn = 1
	after := new(program).by(0, event.Spawn, 0).write(0, x).write(1, x)
	after.Threads[1].Spawn = 0
	end := new(program).by(0, event.Spawn, 0).write(1, x).by(1, event.End, 0).write(0, x)
	end.Threads[1].Spawn = 0
	check(t, ruleCase{"before go", started, nil}, ruleCase{"after go", after, []string{"2-3"}}, ruleCase{"after the end", end, []string{"2-4"}})
}

func TestSYNC2(t *testing.T) {
	atomics := func(k, l event.Kind) *program {
		return new(program).write(0, x).by(0, k, thing).by(1, l, thing).write(1, x)
	}
	check(t,
		ruleCase{"store, load", atomics(event.AtomicStore, event.AtomicLoad), nil},
		ruleCase{"update, update", atomics(event.AtomicRMW, event.AtomicRMW), nil},
		ruleCase{"store, store", atomics(event.AtomicStore, event.AtomicStore), raced},
		ruleCase{"load, store", atomics(event.AtomicLoad, event.AtomicStore), raced})
}

func TestSYNC3(t *testing.T) {
	check(t,
		ruleCase{"Unlock, Lock", between(event.Unlock, asIs, event.Lock, asIs), nil},
		ruleCase{"Unlock, TryLock", between(event.Unlock, asIs, event.TryLock, value(1)), nil},
		ruleCase{"Unlock, TryLock that fails", between(event.Unlock, asIs, event.TryLock, value(0)), raced},
		ruleCase{"Unlock, Unlock by another, Lock", new(program).write(0, x).by(0, event.Unlock, thing).by(2, event.Unlock, thing).by(1, event.Lock, thing).write(1, x), []string{"1-5"}},
		ruleCase{"Lock, Unlock", between(event.Lock, asIs, event.Unlock, asIs), raced})
}

func TestSYNC4(t *testing.T) {
	rw := key(event.RWMutexKey)
	check(t,
		ruleCase{"Unlock, RLock", between(event.Unlock, rw, event.RLock, rw), nil},
		ruleCase{"RUnlock, Lock", between(event.RUnlock, rw, event.Lock, rw), nil},
		ruleCase{"RUnlock, RLock", between(event.RUnlock, rw, event.RLock, rw), raced},
		ruleCase{"RUnlock, TryRLock", between(event.RUnlock, rw, event.TryRLock, func(e *event.Event) { e.Key, e.Value = event.RWMutexKey, 1 }), raced},
		ruleCase{"Unlock of the Mutex of writers, Lock of it", between(event.Unlock, key(event.WritersKey), event.Lock, key(event.WritersKey)), raced})
}

func TestSYNC5(t *testing.T) {
	check(t,
		ruleCase{"Done, Wait", between(event.WaitGroupAdd, value(-1), event.WaitGroupWait, asIs), nil},
		ruleCase{"Add, Wait", between(event.WaitGroupAdd, func(e *event.Event) { e.Value, e.Other = 1, 2 }, event.WaitGroupWait, asIs), raced},
		ruleCase{"Done, Done", between(event.WaitGroupAdd, value(-1), event.WaitGroupAdd, value(-1)), raced})
}

func TestSYNC6(t *testing.T) {
	check(t,
		ruleCase{"end of the function, Do", between(event.OnceEnd, asIs, event.OnceBegin, value(0)), nil},
		ruleCase{"Do that begins, Do", between(event.OnceBegin, value(1), event.OnceBegin, value(0)), raced})
}

func TestSYNC7(t *testing.T) {
	signal := func(ticket int64) func(*event.Event) {
		return func(e *event.Event) { e.Value, e.Other = uint64(ticket), 1 }
	}
	check(t,
		ruleCase{"Signal, Wait that it wakes", between(event.CondSignal, signal(3), event.CondWait, key(3)), nil},
		ruleCase{"Broadcast, Wait", between(event.CondBroadcast, func(e *event.Event) { e.Value, e.Other = 2, 2 }, event.CondWait, key(3)), nil},
		ruleCase{"Signal, Wait that another wakes", between(event.CondSignal, signal(2), event.CondWait, key(3)), raced},
		ruleCase{"Signal, Signal", between(event.CondSignal, signal(2), event.CondSignal, signal(3)), raced})
}

func TestSYNC8(t *testing.T) {
	rendezvous := new(program).write(0, x).by(0, event.ChanSend, thing, meets(2)).by(1, event.ChanRecv, thing, meets(1)).write(1, x).write(0, y).by(1, event.Read, y)
	check(t,
		ruleCase{"send, receive", between(event.ChanSend, other(0), event.ChanRecv, other(0)), nil},
		ruleCase{"send, receive of another element", between(event.ChanSend, other(1), event.ChanRecv, other(0)), raced},
		ruleCase{"receive, send that takes its place", between(event.ChanRecv, other(0), event.ChanSend, other(2)), nil},
		ruleCase{"receive, send to another place", between(event.ChanRecv, other(0), event.ChanSend, other(1)), raced},
		ruleCase{"close, receive that finds it closed", between(event.ChanClose, asIs, event.ChanRecv, other(-1)), nil},
		ruleCase{"close, send that panics: the detector has close for a write of the channel", between(event.ChanClose, asIs, event.ChanSend, other(-1)), []string{"2-3", "1-4"}},
		ruleCase{"close, close that panics", between(event.ChanClose, asIs, event.ChanClose, value(1)), raced},
		ruleCase{"send, len", between(event.ChanSend, other(0), event.ChanLen, value(1)), raced},
		ruleCase{"rendezvous", rendezvous, []string{"5-6"}})
}

func TestSYNC9(t *testing.T) {
	unsized, unknown := between(event.ChanSend, other(0), event.ChanSend, other(1)), between(event.ChanSend, other(0), event.ChanSend, other(1))
	unsized.Unsized, unknown.Caps = map[uint64]bool{thing: true}, nil
	check(t,
		ruleCase{"two sends of struct{}", unsized, nil},
		ruleCase{"two sends, the capacity is not known", unknown, nil},
		ruleCase{"two sends", between(event.ChanSend, other(0), event.ChanSend, other(1)), raced})
}

func TestSYNC10(t *testing.T) {
	check(t,
		ruleCase{"start, firing", between(event.TimerStart, asIs, event.TimerFire, asIs), nil},
		ruleCase{"Stop, firing", between(event.TimerStop, asIs, event.TimerFire, asIs), raced},
		ruleCase{"start, end of a sleep", between(event.TimerStart, asIs, event.Sleep, asIs), raced})
}

func TestSYNC11(t *testing.T) {
	check(t,
		ruleCase{"write, read", between(event.ObjectWrite, asIs, event.ObjectRead, asIs), nil},
		ruleCase{"write, write", between(event.ObjectWrite, asIs, event.ObjectWrite, asIs), nil},
		ruleCase{"read, write", between(event.ObjectRead, asIs, event.ObjectWrite, asIs), raced})
	of := func(key uint64, bits int64) func(*event.Event) {
		return func(e *event.Event) { e.Key, e.Other = key, bits }
	}
	maps := func(k event.Kind, a int64, l event.Kind, b int64) *program {
		return between(k, of(event.MapKey, a), l, of(event.MapKey, b))
	}
	pools := func(a, b int64) *program {
		return between(event.ObjectWrite, of(event.PoolKey, a), event.ObjectWrite, of(event.PoolKey, b))
	}
	check(t,
		ruleCase{"read of a Map, read", maps(event.ObjectRead, 0, event.ObjectRead, 0), raced},
		ruleCase{"first read of a Map, read", maps(event.ObjectRead, event.MapUsed, event.ObjectRead, 0), nil},
		ruleCase{"reads under the lock", maps(event.ObjectRead, event.MapLocks, event.ObjectRead, event.MapLocks), nil},
		ruleCase{"read under the lock, read", maps(event.ObjectRead, event.MapLocks, event.ObjectRead, 0), raced},
		ruleCase{"Put, Get of it", pools(16|event.PoolPut, 16|event.PoolGot), nil},
		ruleCase{"Put, Get of another", pools(16|event.PoolPut, 32|event.PoolGot), raced},
		ruleCase{"Put, Put", pools(16|event.PoolPut, 16|event.PoolPut), raced},
		ruleCase{"Get, Put", pools(16|event.PoolGot, 16|event.PoolPut), raced})
}

func TestSYNC12(t *testing.T) {
	quiesce := func(b int32) *program {
		p := new(program).write(0, x).by(1, event.Quiesce, 0, key(1)).write(1, x)
		p.Threads[0].Bubble, p.Threads[1].Bubble = b, 1
		return p
	}
	check(t, ruleCase{"synctest.Wait", quiesce(1), nil}, ruleCase{"of another bubble", quiesce(2), []string{"1-3"}})
}

func TestSYNC13(t *testing.T) {
	files := func(k, l uint64) *program {
		return new(program).write(0, x).by(0, event.ObjectWrite, event.Kernel, key(k)).by(1, event.ObjectRead, event.Kernel, key(l)).write(1, x)
	}
	check(t,
		ruleCase{"bytes written, bytes read", files(event.KernelWrite, event.KernelRead), nil},
		ruleCase{"bytes written, Stat", files(event.KernelWrite, 0), raced},
		ruleCase{"made, Stat", files(0, 0), raced})
}

func TestSYNC14(t *testing.T) {
	silent := func(k, l event.Kind) *program {
		p := new(program).write(0, x).write(1, x)
		for i, k := range []event.Kind{k, l} {
			p.Silent = append(p.Silent, trace.Silent{At: 1, Op: event.Event{Thread: int32(i), Kind: k, Loc: event.Location{Addr: thing}}})
		}
		return p
	}
	check(t, ruleCase{"a lock that makes no event", silent(event.Unlock, event.Lock), nil}, ruleCase{"nothing left", silent(event.Lock, event.Lock), []string{"1-2"}})
}

func TestSYNC15(t *testing.T) {
	signal := func(p *program) *program {
		p.Unordered = map[uint64]bool{thing: true}
		return p
	}
	check(t,
		ruleCase{"told of a signal", signal(between(event.AtomicRMW, asIs, event.AtomicLoad, asIs)), raced},
		ruleCase{"woken by one", signal(between(event.ChanSend, other(0), event.ChanRecv, other(0))), raced},
		ruleCase{"no signal", between(event.AtomicRMW, asIs, event.AtomicLoad, asIs), nil})
}

func TestRACE1(t *testing.T) {
	check(t,
		ruleCase{"next to each other", new(program).write(0, x).write(1, x), []string{"1-2"}},
		ruleCase{"far apart", new(program).write(0, x).by(0, event.ChanSend, thing, other(0)).by(1, event.ChanLen, thing, value(1)).write(1, x), raced},
		ruleCase{"in order", between(event.Unlock, asIs, event.Lock, asIs), nil},
		ruleCase{"of one goroutine", new(program).write(0, x).write(0, x), nil},
		ruleCase{"two reads", new(program).by(0, event.Read, x).by(1, event.Read, x), nil},
		ruleCase{"both atomic", new(program).by(0, event.AtomicStore, x).by(1, event.AtomicStore, x), nil},
		ruleCase{"one atomic", new(program).by(0, event.AtomicStore, x).write(1, x), []string{"1-2"}},
		ruleCase{"next to each other in memory", new(program).write(0, x).write(1, x+8), nil},
		ruleCase{"one byte in common", new(program).write(0, x).write(1, x+7), []string{"1-2"}})
}

func TestRACE2(t *testing.T) {
	check(t,
		ruleCase{"one race orders another pair", new(program).write(0, x).write(0, y).by(1, event.Read, y).write(1, x), []string{"2-3"}},
		ruleCase{"the other way round", new(program).write(0, x).write(0, y).write(1, x).by(1, event.Read, y), []string{"1-3", "2-4"}})
}

func TestRACE3(t *testing.T) {
	check(t,
		ruleCase{"hidden by a write", new(program).write(0, x).write(0, x).write(1, x), []string{"2-3"}},
		ruleCase{"not hidden by a read", new(program).write(0, x).by(0, event.Read, x).by(1, event.Read, x), []string{"1-3"}},
		ruleCase{"not hidden by fewer bytes", new(program).write(0, x).by(0, event.Write, x, bytes(4)).write(1, x+4), []string{"1-3"}},
		ruleCase{"not hidden by an atomic", new(program).write(0, x).by(0, event.AtomicStore, x).by(1, event.AtomicStore, x), []string{"1-3"}})
}

func TestRACE4(t *testing.T) {
	add := func(v, sum int64) func(*event.Event) {
		return func(e *event.Event) { e.Value, e.Other = uint64(v), sum }
	}
	for _, c := range []struct {
		what string
		p    *program
		want int
	}{
		{"Wait, first Add", new(program).by(0, event.WaitGroupWait, thing).by(1, event.WaitGroupAdd, thing, add(1, 1)), 1},
		{"Wait, second Add", new(program).by(0, event.WaitGroupWait, thing).by(1, event.WaitGroupAdd, thing, add(1, 2)), 0},
		{"Wait, Done", new(program).by(0, event.WaitGroupWait, thing).by(1, event.WaitGroupAdd, thing, add(-1, 0)), 0},
		{"of two groups", new(program).by(0, event.WaitGroupWait, thing).by(1, event.WaitGroupAdd, y, add(1, 1)), 0},
		{"first Add, Wait", new(program).by(1, event.WaitGroupAdd, thing, add(1, 1)).by(0, event.WaitGroupWait, thing), 0},
	} {
		if got := Adjacent(&c.p.Trace); len(got) != c.want {
			t.Errorf("%s: %d races, want %d", c.what, len(got), c.want)
		}
	}
}

func TestRACE8(t *testing.T) {
	add := func(v, sum int64) func(*event.Event) {
		return func(e *event.Event) { e.Value, e.Other = uint64(v), sum }
	}
	group := func() *program {
		return new(program).by(0, event.Yield, thing).by(1, event.WaitGroupAdd, thing, add(1, 1))
	}
	done, waits := event.WaitGroupAdd, event.WaitGroupWait
	check(t,
		ruleCase{"a Wait that had to wait", group().by(1, done, thing, add(-1, 0)).by(0, waits, thing), []string{"2-4"}},
		ruleCase{"a Wait that came after the Done", new(program).by(1, event.WaitGroupAdd, thing, add(1, 1)).by(1, done, thing, add(-1, 0)).by(0, event.Yield, thing).by(0, waits, thing), nil},
		ruleCase{"an Add that is not the first", new(program).by(0, event.WaitGroupAdd, thing, add(1, 1)).by(1, event.WaitGroupAdd, thing, add(1, 2)).
			by(1, done, thing, add(-2, 0)).by(0, waits, thing), nil},
		ruleCase{"an Add after a Wait that had to wait", new(program).by(0, event.WaitGroupAdd, thing, add(1, 1)).by(0, event.Yield, thing).by(2, done, thing, add(-1, 0)).
			by(0, waits, thing).by(2, event.Yield, y).by(1, event.WaitGroupAdd, thing, add(1, 1)), []string{"4-6"}},
		ruleCase{"a Wait that knows of the Add", new(program).by(1, event.WaitGroupAdd, thing, add(1, 1)).by(1, event.AtomicStore, y).by(0, event.AtomicLoad, y).
			by(1, done, thing, add(-1, 0)).by(0, waits, thing), nil})
}

func TestRACE9(t *testing.T) {
	add := func(v, sum int64) func(*event.Event) {
		return func(e *event.Event) { e.Value, e.Other = uint64(v), sum }
	}
	first := func() *program { return new(program).by(1, event.WaitGroupAdd, thing, add(1, 1)) }
	done, waits, whole := event.WaitGroupAdd, event.WaitGroupWait, bytes(16)
	check(t,
		ruleCase{"a copy beside a Wait that had to wait", first().by(1, event.AtomicStore, y).by(0, event.AtomicLoad, y).
			by(1, event.Read, thing, whole).by(1, done, thing, add(-1, 0)).by(0, waits, thing), []string{"4-6"}},
		ruleCase{"a copy after it", first().by(1, event.AtomicStore, y).by(0, event.AtomicLoad, y).
			by(1, done, thing, add(-1, 0)).by(0, waits, thing).by(1, event.Read, thing, whole), []string{"5-6"}},
		ruleCase{"what overwrites", first().by(1, event.AtomicStore, y).by(0, event.AtomicLoad, y).by(1, event.Write, thing, whole).by(0, waits, thing), []string{"4-5"}},
		ruleCase{"the Wait came after it was overwritten", first().by(1, event.Write, thing, whole).by(1, event.AtomicStore, y).
			by(0, event.AtomicLoad, y).by(0, waits, thing).by(1, event.Read, thing, whole), nil},
		ruleCase{"the Wait came after the Done", first().by(1, done, thing, add(-1, 0)).by(1, event.AtomicStore, y).by(0, event.AtomicLoad, y).
			by(0, waits, thing).by(1, event.Read, thing, whole), nil},
		ruleCase{"the Wait came after the Done, of which it did not know", first().by(1, done, thing, add(-1, 0)).by(0, event.Yield, y).
			by(0, waits, thing).by(1, event.Read, thing, whole), nil},
		ruleCase{"a copy that knows of the Wait", first().by(1, event.AtomicStore, y).by(0, event.AtomicLoad, y).by(1, done, thing, add(-1, 0)).
			by(0, waits, thing).by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y).by(1, event.Read, thing, whole), nil})
}

func TestRACE10(t *testing.T) {
	begin, end, whole := event.OnceBegin, event.OnceEnd, bytes(12)
	inside := func() *program { // goroutine 1 stands at its Do while the function runs
		return new(program).by(0, begin, thing, value(1)).by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y)
	}
	check(t,
		ruleCase{"a copy in the function", inside().by(0, event.Read, thing, whole).by(0, end, thing).by(1, begin, thing), []string{"4-6"}},
		ruleCase{"a copy after it", inside().by(0, end, thing).by(1, begin, thing).by(0, event.Read, thing, whole), []string{"5-6"}},
		ruleCase{"a copy between", inside().by(0, end, thing).by(0, event.Read, thing, whole).by(1, begin, thing), []string{"5-6"}},
		ruleCase{"a copy that the Do knows of", new(program).by(0, begin, thing, value(1)).by(0, event.Read, thing, whole).by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y).
			by(0, end, thing).by(1, begin, thing), nil},
		ruleCase{"the Do came after the end", new(program).by(0, begin, thing, value(1)).by(0, end, thing).by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y).
			by(1, begin, thing).by(0, event.Read, thing, whole), nil},
		ruleCase{"the second Do came after the end", inside().by(0, end, thing).by(1, begin, thing).by(1, event.AtomicStore, y+8).by(0, event.AtomicLoad, y+8).
			by(1, begin, thing).by(0, event.Read, thing, whole), nil},
		ruleCase{"a read of done", inside().by(0, event.Read, thing, bytes(4)).by(0, end, thing).by(1, begin, thing), nil},
		ruleCase{"the race orders nothing", inside().by(0, event.Write, x).by(0, event.Read, thing, whole).by(0, end, thing).by(0, event.Write, y+16).by(0, event.Read, thing, whole).
			by(1, begin, thing).by(1, event.Read, y+16), []string{"8-9", "7-10"}})
}

func TestRACE11(t *testing.T) {
	begin, end, whole := event.OnceBegin, event.OnceEnd, bytes(12)
	over := func() *program {
		return new(program).by(0, begin, thing, value(1)).by(0, event.Yield, x).by(0, end, thing).by(1, begin, thing)
	}
	check(t,
		ruleCase{"a copy by who has found that it is over", over().by(1, event.Read, thing, whole), []string{"3-5"}},
		ruleCase{"by who was told of that", over().by(1, event.AtomicStore, y).by(2, event.AtomicLoad, y).by(2, event.Read, thing, whole), []string{"3-7"}},
		ruleCase{"a copy that knows of the Unlock", over().by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y).by(1, event.Read, thing, whole), nil},
		ruleCase{"what the function wrote", new(program).by(0, begin, thing, value(1)).write(0, x).by(0, end, thing).by(1, begin, thing).write(1, x), nil},
		ruleCase{"a read of done", over().by(1, event.Read, thing, bytes(4)), nil},
		ruleCase{"a read of done by who has found nothing", new(program).by(0, begin, thing, value(1)).by(0, end, thing).by(1, event.Read, thing, bytes(4)), []string{"2-3"}})
	used := func(key int64) *program {
		of := func(bits int64) func(*event.Event) {
			return func(e *event.Event) { e.Key, e.Other = event.MapKey, bits|event.MapKeyed }
		}
		return new(program).by(0, event.ObjectWrite, thing, of(16|event.MapUsed)).by(1, event.Yield, y).by(1, event.ObjectRead, thing, of(key)).by(1, event.Read, thing, bytes(48))
	}
	check(t,
		ruleCase{"the first operation on a Map, another key", used(32), []string{"1-4"}},
		ruleCase{"the first operation on a Map, the same key", used(16), nil})
}

// TestLates looks for orders in which an Add is the first one, or a Wait has to wait.
func TestLates(t *testing.T) {
	add := func(v, sum int64) func(*event.Event) {
		return func(e *event.Event) { e.Value, e.Other = uint64(v), sum }
	}
	of := func(bits int64) func(*event.Event) {
		return func(e *event.Event) { e.Key, e.Other = event.MapKey, bits }
	}
	late := func() *program {
		return new(program).by(0, event.OnceBegin, thing, value(1)).by(0, event.Yield, x).by(0, event.OnceEnd, thing).by(1, event.Yield, y)
	}
	for _, c := range []struct {
		what string
		p    *program
		want [][]int32
	}{
		{"another Add comes between", new(program).by(0, event.WaitGroupAdd, thing, add(1, 1)).by(1, event.WaitGroupAdd, thing, add(1, 2)).
			by(1, event.WaitGroupAdd, thing, add(-2, 0)).by(0, event.WaitGroupWait, thing), [][]int32{{1, 0}}},
		{"the other Add is before both", new(program).by(0, event.WaitGroupAdd, thing, add(1, 1)).by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y).
			by(1, event.WaitGroupAdd, thing, add(1, 2)).by(1, event.WaitGroupAdd, thing, add(-2, 0)).by(0, event.WaitGroupWait, thing), nil},
		{"the Wait came late", new(program).by(1, event.WaitGroupAdd, thing, add(1, 1)).by(1, event.WaitGroupAdd, thing, add(-1, 0)).by(0, event.Yield, y).
			by(0, event.WaitGroupWait, thing), [][]int32{{0, 2}, {0, 2}}},
		{"a copy beside a Wait that came late", new(program).by(0, event.WaitGroupAdd, thing, add(1, 1)).by(0, event.AtomicStore, y).by(1, event.AtomicLoad, y).
			by(1, event.WaitGroupAdd, thing, add(-1, 0)).by(1, event.Read, thing, bytes(16)).by(0, event.Yield, y).by(0, event.WaitGroupWait, thing), [][]int32{{0, 1, 5, 2, 3, 4, 6}}},
		{"the Wait knows of the Done", new(program).by(1, event.WaitGroupAdd, thing, add(1, 1)).by(1, event.WaitGroupAdd, thing, add(-1, 0)).by(1, event.AtomicStore, y).
			by(0, event.AtomicLoad, y).by(0, event.WaitGroupWait, thing), nil},
		{"a Do that came late", late().by(1, event.OnceBegin, thing).by(0, event.Read, thing, bytes(12)), [][]int32{{0, 1, 3, 2, 4, 5}}},
		{"a Do that came late, behind the copy", late().by(0, event.Read, thing, bytes(12)).by(1, event.OnceBegin, thing), [][]int32{{0, 1, 3, 2, 4, 5}}},
		{"a Do that came late, and one before", new(program).by(0, event.OnceBegin, thing, value(1)).by(0, event.OnceEnd, thing).by(2, event.Yield, y).by(2, event.OnceBegin, thing).
			by(1, event.Yield, y).by(1, event.OnceBegin, thing).by(0, event.Read, thing, bytes(12)), [][]int32{{0, 2, 1, 3, 4, 5, 6}, {0, 2, 4, 1, 3, 5, 6}}},
		{"an operation on a Map that came late", new(program).by(0, event.ObjectWrite, thing, of(event.MapUsed)).by(1, event.Yield, y).by(1, event.ObjectRead, thing, of(0)).
			by(0, event.Read, thing, bytes(48)), [][]int32{{1, 0, 2, 3}}},
	} {
		var got [][]int32
		for _, l := range Lates(&c.p.Trace) {
			got = append(got, l.Events)
		}
		if !slices.EqualFunc(got, c.want, slices.Equal[[]int32]) {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
		if found := Search(&c.p.Trace); len(found.Races) > 0 || c.want != nil && !found.Late {
			t.Errorf("%s: %v", c.what, found)
		}
	}
}

func TestRACE5(t *testing.T) {
	maps := func(k, l event.Kind, keys ...uint64) *program {
		return new(program).by(0, k, thing, key(keys[0])).by(1, l, thing, key(keys[1]))
	}
	check(t,
		ruleCase{"two keys", maps(event.MapWrite, event.MapWrite, 1, 2), []string{"1-2"}},
		ruleCase{"a key and the whole", maps(event.MapWrite, event.MapRead, 1, 0), []string{"1-2"}},
		ruleCase{"two reads", maps(event.MapRead, event.MapRead, 1, 1), nil})
}

func TestRACE6(t *testing.T) {
	check(t,
		ruleCase{"a copy by the holder, Lock", new(program).by(0, event.Lock, thing).by(0, event.Read, thing).by(0, event.Unlock, thing).by(1, event.Lock, thing), []string{"2-4"}},
		ruleCase{"a copy, TryLock that fails", new(program).by(0, event.Lock, thing).by(0, event.Read, thing).by(1, event.TryLock, thing), nil},
		ruleCase{"an atomic look", new(program).by(0, event.AtomicLoad, thing, bytes(4)).by(1, event.Lock, thing), nil},
		ruleCase{"the field behind the lock", new(program).by(0, event.Read, thing+8).by(1, event.Lock, thing), nil},
		ruleCase{"two operations", new(program).by(0, event.Lock, thing).by(1, event.Unlock, thing), nil})
	of := func(bits int64) func(*event.Event) {
		return func(e *event.Event) { e.Key, e.Other = event.MapKey, bits }
	}
	uses, loads, copies := of(event.MapUsed), of(0), bytes(48)
	check(t,
		ruleCase{"an operation on a Map that may be the first", new(program).by(1, event.Yield, y).by(0, event.ObjectWrite, thing, uses).by(0, event.Read, thing, copies).
			by(1, event.ObjectRead, thing, loads), []string{"3-4"}},
		ruleCase{"its goroutine came later", new(program).by(0, event.ObjectWrite, thing, uses).by(0, event.Read, thing, copies).by(1, event.Yield, y).
			by(1, event.ObjectRead, thing, loads), nil})
}
