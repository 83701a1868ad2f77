package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file is the serial specification of the second regime of time (TIME4 of the Go machine), in which the clock may
// move while goroutines can run.
//
//	UEARLY1  The clock may move to the next deadline: the earliest of all sleeps, and of all timers that have
//	         something to do (a ticker whose channel is full has nothing). The sleep or timer with that deadline can
//	         go on, and its move moves the clock.
//	UEARLY2  It may not while a timer is due, or a sleep whose deadline has come has not ended.
//	UEARLY3  Nor to a deadline later than earlyTime after the start. A timer whose deadline is next fires early while
//	         there were fewer than EarlyMost firings. A sleep ends early if it is one of the first EarlyMost of
//	         its goroutine. Beyond that the first regime holds.
//	UEARLY4  A sleep does not end early, and a timer does not fire early, before a timer with a channel, and room in
//	         it, that was started before it began and that is due by then (UTIME8).
//	UEARLY5  What moves the clock is dependent with what reads it, and with what makes another deadline the next one:
//	         the starts of sleeps and timers, Reset, and receives from a ticker. These are independent of each
//	         other. Stop only lets the clock move farther than before (RED22). A firing of a timer that is due, and
//	         the end of a sleep whose deadline has come, do not move the clock, and nothing else does before them
//	         (UEARLY2): they are independent of all that.

// earlyTime is the machine's.
const earlyTime = leftTime

// A Face is the clock of a state, and what waits for it.
type Face struct {
	k      *Rules
	s      *State
	c      *Clock
	bubble int32 // whose clock it is, 0 if the machine's
}

// Face returns the clock by which a goroutine, or a timer, of a state lives, to be read.
func (k *Rules) Face(s *State, t int32) Face { return Face{k, s, clockIn(k, s, k.In(t)), k.In(t)} }

// next returns the deadline to which the clock may move (UEARLY1, UEARLY2).
func (f Face) next() (at int64, ok bool) {
	k, s, c := f.k, f.s, f.c
	at = k.Began.Now + earlyTime + 1
	for i := range c.Active {
		a := &c.Active[i]
		if a.Due {
			return 0, false
		}
		if a.when < at && !f.full(a) {
			at = a.when
		}
	}
	for i := range c.Asleep {
		if a := &c.Asleep[i]; sleeps(k, s, a) {
			if a.When <= c.Now {
				return 0, false
			}
			at = min(at, a.When)
		}
	}
	return at, at <= k.Began.Now+earlyTime
}

// early reports whether a goroutine that sleeps, or a timer, can move the clock, and where to.
func (f Face) early(t int32) (at int64, ok bool) {
	k, s, c := f.k, f.s, f.c
	if !k.Timing || f.bubble > 0 {
		return 0, false
	}
	x := &k.Nodes[s.Nodes[t]]
	if l := c.listed; l != nil { // the deadline of another is earlier
		if x.Op.Kind == event.Sleep && c.wakesAt(t) > l.soonest {
			return 0, false
		}
		if x.Op.Kind == event.TimerFire {
			for i := range f.timersOf(t) {
				if c.Active[i].when > l.soonest {
					return 0, false
				}
				break
			}
		}
	}
	at, ok = f.next()
	if !ok {
		return 0, false
	}
	if x.Op.Kind == event.Sleep {
		if c.wakesAt(t) != at || SleptAll(k, c, t) { // UEARLY3
			return 0, false
		}
		return at, !f.heldEarly(follower{by: t, order: 1<<31 - 1}, at)
	}
	if x.Op.Kind != event.TimerFire || c.Fired >= k.EarlyMost {
		return 0, false
	}
	for i := range f.timersOf(t) {
		a := &c.Active[i]
		return at, a.when == at && !f.full(a) && !f.heldEarly(a.follower(), at)
	}
	return 0, false
}

// heldEarly reports whether timers with a channel, and room in it, come before w when the clock moves (UEARLY4).
func (f Face) heldEarly(w follower, at int64) bool {
	if l := f.c.listed; l != nil {
		if f.bubble == 0 && l.soonest <= at && follows(f.k, w, l.next) {
			return true
		}
		for _, i := range l.tickers {
			if a := &f.c.Active[i]; a.when <= at && f.sendsBefore(a, w) && !f.full(a) {
				return true
			}
		}
		return false
	}
	for i := range f.c.Active {
		if a := &f.c.Active[i]; a.when <= at && f.sendsBefore(a, w) && !f.full(a) {
			return true
		}
	}
	return false
}

