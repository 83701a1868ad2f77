package machine

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines virtual time, in the two regimes of docs/machine.md. In the first the clock stands still while a goroutine
// can run; when none can, it moves to the next deadline, as testing/synctest has it.
//
// Specification.
//
//	TIME1  Sleep is enabled when the clock has reached its deadline.
//	TIME2  When nothing is enabled, the clock moves to the earliest deadline. The timers due then are fired by the clock's own thread,
//	       one transition each, by deadline and then by the order in which they were started. A timer's channel receives the time unless it is full; a timer's function runs in a goroutine of its own.
//	TIME4  In the second regime (sched.Options.Timing) the clock may also move while a goroutine can run, to the deadline at which the next
//	       timer fires; all that is due then fires as in TIME2, and sleeps whose deadline has passed may end. So goroutines are slow, but timers fire in order and
//	       never before their time. A sleep alone does not move the clock. A ticker whose channel is full has nothing to offer. The clock moves
//	       so before the first earlyFirings firings of an execution; from then on the first regime holds. What reads the clock
//	       (time.Now, Sleep, the start of a timer) is a read of it, hence a visible operation, except within testing and os.
//	TIME3  After the entry has returned, timers fire on behalf of what it left behind, at most afterReturn times.

// A timer is one of package time. addr is the *time.Timer, whose first word is its channel.
type timer struct {
	addr   uint64
	when   int64
	period int64
	seq    uint64
	f      *Func // sendTime, goFunc, or another function of (arg, seq, delta)
	fctx   uint64
	arg    uint64 // the interface arg, two words
	arg2   uint64
	owner  *G
	name   event.ThreadID // of the goroutine its function runs in
	fired  *int           // how often it ran one
}

// object is what the events of a timer name: its channel, if it has one.
func (t *timer) object() uint64 {
	if t.f != nil && t.f.name == "time.sendTime" {
		return t.arg2
	}
	return t.addr
}

// Epoch is the virtual time at which an execution starts: 2000-01-01T00:00:00Z, as in testing/synctest.
const Epoch = 946684800 * 1_000_000_000

const afterReturn = 64

// earlyFirings bounds the firings that rule TIME4 makes possible. It is compared with the number of the clock's events, which is the same in
// equivalent executions; without a bound a ticker would have infinitely many.
const earlyFirings = 16

// offerEarly offers the clock's next firing by rule TIME4.
func (m *Machine) offerEarly() {
	if len(m.due) > 0 || m.inits {
		return
	}
	if m.early {
		m.early, m.clock.waiting = false, false
	}
	t := m.nextFiring()
	if t == nil || m.clock != nil && m.clock.seq >= earlyFirings {
		return
	}
	c := m.clockThread()
	c.waiting, m.early = true, true
	c.op = event.Op{Kind: event.TimerFire, Loc: event.Location{Addr: t.object()}}
}

// nextFiring is the timer that fires next, nil if none will.
func (m *Machine) nextFiring() (next *timer) {
	for _, t := range m.timers {
		if next != nil && (t.when > next.when || t.when == next.when && t.seq > next.seq) {
			continue
		}
		if t.period > 0 && t.f.name == "time.sendTime" {
			if st := m.chanAt(t.arg2); st != nil && len(st.buf) >= max(st.cap, 1) {
				continue
			}
		}
		next = t
	}
	return next
}

// readClock announces a read of the clock, where the clock can move under a goroutine's feet.
func (m *Machine) readClock(g *G) bool {
	if !m.opts.Timing || m.direct {
		return true
	}
	i := len(g.frames) - 1
	for i > 0 && (g.frames[i].f.intrinsic != nil || strings.HasPrefix(g.frames[i].f.name, "time.") || strings.HasPrefix(g.frames[i].f.name, "runtime.")) {
		i--
	}
	return g.frames[i].f.silent || m.hostObject(g, clockObject, false)
}

func (m *Machine) sortTimers() {
	sort.SliceStable(m.timers, func(i, j int) bool {
		a, b := m.timers[i], m.timers[j]
		if a.when != b.when {
			return a.when < b.when
		}
		return a.seq < b.seq
	})
}

// advanceClock moves the clock to the next deadline. It returns false if there is none.
func (m *Machine) advanceClock() bool {
	if m.entryDone {
		if m.fires >= afterReturn {
			return false
		}
		m.fires++
	}
	next := int64(-1)
	for _, g := range m.gs {
		if g.waiting && g.op.Kind == event.Sleep && (next < 0 || g.op.Deadline < next) {
			next = g.op.Deadline
		}
	}
	for _, t := range m.timers {
		if next < 0 || t.when < next {
			next = t.when
		}
	}
	if next < 0 {
		return false
	}
	m.now = max(m.now, next)
	for _, g := range m.gs {
		g.parked = g.waiting
	}
	m.collectDue()
	return true
}

