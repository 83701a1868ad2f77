package clock

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the operations on timers: Sleep, Gosched, and what package time's timers ask of the runtime. When
// they fire is in clock.go.

// TimeSleep is time.Sleep.
func TimeSleep(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	d := int64(w[0])
	if d <= 0 {
		return Gosched(m, g, nil) // an event of the clock would wait for all others
	}
	if !changesNext(m, g, event.SleepKey) {
		return vm.Yield
	}
	if !g.Sleeping && (m.Options.Timing || g.Stage == 0 && !g.Permit) {
		g.Sleeping = true
		if g.Bubble == nil {
			m.Asleep = append(m.Asleep, g)
		}
		now := m.Line(g).Now
		g.WakeAt = now + d
		if g.WakeAt < now {
			g.WakeAt = 1<<63 - 1
		}
		if g.Bubble != nil {
			g.Bubble.JoinsHeap(m, g, 0, true)
		}
	}
	if !m.Announce(g, event.Op{Kind: event.Sleep, Key: vm.Word(m.Options.Timing && g.Slept >= m.Options.EarlyMost), Deadline: g.WakeAt, After: d}) {
		return vm.Yield
	}
	if g.Sleeping {
		g.Sleeping = false
		m.Asleep = slices.DeleteFunc(m.Asleep, func(o *vm.G) bool { return o == g })
	}
	g.Slept++
	return vm.Done
}

// Gosched is runtime.Gosched.
func Gosched(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	if !m.Announce(g, event.Op{Kind: event.Yield}) {
		return vm.Yield
	}
	return vm.Done
}

// keepsHeap notes that what g does to a timer of a bubble is kept where no event shows it: in the heap (BUBBLE6).
func keepsHeap(g *vm.G) { g.Secret = g.Secret || g.Bubble != nil }

// NewTimer(ahead, period int64, f func(any, uintptr, int64), arg any, cp unsafe.Pointer) (t *Timer, due bool)
func NewTimer(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	keepsHeap(g)
	if m.Inits {
		m.InitSpawn = true // a snapshot holds no timers
	}
	if !changesNext(m, g, event.SleepKey) {
		return vm.Yield
	}
	// time.Timer and time.Ticker: the channel, and whether they were made by New.
	at := later(m.Line(g).Now, w[0])
	f := m.ClosureFunc(w[2])
	now := g.Bubble != nil && at <= g.Bubble.Now // "run it now": runtime/time.go
	sends := f != nil && f.Name == "time.sendTime"
	if now && f != nil && !sends && !m.Announce(g, event.Op{Kind: event.Spawn}) {
		return vm.Yield
	}
	p, s := m.Alloc(g, 16, timerPtrs)
	if s != vm.Done {
		return s
	}
	*(*uint8)(unsafe.Add(m.Mem.Object(p).Data(), 8)) = 1
	m.Publish(w[4])
	if w[5] != 0 {
		objects.ChanForWrite(m, w[5]).Synced = true
	}
	t := makeTimer(m, g, p, at, int64(w[1]), w[2], w[3], w[4])
	w[6], w[7] = p, 0
	if startsDue(m, t) && !sentAtOnce(m, t) {
		w[7] = 1
		return vm.Done
	}
	if t.Bubble != nil && t.When > t.Bubble.Now {
		t.Bubble.JoinsHeap(m, g, t.Object(), !sends)
	}
	startTimer(m, g, t, atOnce, false)
	return vm.Done
}

// startsDue reports whether the time of a timer outside of bubbles has come when it is started (TIME2).
func startsDue(m *vm.Machine, t *vm.Timer) bool { return t.Bubble == nil && t.When <= m.Now }

// sentAtOnce reports whether a timer outside of bubbles that is just started has its channel full at once (TIME10).
func sentAtOnce(m *vm.Machine, t *vm.Timer) bool {
	return startsDue(m, t) && t.Period == 0 && drains(m, t)
}

// fireNow fires a timer that is due when it is started: the last event of g does it.
func fireNow(m *vm.Machine, g *vm.G, t *vm.Timer) {
	switch t.Func.Name {
	case "time.sendTime":
		sendTime(m, t, -1)
		leavesHeap(m, t)
	case "time.goFunc":
		if f := m.ClosureFunc(t.Arg2); f != nil {
			goroutine.SignatureOf(m, f)
			child := startFired(m, t, f, t.Arg2, nil)
			if i := m.LastEvent; i >= 0 {
				m.Trace.Threads[child.Index].Spawn = int32(i)
				if m.Trace.Events[i].Kind == event.Spawn {
					m.Trace.Events[i].Other = int64(child.Index)
					m.Trace.Events[i].Value = goroutine.StartDigest(m, f, t.Arg2, nil, t.Ticks)
					m.LastEvent = -1
				}
			}
			m.Fresh = append(m.Fresh, child)
		}
	}
}

