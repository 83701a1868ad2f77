package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
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

// A Timer is one as it was made.
type Timer struct {
	Thread, Root int32
	Object, Chan int32 // slots; ch is 0 if it has no channel
}

// A Clock is the decoded value of the clock's slot.
type Clock struct {
	Now    int64
	Moves  int64 // after the entry's end
	Active []ActiveTimer
	name   int32 // of now, in clockwork.instants
}

// An ActiveTimer is a timer that has been started, and has neither fired for the last time nor been stopped.
type ActiveTimer struct {
	Timer        int32
	Due          bool
	when, period int64
}

// Clockwork is what is known of timers and of times.
type Clockwork struct {
	Timers      []Timer
	TimerAt     map[TimerKey]int32
	instants    map[int64]int32
	clocks      map[int32]*Clock
	Began       Clock            // at the start of an execution
	Early       []known.Starting // before the first event
	parkedSlots []int32
}

// clockSlot is the slot of the clock.
const clockSlot = 1

// ClockOf returns the clock of a state, not to be changed.
func (k *Rules) ClockOf(s *State) *Clock {
	v := k.Get(s, clockSlot)
	if v == 0 {
		return &k.Began
	}
	return k.clocks[v]
}

func (k *Rules) setClock(s *State, c Clock) {
	ws := []uint64{uint64(c.Now), uint64(c.Moves)}
	for _, a := range c.Active {
		ws = append(ws, uint64(a.Timer)<<1|known.OneIf(a.Due), uint64(a.when), uint64(a.period))
	}
	v := k.Values.OfWords('t', ws...)
	if k.clocks[v] == nil {
		c.name = k.instant(c.Now)
		c.Active = slices.Clone(c.Active)
		k.clocks[v] = &c
	}
	k.Set(s, clockSlot, v)
}

// instant numbers the times that were met. That of the start is 0.
func (k *Rules) instant(now int64) int32 {
	if now == k.Began.Now {
		return 0
	}
	n, ok := k.instants[now]
	if !ok {
		n = int32(len(k.instants)) + 1
		k.instants[now] = n
	}
	return n
}

// Tick moves the clock of a state in which nothing is enabled. It returns false if nothing waits for it.
func (k *Rules) Tick(s *State) bool {
	if k.Get(s, 0) != 0 { // who ends the program could still move while the others do what they do here
		return false
	}
	c := *k.ClockOf(s)
	if s.Node(0) == 0 {
		if c.Moves >= afterReturn {
			return false
		}
		c.Moves++
	}
	next, found := int64(0), false
	wait := func(when int64) {
		if !found || when < next {
			next, found = when, true
		}
	}
	for _, n := range s.Nodes {
		if x := &k.Nodes[n]; n != 0 && x.Known && x.Op.Kind == event.Sleep {
			wait(x.Op.Deadline)
		}
	}
	for _, a := range c.Active {
		wait(a.when)
	}
	if !found {
		return false
	}
	c.Now = max(c.Now, next)
	c.Active = slices.Clone(c.Active)
	for i := range c.Active {
		a := &c.Active[i]
		a.Due = a.Due || a.when <= c.Now
	}
	k.setClock(s, c)
	for t, n := range s.Nodes {
		if n != 0 && len(k.ActOf(n).Comms) > 0 {
			k.Set(s, k.parkedSlot(int32(t)), 1)
		}
	}
	return true
}

// parkedSlot is the slot that says whether a goroutine waits since the clock moved (UTIME6).
func (k *Rules) parkedSlot(t int32) int32 {
	for int(t) >= len(k.parkedSlots) {
		k.Values.MustAdd()
		k.parkedSlots = append(k.parkedSlots, 0)
	}
	if k.parkedSlots[t] == 0 {
		k.Values.MustAdd()
		k.parkedSlots[t] = k.Object(known.SpaceParked, uint64(t))
	}
	return k.parkedSlots[t]
}

