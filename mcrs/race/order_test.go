package race

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// variable is what two goroutines write in each trace of this file, object the object between them.
const variable, object1 = 0x1000, 0x2000

// by makes an operation of a goroutine on the object. It has no Partner.
func by(thread int32, k event.Kind) event.Event {
	return event.Event{Thread: thread, Kind: k, Loc: event.Location{Addr: object1, Size: 8}, Partner: -1, Site: 100}
}

// with sets the fields that operations differ in.
func with(e event.Event, key, value uint64, other int64) event.Event {
	e.Key, e.Value, e.Other = key, value, other
	return e
}

// at moves an operation to another object.
func at(e event.Event, addr uint64) event.Event {
	e.Loc.Addr = addr
	return e
}

// writes writes the variable, at a line of the goroutine's own.
func writes(thread int32) event.Event {
	e := at(by(thread, event.Write), variable)
	e.Site = event.Site(1 + thread)
	return e
}

// execution makes a trace of three goroutines that nobody starts.
func execution(events ...event.Event) *trace.Trace {
	t := &trace.Trace{Threads: make([]trace.Thread, 3), Events: events}
	for i := range t.Threads {
		t.Threads[i].Spawn = -1
	}
	seqs := make([]int32, len(t.Threads))
	for i := range events {
		events[i].Seq = seqs[events[i].Thread]
		seqs[events[i].Thread]++
	}
	return t
}

// TestSynchronisation puts two operations between two writes, and asks whether the writes race. Each rule has a pair
// that orders, and one that nearly does.
func TestSynchronisation(t *testing.T) {
	const minus1 = ^uint64(0)
	for _, c := range []struct {
		rule, what   string
		first, after event.Event
		races        bool
	}{
		{"SYNC2", "load of a store", by(0, event.AtomicStore), by(1, event.AtomicLoad), false},
		{"SYNC2", "store after a store", by(0, event.AtomicStore), by(1, event.AtomicStore), true},
		{"SYNC2", "update of an update", by(0, event.AtomicRMW), by(1, event.AtomicRMW), false},
		{"SYNC3", "Lock after Unlock", by(0, event.Unlock), by(1, event.Lock), false},
		{"SYNC3", "TryLock that succeeds", by(0, event.Unlock), with(by(1, event.TryLock), 0, 1, 0), false},
		{"SYNC3", "TryLock that fails", by(0, event.Unlock), by(1, event.TryLock), true},
		{"SYNC4", "RLock after Unlock", by(0, event.Unlock), by(1, event.RLock), false},
		{"SYNC4", "Lock after RUnlock", by(0, event.RUnlock), by(1, event.Lock), false},
		{"SYNC4", "RLock after RUnlock", by(0, event.RUnlock), by(1, event.RLock), true},
		{"SYNC5", "Wait after Done", with(by(0, event.WaitGroupAdd), 0, minus1, 0), by(1, event.WaitGroupWait), false},
		{"SYNC5", "Wait after Add", with(by(0, event.WaitGroupAdd), 0, 1, 1), by(1, event.WaitGroupWait), true},
		{"SYNC6", "Do after the function's end", by(0, event.OnceEnd), by(1, event.OnceBegin), false},
		{"SYNC6", "Do that runs the function", by(0, event.OnceEnd), with(by(1, event.OnceBegin), 0, 1, 0), true},
		{"SYNC7", "Wait that Signal wakes", with(by(0, event.CondSignal), 0, 5, 1), with(by(1, event.CondWait), 5, 0, 0), false},
		{"SYNC7", "Wait of another ticket", with(by(0, event.CondSignal), 0, 5, 1), with(by(1, event.CondWait), 6, 0, 0), true},
		{"SYNC8", "receive of the send", with(by(0, event.ChanSend), 0, 0, 0), with(by(1, event.ChanRecv), 0, 0, 0), false},
		{"SYNC8", "send into the place of the receive", with(by(0, event.ChanRecv), 0, 0, 0), with(by(1, event.ChanSend), 0, 0, 2), false},
		{"SYNC8", "send after a send", with(by(0, event.ChanSend), 0, 0, 0), with(by(1, event.ChanSend), 0, 0, 1), true},
		{"SYNC8", "receive that finds it closed", by(0, event.ChanClose), with(by(1, event.ChanRecv), 0, 0, -1), false},
		{"SYNC8", "len after a send", with(by(0, event.ChanSend), 0, 0, 0), with(by(1, event.ChanLen), 0, 1, 0), true},
		{"SYNC9", "send after a send of nothing", at(with(by(0, event.ChanSend), 0, 0, 0), object1+8), at(with(by(1, event.ChanSend), 0, 0, 1), object1+8), false},
		{"SYNC9", "send after a close", at(by(0, event.ChanClose), object1+8), at(with(by(1, event.ChanSend), 0, 0, -1), object1+8), true},
		{"SYNC10", "firing after the start", by(0, event.TimerStart), by(1, event.TimerFire), false},
		{"SYNC10", "firing after Stop", by(0, event.TimerStop), by(1, event.TimerFire), true},
		{"SYNC11", "operation after a write", by(0, event.ObjectWrite), by(1, event.ObjectRead), false},
		{"SYNC11", "read after a read", by(0, event.ObjectRead), by(1, event.ObjectRead), true},
		{"SYNC12", "Wait of the bubble", by(0, event.Yield), with(by(1, event.Quiesce), 7, 0, 0), false},
		{"SYNC12", "Wait of another bubble", by(0, event.Yield), with(by(1, event.Quiesce), 8, 0, 0), true},
		{"SYNC13", "bytes read after bytes written", at(with(by(0, event.ObjectWrite), event.KernelWrite, 0, 0), event.Kernel),
			at(with(by(1, event.ObjectRead), event.KernelRead, 0, 0), event.Kernel), false},
		{"SYNC13", "Stat after bytes written", at(with(by(0, event.ObjectWrite), event.KernelWrite, 0, 0), event.Kernel),
			at(by(1, event.ObjectRead), event.Kernel), true},
	} {
		x := execution(writes(0), c.first, c.after, writes(1))
		x.Caps = map[uint64]int{object1: 2, object1 + 8: 2}
		x.Unsized = map[uint64]bool{object1 + 8: true}
		x.Threads[0].Bubble, x.Threads[1].Bubble = 7, 7
		if races := len(Of(x)) > 0; races != c.races {
			t.Errorf("%s: %s: races %v, want %v", c.rule, c.what, races, c.races)
		}
	}
}

