package spec

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file is the serial specification of the second regime of time (TIME4 of the Go machine), in which the clock may move while goroutines can run.
//
//	UEARLY1  The clock may move to the next deadline: the earliest of all sleeps, and of all timers that have something to do (a ticker whose channel is full
//	         has nothing). Whose deadline that is can go on, and its move moves the clock.
//	UEARLY2  It may not while a timer is due, or a sleep whose deadline has come has not ended.
//	UEARLY3  Nor to a deadline later than earlyTime after the start. A timer whose deadline is next fires early while there were fewer than earlyFirings firings, and a sleep ends early if
//	         it is one of the first of its goroutine: its operation says so. Beyond that the first regime holds.
//	UEARLY4  A sleep does not end early before a timer with a channel, and room in it, that its goroutine has started and that is due by then (UTIME8).
//	UEARLY5  What moves the clock is dependent with what reads it, and with what changes which deadline is next: the starts of sleeps and timers, Stop, Reset,
//	         and receives from a ticker. These are independent of each other. A firing of a timer that is due, and the end of a sleep whose deadline has come, do not move
//	         the clock, and nothing else does before them (UEARLY2): they are independent of all that.

// The bounds are the machine's.
const (
	earlyFirings = 16
	earlyTime    = leftTime
)

// next returns the deadline to which the clock may move (UEARLY1, UEARLY2).
func (k *Rules) next(s *State, c *Clock) (at int64, ok bool) {
	at = k.Began.Now + earlyTime + 1
	for i := range c.Active {
		a := &c.Active[i]
		if a.Due {
			return 0, false
		}
		if a.when < at && !k.full(s, a) {
			at = a.when
		}
	}
	for _, n := range s.Nodes {
		if x := &k.Nodes[n]; n != 0 && x.Known && x.Op.Kind == event.Sleep {
			if x.Op.Deadline <= c.Now {
				return 0, false
			}
			at = min(at, x.Op.Deadline)
		}
	}
	return at, at <= k.Began.Now+earlyTime
}

// early reports whether a goroutine that sleeps, or a timer, can move the clock, and where to.
func (k *Rules) early(s *State, c *Clock, t int32) (at int64, ok bool) {
	if !k.Timing {
		return 0, false
	}
	at, ok = k.next(s, c)
	if !ok {
		return 0, false
	}
	x := &k.Nodes[s.Nodes[t]]
	if x.Op.Kind == event.Sleep {
		if x.Op.Deadline != at || x.Op.Key != 0 { // UEARLY3
			return 0, false
		}
		for i := range c.Active {
			if a := &c.Active[i]; a.when <= at && k.sendsBefore(a, t) && !k.full(s, a) { // UEARLY4
				return 0, false
			}
		}
		return at, true
	}
	if x.Op.Kind != event.TimerFire || c.Fired >= earlyFirings {
		return 0, false
	}
	for i := range c.Active {
		if a := &c.Active[i]; k.Timers[a.Timer].Thread == t {
			return at, a.when == at && !k.full(s, a)
		}
	}
	return 0, false
}

// never reports whether a goroutine that sleeps, or a timer, surely waits until nothing else is enabled: its deadline is beyond what UEARLY3 allows.
func (k *Rules) never(s *State, t int32) bool {
	last := k.Began.Now + earlyTime
	if x := &k.Nodes[s.Nodes[t]]; x.Op.Kind == event.Sleep {
		return x.Op.Deadline > last && k.ClockOf(s).Now < x.Op.Deadline
	}
	for _, a := range k.ClockOf(s).Active {
		if k.Timers[a.Timer].Thread == t {
			return !a.Due && a.when > last
		}
	}
	return false
}

// Moves reports whether the operation of a goroutine that sleeps, or of a timer, would move the clock if it were made now, or waits for others to do so (UEARLY5).
func (k *Rules) Moves(s *State, t int32) bool {
	c := k.ClockOf(s)
	if x := &k.Nodes[s.Nodes[t]]; x.Op.Kind == event.Sleep {
		return c.Now < x.Op.Deadline
	}
	return k.dueOf(c, t) < 0
}

// timeOf returns the time at which a move is made.
func (k *Rules) timeOf(s *State, m Move) int64 {
	c := k.ClockOf(s)
	if k.Nodes[s.Node(m.Thread)].Op.Kind.WaitsForClock() && k.Moves(s, m.Thread) {
		if at, ok := k.early(s, c, m.Thread); ok {
			return max(c.Now, at)
		}
	}
	return c.Now
}

// TimeOf returns the time at which a move is made.
func (k *Rules) TimeOf(s *State, m Move) int64 { return k.timeOf(s, m) }

// toldAt numbers the time that is part of what a move meets, 0 if it meets none (UTIME4).
func (k *Rules) toldAt(s *State, m Move, op *event.Op) int32 {
	switch {
	case !k.Timing:
		return k.ClockOf(s).name
	case op.Kind == event.TimerFire:
		return k.instant(k.timeOf(s, m))
	case ReadsClock(op):
		return k.ClockOf(s).name
	}
	return 0
}

// ReadsClock reports whether an operation reads the clock in the second regime of time.
func ReadsClock(op *event.Op) bool {
	return op.Kind == event.TimerStart || op.Kind == event.ObjectRead && op.Loc.Addr == event.Clock
}

// endSleep moves the clock to the deadline of a sleep that ends early.
func (k *Rules) endSleep(s *State, t int32) {
	c := *k.ClockOf(s)
	if at, early := k.early(s, &c, t); early && c.Now < at {
		k.moveTo(s, &c, at, t)
		k.setClock(s, c)
	}
}

// Started reports whether the timer of a thread is active.
func (k *Rules) Started(s *State, t int32) bool {
	for _, a := range k.ClockOf(s).Active {
		if k.Timers[a.Timer].Thread == t {
			return true
		}
	}
	return false
}

// Starters lists who has started the active timers with a channel, in the order of the timers: their sleeps wait for these (UTIME8).
func (k *Rules) Starters(s *State) (out []int32) {
	for i := range k.ClockOf(s).Active {
		if a := &k.ClockOf(s).Active[i]; k.sendsBefore(a, a.by) {
			out = append(out, a.by)
		}
	}
	return out
}