// collectDue makes the timers whose time has come due: the clock's pending operation is to fire the first of them.
func (m *Machine) collectDue() {
	sort.SliceStable(m.timers, func(i, j int) bool {
		a, b := m.timers[i], m.timers[j]
		if a.when != b.when {
			return a.when < b.when
		}
		return a.seq < b.seq
	})
	n := 0
	for n < len(m.timers) && m.timers[n].when <= m.now {
		n++
	}
	m.due = append(m.due, m.timers[:n]...)
	m.timers = slices.Clone(m.timers[n:])
	m.setClock()
}

// setClock sets the clock's pending operation.
func (m *Machine) setClock() {
	if len(m.due) == 0 {
		if m.clock != nil {
			m.clock.waiting = false
		}
		return
	}
	c := m.clockThread()
	c.waiting = true
	c.op = event.Op{Kind: event.TimerFire, Loc: event.Location{Addr: m.due[0].object()}}
}

// clockThread returns the clock's own thread.
func (m *Machine) clockThread() *G {
	if m.clock == nil {
		m.clock = &G{id: "T", idx: int32(len(m.tr.Threads))}
		m.tr.Threads = append(m.tr.Threads, trace.Thread{ID: "T", Parent: -1, Spawn: -1, Holder: -1})
		m.gs = append(m.gs, m.clock)
	}
	return m.clock
}

// fire fires the first due timer.
func (m *Machine) fire() {
	if m.early {
		m.early = false
		m.now = max(m.now, m.nextFiring().when)
		m.tr.Early++
		m.collectDue()
	}
	t := m.due[0]
	m.due = m.due[1:]
	m.setClock()
	if t.period > 0 {
		n := *t
		n.when += t.period * (1 + (m.now-t.when)/t.period)
		m.timerSeq++
		n.seq = m.timerSeq
		m.timers = append(m.timers, &n)
	}
	at := m.log(m.clock, plain(event.TimerFire, t.object(), 0))
	switch t.f.name {
	case "time.sendTime":
		st := m.chanForWrite(t.arg2)
		if len(st.buf) >= max(st.cap, 1) {
			return
		}
		if at >= 0 {
			m.tr.Events[at].Value, m.tr.Events[at].Other = uint64(m.now), st.sent
		}
		st.sent++
		st.buf = append(st.buf, m.timeValue(m.now))
	case "time.goFunc":
		if f := m.closureFunc(t.arg2); f != nil {
			m.fireIn(t, f, t.arg2, nil)
		}
	default:
		m.fireIn(t, t.f, t.fctx, []uint64{t.arg, t.arg2, 0, 0})
	}
}

// fireIn runs a timer's function in a goroutine of its own. It is named after the goroutine that made the timer.
func (m *Machine) fireIn(t *timer, f *Func, ctx uint64, args []uint64) {
	*t.fired++
	id := t.name
	if *t.fired > 1 {
		id = event.ThreadID(fmt.Sprintf("%s.%d", t.name, *t.fired))
	}
	g := m.startAs(id, t.owner, f, ctx, args)
	m.tr.Threads[g.idx].Spawn = int32(len(m.tr.Events) - 1)
	m.advance(g)
}

// timeValue is the time.Time of a virtual instant, with a monotonic reading (time.Time: wall, ext, loc).
func (m *Machine) timeValue(now int64) []byte {
	const wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400
	const unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
	sec, nsec := now/1e9, now%1e9
	w := [3]uint64{1<<63 | uint64(sec+unixToInternal-wallToInternal)<<30 | uint64(nsec), uint64(now - Epoch + 1), 0}
	if g := m.localLoc(); g != 0 {
		w[2] = g
	}
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&w)), 24)...)
}

// localLoc is the address of time.localLoc.
func (m *Machine) localLoc() uint64 {
	p := m.prog.PackageByPath("time")
	if p == nil {
		return 0
	}
	g := p.SSA.Var("localLoc")
	if g == nil {
		return 0
	}
	return m.globalAddr(g)
}