// Ahead is time.when: how far ahead a timer is due that is started now. What it returns goes to the start of a timer,
// which adds it to the time of that moment (TOLD2).
func Ahead(_ *vm.Machine, _ *vm.G, w []uint64) vm.Status {
	w[1] = uint64(max(int64(w[0]), 0))
	return vm.Done
}

// later is the time so far ahead of another one.
func later(now int64, ahead uint64) int64 {
	if at := now + int64(ahead); at >= now {
		return at
	}
	return 1<<63 - 1
}

// rounded is the deadline of a timer of the machine's clock that is asked for now (TIME5).
func rounded(m *vm.Machine, t int64) int64 {
	const unit = 1000 // nanoseconds
	if over := (t - vm.Epoch) % unit; m.Mode == vm.Exploring && over > 0 && t-m.Now >= unit && t < 1<<63-unit {
		t += unit - over
	}
	return t
}

var timerPtrs = &mem.PtrMap{Elem: 16, Offs: []uint32{0}}

// makeTimer makes a timer of g. It is not started.
func makeTimer(m *vm.Machine, g *vm.G, addr uint64, when, period int64, fv, arg, arg2 uint64) *vm.Timer {
	m.Mem.Meet(addr)
	m.TimerSeq++
	g.Timers++
	t := &vm.Timer{
		Bubble: g.Bubble, Addr: addr, When: when, Asked: when, Period: period, Seq: m.TimerSeq, Began: m.TimerSeq,
		Func: m.ClosureFunc(fv), Closure: fv, Arg: arg, Arg2: arg2, Owner: g, By: g, Kids: g.Kids, Ticks: g.Ticks, Site: g.Site(),
		Name: event.ThreadID(fmt.Sprintf("%s.t%d", g.ID, g.Timers)), Fired: new(int),
	}
	if t.Bubble == nil {
		t.When = rounded(m, when)
	}
	if t.Func != nil && t.Func.Name == "time.sendTime" {
		if objects.ChanForWrite(m, arg2).Timer = true; t.Bubble != nil {
			delete(t.Bubble.Fired, arg2) // of a channel that had this address
		}
	}
	if m.Records == nil {
		m.Records = map[uint64]*vm.Timer{}
	}
	m.Records[addr] = t
	return t
}

// startTimer starts a timer. One that is due in a bubble starts as how says (BUBBLE4, BUBBLE6), and one outside may
// fire (TIME2), or has sent at once (TIME10). Stopped says that it was active when it was stopped, in a bubble.
func startTimer(m *vm.Machine, g *vm.G, t *vm.Timer, how resumption, stopped bool) {
	noteTimer(m, g, t, how, stopped)
	tl := t.Line(m)
	due := t.Bubble != nil && t.When <= tl.Now
	switch {
	case due && how == atOnce, sentAtOnce(m, t):
		fireNow(m, g, t)
	case due && how == offered, startsDue(m, t):
		tl.Due = append(slices.Clip(tl.Due), t)
		withdrawEarly(m) // or what was offered of the same timer would be taken back with what is offered now
		offerDue(m, tl)
	default:
		tl.Add(t)
	}
}

func removeTimer(m *vm.Machine, addr uint64) bool {
	t := m.Records[addr]
	if t == nil {
		return false
	}
	tl := t.Line(m)
	active := tl.Remove(t)
	if i := slices.Index(tl.Due, t); i >= 0 {
		active = true
		tl.Due = slices.Delete(slices.Clone(tl.Due), i, i+1)
		for _, c := range m.Clocks {
			if c.Fires == t {
				c.Waiting, c.Fires = false, vm.NoTimer
				vm.Restood(m, c)
			}
		}
	}
	offerDue(m, tl)
	return active
}

// drains reports whether stopping or resetting a timer empties its channel (TIME7).
func drains(m *vm.Machine, t *vm.Timer) bool {
	return t != nil && t.Func.Name == "time.sendTime" && objects.ChanAt(m, t.Arg2).Synced && !m.Settings.AsyncTimers()
}

