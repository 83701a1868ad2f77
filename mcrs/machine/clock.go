package machine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines virtual time, in the two regimes of docs/machine.md. In the first the clock stands still while a goroutine
// can run; when none can, it moves to the next deadline, as testing/synctest has it.
//
// Specification.
//
//	TIME1  Sleep is enabled when the clock has reached its deadline.
//	TIME2  When nothing is enabled, the clock moves to the earliest deadline. Each timer due then fires in a thread of its own, one transition, so
//	       those due at the same instant fire in any order, as in a bubble of testing/synctest. (An order by who was started first would make starts of
//	       different timers dependent.) A timer's channel receives the time unless it is full; a timer's function runs in a goroutine of its own.
//	       A timer that is started when its time has come is due at the next move of the clock.
//	TIME3  After the entry has returned, the clock moves on behalf of what it left behind for as long as go test would wait (earlyTime): later the process is gone.
//	       In the second regime the end may come before or after a move of the clock, and what may follow is the same: so the process is gone earlyTime after its start,
//	       unless the entry went on for longer.
//	       After afterReturn moves the execution ends. If what is left has not come back to a state in which it was before, so that all that follows has been
//	       seen (REPEAT1, repeat.go), the entry is not exhausted.
//	TIME4  In the second regime (sched.Options.Timing) the clock may also move while a goroutine can run, to the next deadline: of a timer or a sleep. What
//	       is due then fires, as in TIME2, or ends. So goroutines are slow, but timers fire and sleeps end in order, and never before their time; that one who
//	       has slept goes on late needs no more. A ticker whose channel is full has nothing to offer. The clock moves
//	       so before the first earlyFirings firings of an execution and the first earlySleeps sleeps of a goroutine, and up to earlyTime after the start; from
//	       then on the first regime holds. What reads the clock
//	       (time.Now, Sleep, the start of a timer) is a read of it, hence a visible operation, except within testing and os.
//	TIME5  Outside of bubbles readings of the clock run ahead of deadlines, by one part in lateness of the time since the start: natively nobody wakes
//	       at the very instant that he waited for, so more than d has passed after Sleep(d), and a deadline d ahead is over. And no two readings of one goroutine are
//	       equal: each is ahead by another nanosecond for every earlier one of the goroutine, and of the one that started it until then. That is known
//	       from the goroutine's own past, so it makes no two goroutines dependent; but of readings by two goroutines at one instant
//	       the later can be the smaller. With sched.Options.Ticking the nanoseconds count all readings of the execution: by that witnesses are
//	       confirmed. Readings within testing and os do not count. Deadlines a microsecond ahead or more are rounded up to whole ones, so that what is due at one instant stays so.
//	TIME6  A tick that came while the ticker's channel was full is lost. In the second regime the clock may pass such a tick, since the ticker has nothing to
//	       offer; who then makes room finds the next tick, and not that one.
//	TIME7 Stop and Reset empty the channel of a timer, and len and cap of it are 0. Not so with GODEBUG=asynctimerchan=1, the default where the go line says less
//	       than 1.23: then the channel is one of capacity 1, which keeps what was sent (godebug.go).
//	TIME8 Outside of bubbles the sleep of a goroutine ends after the timers with a channel that it has started itself, before the sleep, and that are due by then, have sent, or found
//	       their channel full: natively the sleep began later, so it ends later, and who then looks at the channel finds the tick, for it is looked for then (runtime/time.go, maybeRunChan).
//	TIME9 In the second regime what package testing reads of the clock is the time at the start, but in benchmarks. It is in the durations alone that it prints. Else the end of a test would
//	       depend on how far the clock has come.

// A clockwork is what the clock of an execution knows: timers, bubbles, and who waits for the clock.
type clockwork struct {
	timeline // of what is in no bubble
	bubbles  []*bubble
	assoc    map[uint64]*bubble // internal/synctest.Associate
	records  map[uint64]*timer  // the last start of each timer, by address
	timerSeq uint64
	clocks   map[event.ThreadID]*G // the threads of timers
	early    []*G                  // those whose firing, or end of a sleep, is offered by rule TIME4
	asleep   []*G                  // at Sleep by the machine's clock, in the order in which they came
	firings  int
	ticks    int64 // readings of the clock so far (TIME5)
}

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
	by     *G             // who started it last
	ticks  int64          // of the goroutine that started it, when it did
	site   event.Site     // where it was made
	bubble *bubble        // of the goroutine that made it; nil: it follows the machine's clock
	name   event.ThreadID // of the goroutine its function runs in; its own thread is this after "T/"
	fired  *int           // how often it ran one
}

