package spec

import (
	"cmp"
	"math"
	"slices"
)

// This file says how much room the bounds of time leave a state (UTIME11).

// A Room is how much of the bounds of time a state has used. All of it only grows.
type Room struct {
	now   int64   // of the second regime, for UEARLY3
	Fired int64   // firings, of the second regime, likewise
	slept []slept // likewise, of the goroutines that are left (UTIME15)
	moves int64   // of the clock after the entry's end
	since int64   // the time since then, or since what it is counted from (UTIME3)
}

// A slept says how many sleeps of a goroutine have ended.
type slept struct {
	who   uint64 // names it as the name of the state does
	ended int32
}

// RoomOf returns how much of the bounds a state has used. Who names a goroutine as the name of the state does.
func RoomOf(k *Rules, s *State, who func(t int32) uint64) (r Room) {
	c := k.ClockOf(s)
	if k.Timing {
		r.now, r.Fired = c.Now, c.Fired
		for _, x := range c.slept {
			r.slept = append(r.slept, slept{who(x.thread), x.ended})
		}
		slices.SortFunc(r.slept, func(a, b slept) int { return cmp.Or(cmp.Compare(a.who, b.who), cmp.Compare(b.ended, a.ended)) })
	}
	if c.ended != 0 {
		r.moves, r.since = c.Moves, c.Now+leftTime-goneAfter(k, c)
	}
	return r
}

// None reports whether nothing was used.
func (r Room) None() bool {
	return r.now == 0 && r.Fired == 0 && len(r.slept) == 0 && r.moves == 0 && r.since == 0
}

// Within reports whether no more was used than by another state of the same name.
func (r Room) Within(o Room) bool {
	return r.now <= o.now && r.Fired <= o.Fired && r.moves <= o.moves && r.since <= o.since && within(r.slept, o.slept)
}

// within reports whether each goroutine of xs has a partner of its own name in ys that has slept as often or more. Of
// those with one name the one that has slept most often needs the one that has slept most often.
func within(xs, ys []slept) bool {
	for _, x := range xs {
		for len(ys) > 0 && ys[0].who < x.who {
			ys = ys[1:]
		}
		if len(ys) == 0 || ys[0].who != x.who || ys[0].ended < x.ended {
			return false
		}
		ys = ys[1:]
	}
	return true
}

// A Bounds is a set of bounds of time.
type Bounds uint8

// The bounds.
const (
	boundTime  Bounds = 1 << iota // on how late a move is early (UEARLY3)
	boundFired                    // on firings (UEARLY3)
	boundSlept                    // on sleeps (UEARLY3)
	boundAfter                    // on what comes after the entry's end (UTIME3)
)

// Met returns the bounds that may decide what goes on in a state (UTIME14).
func Met(k *Rules, s *State) (b Bounds) {
	c := k.ClockOf(s)
	if k.Timing && c.latest > k.Began.Now+earlyTime {
		b |= boundTime
	}
	if k.Timing && c.Fired >= k.EarlyMost {
		b |= boundFired
	}
	if k.Timing && slices.ContainsFunc(c.Asleep, func(a Sleeper) bool { return SleptAll(k, c, a.Thread) }) {
		b |= boundSlept
	}
	if c.ended != 0 && (c.Moves >= mostMoves(k) || c.latest > goneAfter(k, c)) {
		b |= boundAfter
	}
	return b
}

// Of leaves of what a state has used what counts towards some bounds.
func (r Room) Of(b Bounds) Room {
	if b&boundTime == 0 {
		r.now = 0
	}
	if b&boundFired == 0 {
		r.Fired = 0
	}
	if b&boundSlept == 0 {
		r.slept = nil
	}
	if b&boundAfter == 0 {
		r.moves, r.since = 0, 0
	}
	return r
}

// naps says how many sleeps of goroutines have ended, up to EarlyMost, by thread.
type naps []nap

type nap struct{ thread, ended int32 }