// never reports whether a goroutine that sleeps, or a timer, surely waits until nothing else is enabled, because its
// deadline is beyond what UEARLY3 allows.
func (f Face) never(t int32) bool {
	k, s := f.k, f.s
	last := k.Began.Now + earlyTime
	if x := &k.Nodes[s.Nodes[t]]; x.Op.Kind == event.Sleep {
		return f.wakesAt(t) > max(last, f.c.Now)
	}
	for i := range f.timersOf(t) {
		a := &f.c.Active[i]
		return !a.Due && a.when > last
	}
	return false
}

// Moves reports whether the operation of a goroutine that sleeps, or of a timer, would move the clock if it were made
// now, or waits for others to do so (UEARLY5).
func (f Face) Moves(t int32) bool {
	if x := &f.k.Nodes[f.s.Nodes[t]]; x.Op.Kind == event.Sleep {
		return f.c.Now < f.wakesAt(t)
	}
	return f.dueOf(t) < 0
}

// MovesNow reports whether that operation can move the clock now.
func (f Face) MovesNow(t int32) bool {
	_, ok := f.early(t)
	return ok
}

// At returns the time at which a goroutine makes its move.
func (f Face) At(t int32) int64 {
	if f.k.Nodes[f.s.Node(t)].Op.Kind.WaitsForClock() && f.Moves(t) {
		if at, ok := f.early(t); ok {
			return max(f.c.Now, at)
		}
	}
	return f.c.Now
}

// ReadsClock reports whether an operation reads the clock in the second regime of time.
func ReadsClock(op *event.Op) bool {
	return op.Kind == event.TimerStart || op.Kind == event.ObjectRead && op.Loc.Addr == event.Clock
}

// BeginsSleep reports whether what a node does is that a sleep begins.
func BeginsSleep(k *Rules, n int32) bool {
	x := &k.Nodes[n]
	return x.Op.Kind == event.ObjectRead && x.Op.Loc.Addr == event.Clock && x.Op.Key == event.SleepKey &&
		!slices.ContainsFunc(x.Edges, func(e int32) bool { return len(k.Edges[e].Starts()) > 0 }) // else a timer
}

// Periodic reports whether a ticker is active by the machine's clock.
func Periodic(k *Rules, s *State) bool {
	return slices.ContainsFunc(k.ClockOf(s).Active, func(a ActiveTimer) bool { return a.period > 0 })
}

// TellsTime reports whether an operation tells its goroutine the time in the second regime (UTIME4). The start of a
// timer that others know is told how much of what was read before is left.
func TellsTime(op *event.Op) bool { return ReadsClock(op) && op.Key != event.SleepKey }

// endSleep moves the clock to the deadline of a sleep that ends early.
func (k *Rules) endSleep(s *State, t int32) {
	c := *clockIn(k, s, k.In(t))
	f := Face{k, s, &c, k.In(t)}
	if at, early := f.early(t); early && c.Now < at {
		f.moveTo(at, &follower{by: t, order: 1<<31 - 1})
	}
	if f.bubble > 0 {
		return
	}
	c.Asleep = slices.DeleteFunc(slices.Clone(c.Asleep), func(a Sleeper) bool { return a.Thread == t })
	if k.Timing {
		c.slept = c.slept.more(t, k.EarlyMost)
	}
	k.setClock(s, 0, c)
}

// Started reports whether the timer of a thread is active.
func (f Face) Started(t int32) bool {
	for range f.timersOf(t) {
		return true
	}
	return false
}

// Starters lists the goroutines that have started the active timers with a channel, in the order of the timers. Their
// sleeps wait for these (UTIME8).
func Starters(k *Rules, s *State) (out []int32) {
	c := k.ClockOf(s)
	for i := range c.Active {
		if a := &c.Active[i]; sends(k, a) {
			out = append(out, a.by)
		}
	}
	return out
}