// noTimer is that of a timer's thread that has nothing to fire now.
var noTimer = &timer{}

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

var afterReturnReason = fmt.Sprintf("the clock moved %d times after the entry had come to its end, and what it left behind goes on", afterReturn)

// earlyFirings bounds the firings that rule TIME4 makes possible. It is compared with the number of firings, which is the same in
// equivalent executions; without a bound a ticker would have infinitely many.
const earlyFirings = 16

// earlySleeps bounds the sleeps of one goroutine that rule TIME4 lets move the clock, as earlyFirings bounds firings.
const earlySleeps = 16

// earlyTime is when go test gives a test up, if it is not told otherwise. A goroutine that is slower than that is none that anybody sees: who sets a
// time-out of an hour, or of 15 minutes, means that it never strikes.
const earlyTime = 10 * 60 * 1_000_000_000

// goneAfter is how far the clock moves on behalf of what an entry that has returned now left behind (TIME3).
func (m *Machine) goneAfter() int64 {
	if m.opts.Timing && m.now <= Epoch+earlyTime {
		return Epoch + earlyTime
	}
	return m.now + earlyTime
}

// lateness is that of rule TIME5: 10 microseconds are told from their end, and in a second the clock gains less than a busy computer does.
const lateness = 10_000

// gain is how far a reading of the machine's clock at an instant is ahead of it (TIME5). For Exec no two readings are equal anyway (tick).
func (m *Machine) gain(now int64) int64 {
	if m.mode == running {
		return 0
	}
	return (now - Epoch) / lateness
}

// reading is what g reads of its clock.
func (m *Machine) reading(g *G) int64 {
	m.tick(g)
	if m.opts.Timing && m.mode == exploring && g.bubble == nil && m.printsTime(g) { // TIME9
		return Epoch
	}
	g.readings = hashMix(g.readings, uint64(m.line(g).now))
	if g.bubble != nil {
		return g.bubble.now
	}
	if m.mode == exploring && !m.inits && !m.clockReader(g).silent {
		g.ticks++
		m.ticks++
		m.tr.ClockReaders |= 1 << min(g.idx, 63)
	}
	return m.now + m.gain(m.now) + m.ticked(g.ticks)
}

// ticked is how many nanoseconds the readings of a goroutine that has come to ticks have brought the clock on (TIME5).
func (m *execution) ticked(ticks int64) int64 {
	if m.opts.Ticking {
		return m.ticks
	}
	return ticks
}

// offerEarly offers what is next by rule TIME4.
func (m *Machine) offerEarly() {
	m.withdrawEarly()
	if len(m.due) > 0 || m.inits {
		return
	}
	next := m.nextFirings()
	at := int64(1<<63 - 1)
	if len(next) > 0 {
		at = next[0].when
	}
	for _, g := range m.asleep {
		if g.waiting && g.op.Deadline <= m.now { // it comes first
			return
		}
		if g.waiting {
			at = min(at, g.op.Deadline)
		}
	}
	if at > Epoch+earlyTime {
		return
	}
	for _, t := range next {
		if t.when == at && m.firings < earlyFirings {
			m.early = append(m.early, m.offerFiring(t))
		}
	}
	for _, g := range m.asleep {
		if g.waiting && g.op.Deadline == at && g.slept < earlySleeps && !m.ticksFirst(g, m.timers) {
			g.early = true
			m.early = append(m.early, g)
		}
	}
}

// couldBeEarly reports whether rule TIME4 would have something to offer.
func (m *clockwork) couldBeEarly() bool {
	soon := func(at int64) bool { return at > m.now && at <= Epoch+earlyTime }
	return slices.ContainsFunc(m.timers, func(t *timer) bool { return soon(t.when) }) ||
		slices.ContainsFunc(m.asleep, func(g *G) bool { return g.waiting && soon(g.op.Deadline) })
}

// manyStarted reports whether the execution has started a goroutine beside the entry's, alive or not. Where one has, it may still have
// had something to do when the clock could move, in an equivalent order of the same events: whether it had in this one is the
// scheduler's accident, and explorers run one order of many.
func (m *goroutines) manyStarted() bool {
	return slices.ContainsFunc(m.gs, func(g *G) bool { return g.parent != nil && !g.pseudo() })
}

// withdrawEarly takes back what offerEarly has offered.
func (m *clockwork) withdrawEarly() {
	for _, c := range m.early {
		if c.early {
			c.early = false
		} else {
			c.waiting, c.fires = false, noTimer
		}
	}
	m.early = m.early[:0]
}

