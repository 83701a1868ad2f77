package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file is the serial specification of the virtual clock in its first regime, and of timers. A timer fires in a thread of its own, whose graph
// begins where the timer is made.
//
//	UTIME1  Sleep is enabled when the clock has reached its deadline.
//	UTIME2  When nothing is enabled, the clock moves to the earliest deadline (tick). The timers whose time has come are due: their threads can
//	       fire. A timer's channel receives the time unless it is full; a timer's function runs in a goroutine of its own.
//	UTIME3  After the entry has returned, the clock moves at most afterReturn times.
//	UTIME4  A goroutine may read the clock at any time, without an event. So what an operation meets has the time in it.
//	UTIME5  Stopping or starting a timer again empties its channel, unless it is one that keeps what it holds, and tells whether it was active.
//	UTIME6  When the clock moves, all that wait have surely begun to wait: a select beside them does not take its default.

// afterReturn is the machine's.
const afterReturn = 64

// A timer is one as it was made.
type timer struct {
	thread, root int32
	object, ch   int32 // slots; ch is 0 if it has no channel
}

// A clock is the decoded value of the clock's slot.
type clock struct {
	now    int64
	moves  int64 // after the entry's end
	active []activeTimer
	name   int32 // of now, in clockwork.instants
}

type activeTimer struct {
	timer        int32
	due          bool
	when, period int64
}

// clockwork is what is known of timers and of times.
type clockwork struct {
	timers      []timer
	timerAt     map[timerKey]int32
	instants    map[int64]int32
	clocks      map[int32]*clock
	began       clock      // at the start of an execution
	early       []starting // before the first event
	parkedSlots []int32
}

// clockSlot is the slot of the clock.
const clockSlot = 1

// clockOf returns the clock of a state, not to be changed.
func (k *rules) clockOf(s *state) *clock {
	v := k.get(s, clockSlot)
	if v == 0 {
		return &k.began
	}
	return k.clocks[v]
}

func (k *rules) setClock(s *state, c clock) {
	ws := []uint64{uint64(c.now), uint64(c.moves)}
	for _, a := range c.active {
		ws = append(ws, uint64(a.timer)<<1|b2w(a.due), uint64(a.when), uint64(a.period))
	}
	v := k.values.ofWords('t', ws...)
	if k.clocks[v] == nil {
		c.name = k.instant(c.now)
		c.active = slices.Clone(c.active)
		k.clocks[v] = &c
	}
	k.set(s, clockSlot, v)
}

// instant numbers the times that were met. That of the start is 0.
func (k *rules) instant(now int64) int32 {
	if now == k.began.now {
		return 0
	}
	n, ok := k.instants[now]
	if !ok {
		n = int32(len(k.instants)) + 1
		k.instants[now] = n
	}
	return n
}

// tick moves the clock of a state in which nothing is enabled. It returns false if nothing waits for it.
func (k *rules) tick(s *state) bool {
	if k.get(s, 0) != 0 { // who ends the program could still move while the others do what they do here
		return false
	}
	c := *k.clockOf(s)
	if s.node(0) == 0 {
		if c.moves >= afterReturn {
			return false
		}
		c.moves++
	}
	next, found := int64(0), false
	wait := func(when int64) {
		if !found || when < next {
			next, found = when, true
		}
	}
	for _, n := range s.nodes {
		if x := &k.nodes[n]; n != 0 && x.known && x.op.Kind == event.Sleep {
			wait(x.op.Deadline)
		}
	}
	for _, a := range c.active {
		wait(a.when)
	}
	if !found {
		return false
	}
	c.now = max(c.now, next)
	c.active = slices.Clone(c.active)
	for i := range c.active {
		a := &c.active[i]
		a.due = a.due || a.when <= c.now
	}
	k.setClock(s, c)
	for t, n := range s.nodes {
		if n != 0 && len(k.actOf(n).comms) > 0 {
			k.set(s, k.parkedSlot(int32(t)), 1)
		}
	}
	return true
}