// drain empties the channel of a stopped or reset timer, as Go 1.23 and later do.
func drain(m *vm.Machine, t *vm.Timer) (had bool) {
	if drains(m, t) {
		if st := objects.ChanForWrite(m, t.Arg2); len(st.Buffer) > 0 {
			st.Buffer = nil
			st.Received = st.Sent
			return true
		}
	}
	return false
}

// StopTimer(*Timer) bool
func StopTimer(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	keepsHeap(g)
	r := m.Records[w[0]]
	if r != nil && r.Bubble != nil && g.Bubble == nil {
		return goroutine.Fatal(m, g, "stop of synctest timer from outside bubble")
	}
	if !m.Announce(g, event.Op{Kind: event.TimerStop, Loc: event.Location{Addr: timerObject(m, w[0])}}) {
		return vm.Yield
	}
	e := m.LastEvent
	if r != nil && r.Bubble != nil {
		staysInHeap(g, r)
	}
	active := removeTimer(m, w[0])
	if drain(m, r) {
		active = true
	}
	m.LastEvent = e
	m.Logged(g, vm.Word(active), 0)
	w[1] = vm.Word(active)
	return vm.Done
}

// readsAhead reads the clock to start a timer again, and returns the key of the start (TOLD2, TOLD4).
func readsAhead(m *vm.Machine, g *vm.G, timer uint64) (key uint64, done bool) {
	if o := m.Mem.Object(timer); !m.Options.Timing || g.Bubble != nil || o == nil || o.Flags&mem.Shared == 0 {
		return event.SleepKey, true
	}
	if !changesNext(m, g, 0) {
		return 0, false
	}
	if m.LastEvent >= 0 {
		now := m.Line(g).Now
		g.AskedAt, g.Readings = now, vm.HashMix(g.Readings, uint64(now))
		g.Heard = vm.HashMix(g.Heard, uint64(now)) // TOLD6
		vm.Tells(m, g)
	}
	return 0, true
}

// ResetTimer(t *Timer, ahead, period int64) bool
func ResetTimer(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	keepsHeap(g)
	if r := m.Records[w[0]]; r != nil && r.Bubble != g.Bubble {
		switch {
		case g.Bubble == nil:
			return goroutine.Fatal(m, g, "reset of synctest timer from outside bubble")
		case r.Bubble != nil:
			return goroutine.Fatal(m, g, "timer moved between synctest bubbles")
		}
	}
	key, done := readsAhead(m, g, w[0])
	if !done || !m.Announce(g, event.Op{Kind: event.TimerStart, Loc: event.Location{Addr: timerObject(m, w[0])}, Key: key}) {
		return vm.Yield
	}
	if key == event.SleepKey {
		g.AskedAt = m.Line(g).Now
	}
	e := m.LastEvent
	active := removeTimer(m, w[0])
	r, was := m.Records[w[0]], active
	if drain(m, r) {
		active = true
	}
	sends, stopped := false, false
	if r != nil {
		n := *r
		n.When, n.Period, n.Ticks, n.By, n.Kids = later(g.AskedAt, w[1]), int64(w[2]), g.Ticks, g, g.Kids
		if n.Bubble == nil && g.Bubble != nil { // made outside, it keeps to the machine's clock
			n.When += m.Now - g.Bubble.Now
		}
		if n.Asked = n.When; n.Bubble == nil && g.Bubble == nil {
			n.When = rounded(m, n.When)
		}
		m.TimerSeq++
		n.Seq, n.Began = m.TimerSeq, m.TimerSeq
		m.Records[w[0]] = &n
		m.LastEvent = e
		how := atOnce
		if n.Bubble != nil {
			how, stopped = restarts(m, g, &n, was)
		}
		n.Offered = how == offered
		sends = n.Func.Name == "time.sendTime" && (sentAtOnce(m, &n) || n.Bubble != nil && n.When <= n.Line(m).Now && how == atOnce)
		startTimer(m, g, &n, how, stopped)
	}
	m.LastEvent = e
	m.Logged(g, vm.Word(active)|vm.Word(stopped)<<1, int64(vm.Word(sends)))
	w[3] = vm.Word(active)
	return vm.Done
}

func timerObject(m *vm.Machine, addr uint64) uint64 {
	if r := m.Records[addr]; r != nil {
		return r.Object()
	}
	return addr
}