// ticksFirst reports whether one of the timers must send before g's sleep ends (TIME8).
func (m *Machine) ticksFirst(g *G, timers []*timer) bool {
	return slices.ContainsFunc(timers, func(t *timer) bool { return t.when <= g.op.Deadline && m.sendsBefore(t, g) && !m.full(t) })
}

// sendsFirst reports whether a timer that is due must send before g's sleep ends (TIME8), be its channel full or not.
func (m *Machine) sendsFirst(g *G) bool {
	return slices.ContainsFunc(m.due, func(t *timer) bool { return m.sendsBefore(t, g) })
}

// sendsBefore reports whether a timer with a channel was started by g, and so before the sleep at which g stands (TIME8).
func (m *Machine) sendsBefore(t *timer, g *G) bool {
	return t.by == g && t.bubble == nil && m.mode == exploring && t.f != nil && t.f.name == "time.sendTime" && m.drains(t)
}

// moveEarly moves the clock to the deadline of what was offered by rule TIME4: of g's sleep, if g is not nil.
func (m *Machine) moveEarly(deadline int64, g *G) {
	m.withdrawEarly()
	m.now = max(m.now, deadline)
	if m.mode == exploring {
		m.tr.Clock = append(m.tr.Clock, trace.ClockMove{Event: int32(len(m.tr.Events)), Now: m.now, Early: true})
	}
	if m.others {
		m.tr.Early++
	}
	m.collectDue(&m.timeline, g)
}

// nextFirings are the timers with the earliest deadline of all that have something to do.
func (m *Machine) nextFirings() (next []*timer) {
	for _, t := range m.timers {
		if len(next) > 0 && t.when > next[0].when {
			break
		}
		if m.full(t) {
			continue
		}
		next = append(next, t)
	}
	return next
}

// readClock announces a read of the clock, where the clock can move under a goroutine's feet.
func (m *Machine) readClock(g *G) bool {
	if !m.opts.Timing || m.direct || g.bubble != nil {
		return true
	}
	return m.clockReader(g).silent || m.hostObject(g, clockObject, 0, false)
}

// printsTime reports whether it is package testing that reads the clock, to print how long a test has taken.
func (m *Machine) printsTime(g *G) bool {
	f := m.clockReader(g)
	return f.silent && strings.HasPrefix(f.name, "testing.") && !slices.ContainsFunc(g.frames, func(fr frame) bool { return strings.HasPrefix(fr.f.name, "(*testing.B)") })
}

// clockReader is the function for which package time reads the clock.
func (m *Machine) clockReader(g *G) *Func {
	i := len(g.frames) - 1
	for i > 0 && (g.frames[i].f.intrinsic != nil || strings.HasPrefix(g.frames[i].f.name, "time.") || strings.HasPrefix(g.frames[i].f.name, "runtime.")) {
		i--
	}
	return g.frames[i].f
}

// tick moves the machine's clock on by a nanosecond at each reading of Exec's program, since no two instants are equal natively. A
// deadline is only reached by TIME2.
func (m *Machine) tick(g *G) {
	if m.mode == exploring || m.inits || g.bubble != nil {
		return
	}
	next := m.now + 1
	if len(m.timers) > 0 && m.timers[0].when <= next {
		return
	}
	for _, o := range m.live {
		if o.waiting && o.op.Kind == event.Sleep && o.bubble == nil && o.op.Deadline <= next {
			return
		}
	}
	m.now = next
}

// A timeline is a clock and what waits for it: the machine's own, and one for each bubble of testing/synctest.
type timeline struct {
	now    int64
	timers []*timer // in the order in which they fire
	due    []*timer // their time has come
}

// compare orders timers by their deadlines, and then by when they were started.
func (t *timer) compare(u *timer) int {
	return cmp.Or(cmp.Compare(t.when, u.when), cmp.Compare(t.seq, u.seq))
}

// add adds a timer that waits.
func (tl *timeline) add(t *timer) {
	i, _ := slices.BinarySearchFunc(tl.timers, t, (*timer).compare)
	tl.timers = slices.Insert(tl.timers, i, t)
}

// remove removes a timer that waits, and reports whether it did.
func (tl *timeline) remove(t *timer) bool {
	i, ok := slices.BinarySearchFunc(tl.timers, t, (*timer).compare)
	if ok {
		tl.timers = slices.Delete(tl.timers, i, i+1)
	}
	return ok
}

// line is the timeline that a goroutine lives on.
func (m *clockwork) line(g *G) *timeline {
	if g.bubble != nil {
		return &g.bubble.timeline
	}
	return &m.timeline
}