// of returns where a goroutine is, and whether it is there.
func (x naps) of(t int32) (int, bool) {
	return slices.BinarySearchFunc(x, t, func(a nap, t int32) int { return cmp.Compare(a.thread, t) })
}

// more counts one more, up to most.
func (x naps) more(t int32, most int64) naps {
	out := slices.Clone(x)
	i, is := x.of(t)
	if !is {
		return slices.Insert(out, i, nap{t, 1})
	}
	out[i].ended = min(out[i].ended+1, int32(most))
	return out
}

// SleptOf returns how many sleeps of a goroutine have ended, up to EarlyMost.
func (c *Clock) SleptOf(t int32) int32 {
	if i, is := c.slept.of(t); is {
		return c.slept[i].ended
	}
	return 0
}

// SleptAll reports whether no sleep of a goroutine may end early any more.
func SleptAll(k *Rules, c *Clock, t int32) bool { return int64(c.SleptOf(t)) >= k.EarlyMost }

// sleepsNoMore forgets the sleeps of a goroutine that has ended.
func sleepsNoMore(k *Rules, s *State, t int32) {
	c := *k.ClockOf(s)
	if i, is := c.slept.of(t); is {
		c.slept = slices.Delete(slices.Clone(c.slept), i, i+1)
		k.setClock(s, 0, c)
	}
}

// latestOf returns the last deadline of what waits for a clock.
func latestOf(c *Clock) (at int64) {
	for i := range c.Active {
		at = max(at, c.Active[i].when)
	}
	for i := range c.Asleep {
		at = max(at, c.Asleep[i].When)
	}
	return at
}

// CutOff reports whether a state in which nothing can move would go on, had the clock not moved so often after the
// entry's end.
func CutOff(k *Rules, s *State) bool {
	c := k.ClockOf(s)
	if s.Node(0) != 0 || k.Get(s, 0) != 0 || c.Moves < mostMoves(k) {
		return false
	}
	next, found := nextDeadline(k, s, c)
	return found && next <= goneAfter(k, c)
}

// goneAfter returns when the process of an entry that has come to its end is gone (UTIME3).
func goneAfter(k *Rules, c *Clock) int64 {
	if start := k.Began.Now; k.Timing && c.ended <= start+earlyTime {
		return start + leftTime
	}
	return c.ended + leftTime
}

// mostMoves is how often the clock moves after the entry's end (UTIME3). The machine does not count the moves to rounds
// over which it passes, so where it has passed over any only what it follows is a bound (UPOLL1 of package learn).
func mostMoves(k *Rules) int64 {
	if k.Passes {
		return 1 << 20
	}
	return max(afterReturn, k.MovesAfter)
}

// MovesTo returns how often the clock would move up to when the process is gone, in a state that is cut off, if it went
// on as it has since the entry's end.
func MovesTo(k *Rules, s *State) int64 {
	c := k.ClockOf(s)
	if c.Now <= c.ended {
		return math.MaxInt64
	}
	return int64(float64(c.Moves) * float64(goneAfter(k, c)-c.ended) / float64(c.Now-c.ended))
}

// AwaitsClock reports whether somebody sleeps, or a timer is active, by the clock of the machine. That of a bubble
// stands while one of the bubble can move, also natively.
func AwaitsClock(k *Rules, s *State) bool {
	if len(k.ClockOf(s).Active) > 0 {
		return true
	}
	for t, n := range s.Nodes {
		if n != 0 && k.In(int32(t)) == 0 && atSleep(&k.Nodes[n]) {
			return true
		}
	}
	return false
}

// nextDeadline returns when the next sleep ends or the next timer fires.
func nextDeadline(k *Rules, s *State, c *Clock) (next int64, found bool) {
	wait := func(when int64) {
		if !found || when < next {
			next, found = when, true
		}
	}
	for i := range c.Asleep {
		if sleeps(k, s, &c.Asleep[i]) {
			wait(c.Asleep[i].When)
		}
	}
	for i := range c.Active {
		wait(c.Active[i].when)
	}
	return next, found
}