// TestRendezvous shows that both sides of an unbuffered channel know what the other has done before, and not after.
func TestRendezvous(t *testing.T) {
	for _, c := range []struct {
		what   string
		events []event.Event
		races  bool
	}{
		{"sender first", []event.Event{writes(0), by(0, event.ChanSend), by(1, event.ChanRecv), writes(1)}, false},
		{"receiver first", []event.Event{writes(1), by(0, event.ChanSend), by(1, event.ChanRecv), writes(0)}, false},
		{"both after it", []event.Event{by(0, event.ChanSend), by(1, event.ChanRecv), writes(0), writes(1)}, true},
	} {
		for i := range c.events {
			switch c.events[i].Kind {
			case event.ChanSend:
				c.events[i].Partner = int32(i + 1)
			case event.ChanRecv:
				c.events[i].Partner = int32(i - 1)
			}
		}
		if races := len(Of(execution(c.events...))) > 0; races != c.races {
			t.Errorf("%s: races %v, want %v", c.what, races, c.races)
		}
	}
}

// TestGoroutineIsAfterItsGoStatement shows that a goroutine is after the go statement, and not after what follows that
// (SYNC1).
func TestGoroutineIsAfterItsGoStatement(t *testing.T) {
	for _, c := range []struct {
		what   string
		events []event.Event
		races  bool
	}{
		{"write before go", []event.Event{writes(0), by(0, event.Spawn), writes(1)}, false},
		{"write after go", []event.Event{by(0, event.Spawn), writes(0), writes(1)}, true},
	} {
		x := execution(c.events...)
		for i := range x.Events {
			if x.Events[i].Kind == event.Spawn {
				x.Threads[1].Spawn = int32(i)
			}
		}
		if races := len(Of(x)) > 0; races != c.races {
			t.Errorf("%s: races %v, want %v", c.what, races, c.races)
		}
	}
}

// TestSilentOrder shows that synchronisation without an event orders, at its place (SYNC14).
func TestSilentOrder(t *testing.T) {
	for _, c := range []struct {
		what        string
		unlock, get int32 // how many events stand before the Unlock and the Lock
		races       bool
	}{
		{"between the writes", 1, 1, false},
		{"before both", 0, 1, true},
		{"after both", 2, 2, true},
	} {
		x := execution(writes(0), writes(1))
		x.Silent = []trace.Silent{{At: c.unlock, Op: by(0, event.Unlock)}, {At: c.get, Op: by(1, event.Lock)}}
		if races := len(Of(x)) > 0; races != c.races {
			t.Errorf("%s: races %v, want %v", c.what, races, c.races)
		}
	}
}