// parkedSlot is the slot that says whether a goroutine waits since the clock moved (TIME7).
func (k *rules) parkedSlot(t int32) int32 {
	for int(t) >= len(k.parkedSlots) {
		k.values.mustAdd()
		k.parkedSlots = append(k.parkedSlots, 0)
	}
	if k.parkedSlots[t] == 0 {
		k.values.mustAdd()
		k.parkedSlots[t] = k.object(spaceParked, uint64(t))
	}
	return k.parkedSlots[t]
}

func (k *rules) parked(s *state, t int32) bool {
	return int(t) < len(k.parkedSlots) && k.parkedSlots[t] != 0 && k.get(s, k.parkedSlots[t]) != 0
}

// unpark notes that a goroutine has moved.
func (k *rules) unpark(s *state, t int32) {
	if k.parked(s, t) {
		k.set(s, k.parkedSlots[t], 0)
	}
}

// isDue reports whether the timer of a thread can fire.
func (k *rules) isDue(s *state, t int32) bool {
	for _, a := range k.clockOf(s).active {
		if a.due && k.timers[a.timer].thread == t {
			return true
		}
	}
	return false
}

// dormant reports whether a goroutine, or a timer, waits for the clock to move. While anything can move it does not.
func (k *rules) dormant(s *state, t int32) bool {
	x := &k.nodes[s.nodes[t]]
	switch x.op.Kind {
	case event.Sleep:
		return k.clockOf(s).now < x.op.Deadline
	case event.TimerFire:
		return !k.isDue(s, t)
	}
	return false
}

// isActive reports whether stopping a timer would find it active (TIME6).
func (k *rules) isActive(s *state, object, ch int32) bool {
	for _, a := range k.clockOf(s).active {
		if k.timers[a.timer].object == object {
			return true
		}
	}
	return ch != 0 && !k.objects[ch].keeps && len(k.queueAt(s, ch).buf) > 0
}

// stopTimer takes a timer away, and what is in its channel.
func (k *rules) stopTimer(s *state, object, ch int32) {
	c := *k.clockOf(s)
	c.active = slices.DeleteFunc(slices.Clone(c.active), func(a activeTimer) bool { return k.timers[a.timer].object == object })
	k.setClock(s, c)
	if ch != 0 && !k.objects[ch].keeps {
		q := k.queueAt(s, ch)
		q.buf = nil
		k.setQueue(s, ch, q)
	}
}

// startTimers starts timers.
func (k *rules) startTimers(s *state, ss []starting) {
	if len(ss) == 0 {
		return
	}
	c := *k.clockOf(s)
	c.active = slices.Clone(c.active)
	for _, x := range ss {
		c.active = append(c.active, activeTimer{timer: x.timer, when: c.now + x.after, period: x.period})
		if t := &k.timers[x.timer]; s.node(t.thread) == 0 {
			s.setNode(t.thread, t.root)
		}
	}
	slices.SortFunc(c.active, func(a, b activeTimer) int { return int(a.timer) - int(b.timer) })
	k.setClock(s, c)
}

// fire fires the timer of a thread; sent is what its channel receives.
func (k *rules) fire(s *state, t int32, sent uint64) {
	c := *k.clockOf(s)
	c.active = slices.Clone(c.active)
	for i, a := range c.active {
		info := &k.timers[a.timer]
		if !a.due || info.thread != t {
			continue
		}
		if info.ch != 0 {
			if q := k.queueAt(s, info.ch); len(q.buf) < max(1, k.objects[info.ch].cap) {
				q.buf = append(slices.Clone(q.buf), sent)
				k.setQueue(s, info.ch, q)
			}
		}
		if a.period > 0 {
			a.due = false
			if a.when += a.period * (1 + (c.now-a.when)/a.period); a.when < c.active[i].when {
				a.when = 1<<63 - 1
			}
			c.active[i] = a
		} else {
			c.active = append(c.active[:i], c.active[i+1:]...)
		}
		k.setClock(s, c)
		return
	}
}

type timerKey struct {
	thread, root int32
	object       uint64
}