// Parked reports whether a goroutine waits since the clock moved (UTIME6).
func (k *Rules) Parked(s *State, t int32) bool {
	return int(t) < len(k.parkedSlots) && k.parkedSlots[t] != 0 && k.Get(s, k.parkedSlots[t]) != 0
}

// unpark notes that a goroutine has moved.
func (k *Rules) unpark(s *State, t int32) {
	if k.Parked(s, t) {
		k.Set(s, k.parkedSlots[t], 0)
	}
}

// isDue reports whether the timer of a thread can fire.
func (k *Rules) isDue(s *State, t int32) bool {
	for _, a := range k.ClockOf(s).Active {
		if a.Due && k.Timers[a.Timer].Thread == t {
			return true
		}
	}
	return false
}

// Dormant reports whether a goroutine, or a timer, waits for the clock to move. While anything can move it does not.
func (k *Rules) Dormant(s *State, t int32) bool {
	x := &k.Nodes[s.Nodes[t]]
	switch x.Op.Kind {
	case event.Sleep:
		return k.ClockOf(s).Now < x.Op.Deadline
	case event.TimerFire:
		return !k.isDue(s, t)
	}
	return false
}

// isActive reports whether stopping a timer would find it active (UTIME5).
func (k *Rules) isActive(s *State, object, ch int32) bool {
	for _, a := range k.ClockOf(s).Active {
		if k.Timers[a.Timer].Object == object {
			return true
		}
	}
	return ch != 0 && !k.Objects[ch].Keeps && len(k.QueueAt(s, ch).Buf) > 0
}

// stopTimer takes a timer away, and what is in its channel.
func (k *Rules) stopTimer(s *State, object, ch int32) {
	c := *k.ClockOf(s)
	c.Active = slices.DeleteFunc(slices.Clone(c.Active), func(a ActiveTimer) bool { return k.Timers[a.Timer].Object == object })
	k.setClock(s, c)
	if ch != 0 && !k.Objects[ch].Keeps {
		q := k.QueueAt(s, ch)
		q.Buf = nil
		k.setQueue(s, ch, q)
	}
}

// startTimers starts timers.
func (k *Rules) startTimers(s *State, ss []known.Starting) {
	if len(ss) == 0 {
		return
	}
	c := *k.ClockOf(s)
	c.Active = slices.Clone(c.Active)
	for _, x := range ss {
		c.Active = append(c.Active, ActiveTimer{Timer: x.Timer, when: c.Now + x.After, period: x.Period})
		if t := &k.Timers[x.Timer]; s.Node(t.Thread) == 0 {
			s.SetNode(t.Thread, t.Root)
		}
	}
	slices.SortFunc(c.Active, func(a, b ActiveTimer) int { return int(a.Timer) - int(b.Timer) })
	k.setClock(s, c)
}

// fire fires the timer of a thread; sent is what its channel receives.
func (k *Rules) fire(s *State, t int32, sent uint64) {
	c := *k.ClockOf(s)
	c.Active = slices.Clone(c.Active)
	for i, a := range c.Active {
		info := &k.Timers[a.Timer]
		if !a.Due || info.Thread != t {
			continue
		}
		if info.Chan != 0 {
			if q := k.QueueAt(s, info.Chan); len(q.Buf) < max(1, k.Objects[info.Chan].Cap) {
				q.Buf = append(slices.Clone(q.Buf), sent)
				k.setQueue(s, info.Chan, q)
			}
		}
		if a.period > 0 {
			a.Due = false
			if a.when += a.period * (1 + (c.Now-a.when)/a.period); a.when < c.Active[i].when {
				a.when = 1<<63 - 1
			}
			c.Active[i] = a
		} else {
			c.Active = append(c.Active[:i], c.Active[i+1:]...)
		}
		k.setClock(s, c)
		return
	}
}

// A TimerKey tells timers apart.
type TimerKey struct {
	Thread, Root int32
	Object       uint64
}