// TestObjectsHandOnWhatOthersTold shows what an object hands on: what its goroutine knew then, what others had told it
// included (RACE1).
func TestObjectsHandOnWhatOthersTold(t *testing.T) {
	other := func(e event.Event) event.Event { return at(e, object1+64) }
	for _, c := range []struct {
		what   string
		events []event.Event
		races  bool
	}{
		{"over a third goroutine", []event.Event{
			writes(0), by(0, event.Unlock), by(2, event.Lock), other(by(2, event.Unlock)), other(by(1, event.Lock)), writes(1)}, false},
		{"after the Unlock", []event.Event{by(0, event.Unlock), writes(0), by(1, event.Lock), writes(1)}, true},
		{"another lock", []event.Event{writes(0), by(0, event.Unlock), other(by(1, event.Lock)), writes(1)}, true},
	} {
		if races := len(Of(execution(c.events...))) > 0; races != c.races {
			t.Errorf("%s: races %v, want %v", c.what, races, c.races)
		}
	}
}

// TestFirstRace shows that of two races of which the first would order the second only the first is told (RACE2).
func TestFirstRace(t *testing.T) {
	data := func(thread int32) event.Event {
		e := at(writes(thread), variable+64)
		e.Site += 10
		return e
	}
	// The write of data comes before a flag without synchronisation. The other goroutine writes data after it has seen
	// the flag.
	x := execution(data(0), writes(0), writes(1), data(1))
	if got := Of(x); len(got) != 1 || got[0] != (Pair{1, 2}) {
		t.Errorf("races %v, want that of the flag alone", got)
	}
	if got := Of(execution(data(0), data(1))); len(got) != 1 {
		t.Errorf("races %v without the flag, want one", got)
	}
}

// TestHiddenAccess shows that an access gives way to a later one of its goroutine that races with all that it races
// with (RACE3).
func TestHiddenAccess(t *testing.T) {
	again := writes(0)
	again.Site = 50
	narrow := again
	narrow.Loc.Size = 4
	for _, c := range []struct {
		what   string
		events []event.Event
		races  int
	}{
		{"same bytes", []event.Event{writes(0), again, writes(1)}, 1},
		{"fewer bytes", []event.Event{writes(0), narrow, writes(1)}, 2},
	} {
		if got := Of(execution(c.events...)); len(got) != c.races {
			t.Errorf("%s: races %v, want %d", c.what, got, c.races)
		}
	}
}

// TestWaitBesideAdd shows that Wait races with the Add next to it that makes the counter positive, and with no other
// (RACE4).
func TestWaitBesideAdd(t *testing.T) {
	first := with(by(1, event.WaitGroupAdd), 0, 1, 1)
	second := with(by(1, event.WaitGroupAdd), 0, 1, 2)
	for _, c := range []struct {
		what   string
		events []event.Event
		races  int
	}{
		{"first Add", []event.Event{by(0, event.WaitGroupWait), first}, 1},
		{"second Add", []event.Event{by(0, event.WaitGroupWait), second}, 0},
		{"not next to it", []event.Event{by(0, event.WaitGroupWait), by(0, event.Yield), first}, 0},
	} {
		if got := Adjacent(execution(c.events...)); len(got) != c.races {
			t.Errorf("%s: races %v, want %d", c.what, got, c.races)
		}
	}
}

// TestMapsRaceAsAWhole shows that operations on different keys of a map race (RACE5).
func TestMapsRaceAsAWhole(t *testing.T) {
	for _, c := range []struct {
		what          string
		first, second event.Event
		races         bool
	}{
		{"writes of two keys", with(by(0, event.MapWrite), 1, 0, 0), with(by(1, event.MapWrite), 2, 0, 0), true},
		{"reads", with(by(0, event.MapRead), 1, 0, 0), with(by(1, event.MapRead), 2, 0, 0), false},
		{"two maps", with(by(0, event.MapWrite), 1, 0, 0), at(with(by(1, event.MapWrite), 2, 0, 0), object1+64), false},
	} {
		if races := len(Of(execution(c.first, c.second))) > 0; races != c.races {
			t.Errorf("%s: races %v, want %v", c.what, races, c.races)
		}
	}
}
