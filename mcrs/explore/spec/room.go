package spec

// This file says how much room the bounds of time leave a state (UTIME11).

// A Room is how much of the bounds of time a state has used. All of it only grows.
type Room struct {
	now   int64 // of the second regime, for UEARLY3
	Fired int64 // firings, of the second regime, likewise
	moves int64 // of the clock after the entry's end
	since int64 // the time since then
}

// RoomOf returns how much of the bounds a state has used.
func RoomOf(k *Rules, s *State) (r Room) {
	c := k.ClockOf(s)
	if k.Timing {
		r.now, r.Fired = c.Now, c.Fired
	}
	if c.ended != 0 {
		r.moves, r.since = c.Moves, c.Now-c.ended
	}
	return r
}

// None reports whether nothing was used.
func (r Room) None() bool { return r == Room{} }

// Within reports whether no more was used than by another state.
func (r Room) Within(o Room) bool {
	return r.now <= o.now && r.Fired <= o.Fired && r.moves <= o.moves && r.since <= o.since
}

// A Bounds is a set of bounds of time.
type Bounds uint8

// The bounds.
const (
	boundTime  Bounds = 1 << iota // on how late a move is early (UEARLY3)
	boundFired                    // on firings (UEARLY3)
	boundAfter                    // on what comes after the entry's end (UTIME3)
)

// Met returns the bounds that may decide what goes on in a state (UTIME14).
func Met(k *Rules, s *State) (b Bounds) {
	c := k.ClockOf(s)
	if k.Timing && c.latest > k.Began.Now+earlyTime {
		b |= boundTime
	}
	if k.Timing && c.Fired >= earlyFirings {
		b |= boundFired
	}
	if c.ended != 0 && (c.Moves >= mostMoves(k) || c.latest > c.ended+leftTime) {
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
	if b&boundAfter == 0 {
		r.moves, r.since = 0, 0
	}
	return r
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
	return found && next <= c.ended+leftTime
}

// mostMoves is how often the clock moves after the entry's end (UTIME3). The machine does not count the moves to rounds
// over which it passes, so where it has passed over any only what it follows is a bound (UPOLL1 of package learn).
func mostMoves(k *Rules) int64 {
	if k.Passes {
		return 1 << 20
	}
	return afterReturn
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