func timeSleep(m *Machine, g *G, w []uint64) status {
	d := int64(w[0])
	if d > 0 && !m.readClock(g) {
		return yield
	}
	if !g.sleeping && (m.opts.Timing || g.stage == 0 && !g.permit) {
		if d <= 0 {
			return gosched(m, g, nil)
		}
		g.sleeping = true
		g.wakeAt = m.now + d
		if g.wakeAt < m.now {
			g.wakeAt = 1<<63 - 1
		}
	}
	if !m.announce(g, event.Op{Kind: event.Sleep, Deadline: g.wakeAt}) {
		return yield
	}
	g.sleeping = false
	return done
}

func gosched(m *Machine, g *G, _ []uint64) status {
	if !m.announce(g, event.Op{Kind: event.Yield}) {
		return yield
	}
	return done
}

// newTimer(when, period int64, f func(any, uintptr, int64), arg any, cp unsafe.Pointer) *Timer
func newTimer(m *Machine, g *G, w []uint64) status {
	if m.inits {
		m.initSpawn = true // a snapshot holds no timers
	}
	// time.Timer and time.Ticker: the channel, and whether they were made by New.
	p, s := m.alloc(g, 16, timerPtrs)
	if s != done {
		return s
	}
	*(*uint8)(unsafe.Add(m.mem.Object(p).Data(), 8)) = 1
	m.publish(w[4])
	m.addTimer(g, p, instant(w[0]), int64(w[1]), w[2], w[3], w[4])
	w[6] = p
	return done
}

// instant is the virtual time of a reading of the monotonic clock, which starts at 1.
func instant(mono uint64) int64 {
	if t := int64(mono) - 1 + Epoch; t >= Epoch {
		return t
	}
	return 1<<63 - 1
}

var timerPtrs = &mem.PtrMap{Elem: 16, Offs: []uint32{0}}

func (m *Machine) addTimer(g *G, addr uint64, when, period int64, fv, arg, arg2 uint64) {
	m.timerSeq++
	g.timers++
	m.timers = append(m.timers, &timer{
		addr: addr, when: when, period: period, seq: m.timerSeq,
		f: m.closureFunc(fv), fctx: fv, arg: arg, arg2: arg2, owner: g,
		name: event.ThreadID(fmt.Sprintf("%s.t%d", g.id, g.timers)), fired: new(int),
	})
	if t := m.timers[len(m.timers)-1]; t.f != nil && t.f.name == "time.sendTime" {
		m.chanForWrite(arg2).timer = true
	}
	if m.records == nil {
		m.records = map[uint64]*timer{}
	}
	m.records[addr] = m.timers[len(m.timers)-1]
}

func (m *Machine) removeTimer(addr uint64) bool {
	active := false
	drop := func(t *timer) bool {
		if t.addr != addr {
			return false
		}
		active = true
		return true
	}
	m.timers = slices.DeleteFunc(slices.Clone(m.timers), drop)
	m.due = slices.DeleteFunc(slices.Clone(m.due), drop)
	m.setClock()
	return active
}

// drain empties the channel of a stopped or reset timer, as Go 1.23 and later do.
func (m *Machine) drain(t *timer) (had bool) {
	if t != nil && t.f.name == "time.sendTime" {
		if st := m.chanForWrite(t.arg2); len(st.buf) > 0 {
			st.buf = nil
			st.recvd = st.sent
			return true
		}
	}
	return false
}

// stopTimer(*Timer) bool
func stopTimer(m *Machine, g *G, w []uint64) status {
	if !m.announce(g, event.Op{Kind: event.TimerStop, Loc: event.Location{Addr: m.timerObject(w[0])}}) {
		return yield
	}
	e := m.lastEvent
	active := m.removeTimer(w[0])
	if m.drain(m.records[w[0]]) {
		active = true
	}
	m.lastEvent = e
	m.logged(g, b2w(active), 0)
	w[1] = b2w(active)
	return done
}

// resetTimer(t *Timer, when, period int64) bool
func resetTimer(m *Machine, g *G, w []uint64) status {
	if !m.announce(g, event.Op{Kind: event.TimerStart, Loc: event.Location{Addr: m.timerObject(w[0])}}) {
		return yield
	}
	e := m.lastEvent
	active := m.removeTimer(w[0])
	r := m.records[w[0]]
	if m.drain(r) {
		active = true
	}
	if r != nil {
		n := *r
		n.when, n.period = instant(w[1]), int64(w[2])
		m.timerSeq++
		n.seq = m.timerSeq
		m.timers = append(m.timers, &n)
		m.records[w[0]] = &n
	}
	m.lastEvent = e
	m.logged(g, b2w(active), 0)
	w[3] = b2w(active)
	return done
}

func (m *Machine) timerObject(addr uint64) uint64 {
	if r := m.records[addr]; r != nil {
		return r.object()
	}
	return addr
}