// pending are the timers that can still fire.
func (m *clockwork) pending() []*timer {
	all := slices.Concat(m.timers, m.due)
	for _, b := range m.bubbles {
		all = slices.Concat(all, b.timers, b.due)
	}
	return all
}

// line is the timeline that a timer follows.
func (t *timer) line(m *Machine) *timeline {
	if t.bubble != nil {
		return &t.bubble.timeline
	}
	return &m.timeline
}

// advanceClock moves the machine's clock to the next deadline. It returns false if there is none.
func (m *Machine) advanceClock() bool {
	if !m.advance1(nil) {
		return false
	}
	for _, g := range m.gs {
		g.parked = g.waiting
	}
	return true
}

// clockMoved notes the time in the trace.
func (m *Machine) clockMoved() {
	if m.mode == exploring {
		m.tr.Clock = append(m.tr.Clock, trace.ClockMove{Event: int32(len(m.tr.Events)), Now: m.now})
	}
}

// noteTimer notes in the trace that g has started a timer.
func (m *Machine) noteTimer(g *G, t *timer) {
	m.silently(g, event.TimerStart, t.object(), 0, 0)
	if m.mode == running || m.inits || m.direct || t.bubble != nil {
		return
	}
	n := trace.TimerStart{Event: int32(m.began), Thread: g.idx, Timer: "T/" + t.name, Object: t.object(), After: t.when - m.now, Period: t.period}
	if len(m.tr.Events) == 0 {
		n.Event = -1
	}
	if f := t.f; f != nil {
		n.Channel = f.name == "time.sendTime"
		n.Keeps = n.Channel && !m.drains(t)
		if c := m.closureFunc(t.arg2); f.name == "time.goFunc" && c != nil {
			f = c
		}
		n.Code = m.startDigest(f, t.fctx, []uint64{t.arg, t.arg2}, t.ticks)
	}
	m.tr.Started = append(m.tr.Started, n)
}

// advance1 moves the clock of a bubble, or of those in none.
func (m *Machine) advance1(b *bubble) bool {
	tl := &m.timeline
	if b != nil {
		tl = &b.timeline
	}
	over := m.entryDone || m.mainStuck
	next := int64(-1)
	for _, g := range m.gs {
		if g.waiting && g.bubble == b && g.op.Kind == event.Sleep && (next < 0 || g.op.Deadline < next) {
			next = g.op.Deadline
		}
	}
	if len(tl.timers) > 0 && (next < 0 || tl.timers[0].when < next) {
		next = tl.timers[0].when
	}
	if next < 0 || over && b == nil && next > m.until {
		return false
	}
	if over && m.fires >= afterReturn {
		m.cutOff = true
		return false
	}
	if over {
		m.noteQuiet()
		m.fires++
	}
	tl.now = max(tl.now, next)
	if b == nil {
		m.clockMoved()
	}
	m.collectDue(tl, nil)
	return true
}

// collectDue makes the timers whose time has come due: the pending operation of each one's thread is to fire it. g's sleep has brought the clock there, if g is not nil.
func (m *Machine) collectDue(tl *timeline, g *G) {
	n := 0
	for n < len(tl.timers) && tl.timers[n].when <= tl.now {
		n++
	}
	due := slices.Clone(tl.timers[:n])
	tl.timers = slices.Delete(tl.timers, 0, n)
	for _, t := range due {
		if m.full(t) && (t.when < tl.now || g != nil && m.sendsBefore(t, g)) { // TIME6, TIME8
			m.nextTick(t, tl)
		} else {
			tl.due = append(tl.due, t)
		}
	}
	m.offerDue(tl)
}

// full reports whether t is a ticker whose channel holds a tick.
func (m *heap) full(t *timer) bool {
	if t.period <= 0 || t.f == nil || t.f.name != "time.sendTime" {
		return false
	}
	st := m.chanAt(t.arg2)
	return st != nil && len(st.buf) >= max(st.cap, 1)
}

// nextTick has a ticker wait for the first tick that is still to come.
func (m *clockwork) nextTick(t *timer, tl *timeline) {
	n := *t
	n.when += t.period * (1 + (tl.now-t.when)/t.period)
	if n.when < t.when { // beyond the end of time
		n.when = 1<<63 - 1
	}
	m.timerSeq++
	n.seq = m.timerSeq
	tl.add(&n)
	m.records[t.addr] = &n
}

