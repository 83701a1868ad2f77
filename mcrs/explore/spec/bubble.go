package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file is the serial specification of bubbles of testing/synctest. Who is in a bubble is the same in every
// execution, and so is whose its channels and WaitGroups are: package learn sees to that.
//
//	UBUBBLE1  A bubble is at rest when nobody of it can move, all wait for what only the bubble can bring about, and
//	         none of its timers is due. Then Wait is enabled. Of two who wait the one that goes on finds the other
//	         there.
//	UBUBBLE2  If nobody stands at Wait, the clock of a bubble at rest moves to its next deadline at once, before
//	         anybody's next move: nothing outside of the bubble can keep it from that.
//	UBUBBLE3  If there is no deadline, or the function of Run has returned, Run is enabled, and finds whether
//	         goroutines are left. With it the bubble ends: what is left never rests.
//	UBUBBLE4  A timer that is due when it is started fires with its start, unless it rests: then when the bubble does,
//	         before Wait. Who starts one with a function again that was active when it was stopped is told so: when it
//	         fires then, if it is due, has no rule here (BUBBLE6 of the Go machine).
//	UBUBBLE5  Who waited when its bubble came to rest stands in the queues of its channels: see queues.go.
//	UBUBBLE6  While one of a bubble can move, and what others do is independent of that move, the bubble is not at
//	         rest, and its clock stands. So RED11 holds of those of it who sleep or stand at Wait, and of Run, where
//	         only those of this bubble can move. Where others can as well, a bubble may come to rest beside them:
//	         such a state is mixed, and all its moves are followed.
//	UBUBBLE7  A bubble in which a goroutine has ended the program never rests: that goroutine could still move
//	         (UEND1).
//	UBUBBLE8  Of what is due in a bubble at one instant, the timers with a channel at which nobody stood when the
//	         clock came there fire first, unless their channels keep what they hold.
//	UBUBBLE9  A timer with a channel may be in the heap of its bubble once somebody has come to the channel, until it
//	         sends. Who starts it again then, and it is due, is told so. When it fires has no rule here (BUBBLE6 of
//	         the Go machine).
//
// What is told to those of a bubble has the time of their clock in it, in both regimes (UTIME4).

// A rest says what a bubble at rest lets happen.
type rest uint8

const (
	busy  rest = iota // it is not at rest
	waits             // Wait can go on
	over              // Run can
	never             // UBUBBLE7
)

// Lives reports whether a bubble has begun and not ended.
func Lives(k *Rules, s *State, b int32) bool {
	root := k.Bubbles[b].Root
	if root < 0 {
		return false
	}
	x := &k.Nodes[s.Node(root)]
	return x.Known && x.Op.Kind == event.Quiesce && x.Op.Key == uint64(b)
}

// Mixed reports whether somebody can move who is not of a bubble that has not ended (UBUBBLE6). The moves are all those
// of the state.
func Mixed(k *Rules, s *State, moves []Move) bool {
	for b := int32(1); b < int32(len(k.Bubbles)); b++ {
		if Lives(k, s, b) && slices.ContainsFunc(moves, func(m Move) bool { return k.In(m.Thread) != b && m.Thread != k.Bubbles[b].Root }) {
			return true
		}
	}
	return false
}

// Settle lets the bubbles of a state that have come to rest go on (UBUBBLE2).
func Settle(k *Rules, s *State) {
	for b := int32(1); b < int32(len(k.Bubbles)); b++ {
		if Lives(k, s, b) {
			settle(k, s, b)
		}
	}
}

func settle(k *Rules, s *State, b int32) {
	c := *clockIn(k, s, b)
	if c.rest == never {
		return
	}
	was := c.rest
	if c.rest = busy; !k.Restless && resting(k, s, b, &c) {
		queue(k, s, b)
		switch {
		case s.Node(k.Bubbles[b].Main) != 0 && dueNow(&c) && advance(k, s, b, &c): // UBUBBLE4
			k.setClock(s, b, c)
		case waiter(k, s, b, -1):
			c.rest = waits
		case s.Node(k.Bubbles[b].Main) == 0 || !advance(k, s, b, &c):
			c.rest = over
		default:
			k.setClock(s, b, c)
		}
	}
	if c.rest != was {
		k.setClock(s, b, c)
	}
}

// dueNow reports whether a timer rests that is due (UBUBBLE4).
func dueNow(c *Clock) bool {
	return slices.ContainsFunc(c.Active, func(a ActiveTimer) bool { return a.when <= c.Now })
}

// resting reports whether a bubble is at rest (UBUBBLE1).
func resting(k *Rules, s *State, b int32, c *Clock) bool {
	var room [4]Move
	for t, n := range s.Nodes {
		if t := int32(t); n != 0 && k.In(t) == b && !durable(k, n, b) {
			return false
		}
	}
	for t, n := range s.Nodes {
		t := int32(t)
		if n == 0 || k.In(t) != b || k.Nodes[n].Op.Kind == event.Quiesce || k.Nodes[n].Op.Kind == event.TimerFire {
			continue
		}
		if len(k.Enabled(s, t, room[:0])) > 0 {
			return false
		}
	}
	return !slices.ContainsFunc(c.Active, func(a ActiveTimer) bool { return a.Due })
}

// nobodyAt reports whether a timer of a bubble has a channel at which nobody stands (UBUBBLE8).
func (f Face) nobodyAt(a *ActiveTimer) bool {
	ch := f.k.Timers[a.Timer].Chan
	if f.bubble == 0 || ch == 0 || f.k.Objects[ch].Keeps {
		return false
	}
	for t, n := range f.s.Nodes {
		if n != 0 && f.k.In(int32(t)) == f.bubble && slices.ContainsFunc(f.k.comms(n), func(c known.Comm) bool { return c.Object == ch && !c.Send }) {
			return false
		}
	}
	return true
}

