package machine

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the operations on timers: Sleep, Gosched, and what package time's timers ask of the runtime. When they fire is
// in clock.go.

// ownTime is what a goroutine has to do with the clock.
type ownTime struct {
	timers   int    // started so far
	fires    *timer // of a timer's thread: the timer that is offered, or noTimer
	wakeAt   int64  // Sleep: virtual time
	sleeping bool
	early    bool   // the end of its sleep is offered by rule TIME4
	slept    int    // sleeps that have ended
	readings uint64 // hash of the clock's readings
	ticks    int64  // how many there were, those of the goroutine that started it included (TIME5)
}

func timeSleep(m *Machine, g *G, w []uint64) status {
	d := int64(w[0])
	if d <= 0 {
		return gosched(m, g, nil) // an event of the clock would wait for all others
	}
	if !m.readClock(g) {
		return yield
	}
	if !g.sleeping && (m.opts.Timing || g.stage == 0 && !g.permit) {
		g.sleeping = true
		if g.bubble == nil {
			m.asleep = append(m.asleep, g)
		}
		now := m.line(g).now
		g.wakeAt = now + d
		if g.wakeAt < now {
			g.wakeAt = 1<<63 - 1
		}
	}
	if !m.announce(g, event.Op{Kind: event.Sleep, Key: b2w(m.opts.Timing && g.slept >= earlySleeps), Deadline: g.wakeAt}) {
		return yield
	}
	if g.sleeping {
		g.sleeping = false
		m.asleep = slices.DeleteFunc(m.asleep, func(o *G) bool { return o == g })
	}
	g.slept++
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
	if !m.readClock(g) { // the clock may have moved since the deadline was computed, and who is next changes now
		return yield
	}
	// time.Timer and time.Ticker: the channel, and whether they were made by New.
	at := m.instant(g, w[0])
	f := m.closureFunc(w[2])
	now := g.bubble != nil && at <= g.bubble.now // "run it now": runtime/time.go
	if now && f != nil && f.name != "time.sendTime" && !m.announce(g, event.Op{Kind: event.Spawn}) {
		return yield
	}
	p, s := m.alloc(g, 16, timerPtrs)
	if s != done {
		return s
	}
	*(*uint8)(unsafe.Add(m.mem.Object(p).Data(), 8)) = 1
	m.publish(w[4])
	if w[5] != 0 {
		m.chanForWrite(w[5]).synced = true
	}
	m.addTimer(g, p, at, int64(w[1]), w[2], w[3], w[4])
	if now {
		m.fireNow(g, m.records[p])
	}
	w[6] = p
	return done
}

// fireNow fires a timer of a bubble that is due when it is started: the last event of g does it.
func (m *Machine) fireNow(g *G, t *timer) {
	tl := t.line(m)
	tl.remove(t)
	switch t.f.name {
	case "time.sendTime":
		m.sendTime(t, -1)
	case "time.goFunc":
		if f := m.closureFunc(t.arg2); f != nil {
			m.signatureOf(f)
			child := m.startFired(t, f, t.arg2, nil)
			if i := m.lastEvent; i >= 0 {
				m.tr.Threads[child.idx].Spawn = int32(i)
				if m.tr.Events[i].Kind == event.Spawn {
					m.tr.Events[i].Other = int64(child.idx)
					m.lastEvent = -1
				}
			}
			m.fresh = append(m.fresh, child)
		}
	}
}

// instant is the virtual time at which what g calculated from its last reading of the monotonic clock, which starts at 1, is due (TIME5). In a bubble it is the time itself.
func (m *Machine) instant(g *G, mono uint64) int64 {
	if g.bubble != nil {
		return int64(mono)
	}
	t := int64(mono) - 1 + Epoch
	if t < Epoch {
		return 1<<63 - 1
	}
	if m.mode == running {
		return t
	}
	const unit = 1000 // nanoseconds
	t -= m.gain(m.now) + m.ticked(g.ticks)
	if over := (t - Epoch) % unit; over > 0 && t-m.now >= unit {
		t += unit - over
	}
	return t
}

var timerPtrs = &mem.PtrMap{Elem: 16, Offs: []uint32{0}}

func (m *Machine) addTimer(g *G, addr uint64, when, period int64, fv, arg, arg2 uint64) {
	m.timerSeq++
	g.timers++
	tl := m.line(g)
	t := &timer{
		bubble: g.bubble, addr: addr, when: when, period: period, seq: m.timerSeq,
		f: m.closureFunc(fv), fctx: fv, arg: arg, arg2: arg2, owner: g, by: g, ticks: g.ticks, site: m.siteOf(g),
		name: event.ThreadID(fmt.Sprintf("%s.t%d", g.id, g.timers)), fired: new(int),
	}
	tl.add(t)
	if t.f != nil && t.f.name == "time.sendTime" {
		m.chanForWrite(arg2).timer = true
	}
	if m.records == nil {
		m.records = map[uint64]*timer{}
	}
	m.records[addr] = t
	m.noteTimer(g, t)
}

func (m *Machine) removeTimer(addr uint64) bool {
	t := m.records[addr]
	if t == nil {
		return false
	}
	tl := t.line(m)
	active := tl.remove(t)
	if i := slices.Index(tl.due, t); i >= 0 {
		active = true
		tl.due = slices.Delete(slices.Clone(tl.due), i, i+1)
		for _, c := range m.clocks {
			if c.fires == t {
				c.waiting, c.fires = false, noTimer
			}
		}
	}
	m.offerDue(tl)
	return active
}

// drains reports whether stopping or resetting a timer empties its channel (TIME7).
func (m *Machine) drains(t *timer) bool {
	return t != nil && t.f.name == "time.sendTime" && m.chanAt(t.arg2).synced && !m.asyncTimers()
}

// drain empties the channel of a stopped or reset timer, as Go 1.23 and later do.
func (m *Machine) drain(t *timer) (had bool) {
	if m.drains(t) {
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
	if r := m.records[w[0]]; r != nil && r.bubble != nil && g.bubble == nil {
		return m.fatal(g, "stop of synctest timer from outside bubble")
	}
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
	if r := m.records[w[0]]; r != nil && r.bubble != g.bubble {
		switch {
		case g.bubble == nil:
			return m.fatal(g, "reset of synctest timer from outside bubble")
		case r.bubble != nil:
			return m.fatal(g, "timer moved between synctest bubbles")
		}
	}
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
		n.when, n.period, n.ticks, n.by = m.instant(g, w[1]), int64(w[2]), g.ticks, g
		if n.bubble == nil && g.bubble != nil { // made outside, it keeps to the machine's clock
			n.when += m.now - g.bubble.now
		}
		m.timerSeq++
		n.seq = m.timerSeq
		tl := n.line(m)
		tl.add(&n)
		m.records[w[0]] = &n
		m.noteTimer(g, &n)
		if n.bubble != nil && n.when <= tl.now {
			m.lastEvent = e
			m.fireNow(g, &n)
		}
	}
	m.lastEvent = e
	m.logged(g, b2w(active), 0)
	w[3] = b2w(active)
	return done
}

func (m *clockwork) timerObject(addr uint64) uint64 {
	if r := m.records[addr]; r != nil {
		return r.object()
	}
	return addr
}