// offerDue offers the firing of the timers that are due: of all, or for Exec, where one thread serves all timers and nothing is explored, of the first.
func (m *Machine) offerDue(tl *timeline) {
	for _, t := range tl.due {
		m.offerFiring(t)
		if m.mode == running {
			break
		}
	}
}

// offerFiring makes t's firing the pending operation of its thread.
func (m *Machine) offerFiring(t *timer) *G {
	id := "T/" + t.name
	if m.mode == running {
		id = "T/" + event.ThreadID(fmt.Sprint(bubbleID(t.bubble)))
	}
	c := m.clocks[id]
	if c == nil {
		c = &G{id: id, idx: int32(len(m.tr.Threads))}
		m.tr.Threads = append(m.tr.Threads, trace.Thread{ID: id, Parent: -1, Spawn: -1, Holder: -1, Bubble: bubbleID(t.bubble)})
		m.gs, m.live = append(m.gs, c), append(m.live, c)
		if m.clocks == nil {
			m.clocks = map[event.ThreadID]*G{}
		}
		m.clocks[id] = c
	}
	c.fires, c.waiting = t, true
	c.op = event.Op{Kind: event.TimerFire, Loc: event.Location{Addr: t.object()}}
	return c
}

// fire fires the timer of thread c.
func (m *Machine) fire(c *G) {
	t := c.fires
	tl := t.line(m)
	if len(m.early) > 0 && tl == &m.timeline {
		m.moveEarly(t.when, nil)
	}
	m.firings++
	c.waiting, c.fires = false, noTimer
	tl.due = slices.DeleteFunc(slices.Clone(tl.due), func(o *timer) bool { return o == t })
	m.offerDue(tl)
	if t.period > 0 {
		m.nextTick(t, tl)
	}
	at := m.log(c, plain(event.TimerFire, t.object(), 0))
	switch t.f.name {
	case "time.sendTime":
		m.sendTime(t, at)
	case "time.goFunc":
		if f := m.closureFunc(t.arg2); f != nil {
			m.fireIn(t, f, t.arg2, nil)
		}
	default:
		m.fireIn(t, t.f, t.fctx, []uint64{t.arg, t.arg2, 0, 0})
	}
}

// sendTime puts the time into a timer's channel, unless it is full; event at, if there is one, does it.
func (m *Machine) sendTime(t *timer, at int) {
	st := m.chanForWrite(t.arg2)
	now := t.line(m).now
	read := now
	if t.bubble == nil {
		read += m.gain(now) + m.ticked(t.ticks)
	}
	v := m.timeValue(read, t.bubble != nil)
	if at >= 0 {
		m.tr.Events[at].Key = digest(v)
	}
	if len(st.buf) >= max(st.cap, 1) {
		return
	}
	if at >= 0 {
		m.tr.Events[at].Value, m.tr.Events[at].Other = uint64(now), st.sent
	}
	st.sent++
	st.buf = append(st.buf, v)
}

// fireIn runs a timer's function in a goroutine of its own.
func (m *Machine) fireIn(t *timer, f *Func, ctx uint64, args []uint64) {
	g := m.startFired(t, f, ctx, args)
	m.tr.Threads[g.idx].Spawn = int32(len(m.tr.Events) - 1)
	m.advance(g)
}

// startFired makes the goroutine of a timer's function. It is named after the goroutine that made the timer.
func (m *Machine) startFired(t *timer, f *Func, ctx uint64, args []uint64) *G {
	*t.fired++
	id := t.name
	if *t.fired > 1 {
		id = event.ThreadID(fmt.Sprintf("%s.%d", t.name, *t.fired))
	}
	g := m.startAs(id, t.owner, f, ctx, args)
	g.startTicks(t.ticks)
	if g.bubble != t.bubble {
		t.bubble.enter(g)
	}
	th := &m.tr.Threads[g.idx]
	th.Bubble, th.Site = bubbleID(t.bubble), t.site
	return g
}

// timeValue is the time.Time of a virtual instant (time.Time: wall, ext, loc). It has a monotonic reading, but in a bubble.
func (m *Machine) timeValue(now int64, bubbled bool) []byte {
	const wallToInternal = (1884*365 + 1884/4 - 1884/100 + 1884/400) * 86400
	const unixToInternal = (1969*365 + 1969/4 - 1969/100 + 1969/400) * 86400
	sec, nsec := now/1e9, now%1e9
	w := [3]uint64{1<<63 | uint64(sec+unixToInternal-wallToInternal)<<30 | uint64(nsec), uint64(now - Epoch + 1), 0}
	if bubbled {
		w[0], w[1] = uint64(nsec), uint64(sec+unixToInternal)
	}
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