// durable reports whether only its bubble can let a goroutine at a node go on, if it cannot.
func durable(k *Rules, n, b int32) bool {
	x, a := &k.Nodes[n], k.ActOf(n)
	if !x.Known {
		return false
	}
	switch {
	case x.Op.IsSelect(), x.Op.Kind.IsComm():
		return !x.Op.HasDefault && !slices.ContainsFunc(a.Comms, func(c known.Comm) bool { return c.Object != 0 && k.Objects[c.Object].Bubble != b })
	case x.Op.Kind == event.WaitGroupWait:
		return k.Objects[a.Object].Bubble == b
	}
	return x.Op.Kind == event.Sleep || x.Op.Kind == event.CondWait || x.Op.Kind == event.Quiesce || x.Op.Kind == event.TimerFire
}

// waiter reports whether one of a bubble stands at Wait, but for one.
func waiter(k *Rules, s *State, b, but int32) bool {
	for t, n := range s.Nodes {
		if n != 0 && int32(t) != but && k.In(int32(t)) == b && k.Nodes[n].Op.Kind == event.Quiesce {
			return true
		}
	}
	return false
}

// queue notes that those of a bubble wait, behind those who waited before (UBUBBLE5). Who stands alone at its channels
// has the first place, and the places are numbered without gaps: what lies further back makes no difference.
func queue(k *Rules, s *State, b int32) {
	const last = 1 << 20
	places := []int32{}
	for t, n := range s.Nodes {
		if n != 0 && k.In(int32(t)) == b && len(k.ActOf(n).Comms) > 0 {
			was := HowParked(k, s, int32(t))
			if was < queued {
				was = last
			}
			if k.meets(s, b, int32(t)) {
				places = append(places, was/queued)
			} else {
				was = queued
			}
			k.Set(s, k.parkedSlot(int32(t)), was|parked)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	for t, n := range s.Nodes {
		if n != 0 && k.In(int32(t)) == b && len(k.ActOf(n).Comms) > 0 && k.meets(s, b, int32(t)) {
			i := slices.Index(places, HowParked(k, s, int32(t))/queued)
			k.Set(s, k.parkedSlot(int32(t)), int32(i+1)*queued|parked)
		}
	}
}

// meets reports whether another one of a bubble stands at one of the channels of a goroutine.
func (k *Rules) meets(s *State, b, t int32) bool {
	mine := k.comms(s.Nodes[t])
	for u, n := range s.Nodes {
		if n != 0 && int32(u) != t && k.In(int32(u)) == b && slices.ContainsFunc(k.comms(n), func(d known.Comm) bool {
			return d.Object != 0 && slices.ContainsFunc(mine, func(c known.Comm) bool { return c.Object == d.Object })
		}) {
			return true
		}
	}
	return false
}

// advance moves the clock of a bubble at rest. It returns false if nothing waits for it.
func advance(k *Rules, s *State, b int32, c *Clock) bool {
	next, found := int64(0), false
	wait := func(when int64) {
		if !found || when < next {
			next, found = when, true
		}
	}
	for t, n := range s.Nodes {
		if n != 0 && k.In(int32(t)) == b && k.Nodes[n].Op.Kind == event.Sleep {
			wait(k.Nodes[n].Op.Deadline)
		}
	}
	for i := range c.Active {
		wait(c.Active[i].when)
	}
	if !found {
		return false
	}
	if s.Node(0) == 0 { // UTIME3
		m := *k.ClockOf(s)
		if m.Moves >= mostMoves(k) {
			return false
		}
		m.Moves++
		k.setClock(s, 0, m)
	}
	Face{k, s, c, b}.moveTo(next, nil)
	return true
}

// atRest reports whether the bubble that a goroutine waits for lets it go on.
func atRest(k *Rules, s *State, t int32) bool {
	c := clockIn(k, s, int32(k.Nodes[s.Nodes[t]].Op.Key))
	if k.In(t) == 0 {
		return c.rest == over
	}
	return c.rest == waits
}

// findsAtRest is what a goroutine finds that waits for its bubble: of Wait 1 if another one waits (UBUBBLE1); of Run 0
// if nobody is left, 1 if its function has returned, and 2 if not (UBUBBLE3).
func findsAtRest(k *Rules, s *State, t int32) uint64 {
	if b := k.In(t); b > 0 {
		return known.OneIf(waiter(k, s, b, t))
	}
	b := int32(k.Nodes[s.Node(t)].Op.Key)
	for u, n := range s.Nodes {
		if n != 0 && k.In(int32(u)) == b && k.Nodes[n].Op.Kind != event.TimerFire {
			return 1 + known.OneIf(s.Node(k.Bubbles[b].Main) != 0)
		}
	}
	return 0
}

// leaveRest ends the bubble of who goes on from Run.
func leaveRest(k *Rules, s *State, t int32) {
	if k.In(t) == 0 {
		k.Set(s, k.Bubbles[k.Nodes[s.Node(t)].Op.Key].Clock, 0)
	}
}

// endBubble notes that one of a bubble has ended the program (UBUBBLE7).
func endBubble(k *Rules, s *State, t int32) {
	if b := k.In(t); b > 0 {
		c := *clockIn(k, s, b)
		c.rest = never
		k.setClock(s, b, c)
	}
}

// BubbleMoved reports whether the clock of a bubble has moved.
func BubbleMoved(k *Rules, s *State) bool {
	for b := int32(1); b < int32(len(k.Bubbles)); b++ {
		if clockIn(k, s, b).Now != k.Began.Now {
			return true
		}
	}
	return false
}
