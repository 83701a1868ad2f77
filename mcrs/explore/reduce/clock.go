package reduce

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file is about the clock: what is dependent with its moves in the second regime of time (UEARLY5), and which
// timers never fire again (RED13).

// touchesClock adds what the operation of a node does to the clock. To move it is a write, to depend on its moves is a
// read.
func (k *Reducer) touchesClock(n int32, b *known.Bits) {
	if spec.TellsOf(&k.Rules, n) {
		b.Set(k.bit(spec.ClockSlot, known.WayTold))
	}
	if !k.Timing {
		return
	}
	switch x := &k.Nodes[n]; {
	case k.In(x.Thread) > 0 && (x.Op.Kind == event.Sleep || x.Op.Kind == event.TimerFire): // of another clock
	case x.Op.Kind == event.Sleep, x.Op.Kind == event.TimerFire:
		b.Set(k.bit(spec.ClockSlot, known.WayWrite))
	case spec.BeginsSleep(&k.Rules, n):
		b.Set(k.bit(spec.ClockSlot, known.WayNap))
	case k.looksAtClock(n):
		b.Set(k.bit(spec.ClockSlot, known.WayRead))
	case x.Op.Kind == event.TimerStop:
		b.Set(k.bit(spec.ClockSlot, known.WayFree))
	}
}

// looksAtClock reports whether the operation of a node reads the clock, or makes another deadline the next one.
func (k *Reducer) looksAtClock(n int32) bool {
	x := &k.Nodes[n]
	if spec.ReadsClock(&x.Op) {
		return true
	}
	for _, c := range k.ActOf(n).Comms {
		if !c.Send && k.Objects[c.Object].Ticks {
			return true
		}
	}
	return slices.ContainsFunc(x.Edges, func(e int32) bool { return len(k.Edges[e].Starts()) > 0 })
}

// conflictsOfClock adds what may be dependent with what the operation of a goroutine does to the clock, or enable it.
func (k *Reducer) conflictsOfClock(s *spec.State, t int32, mask *known.Bits) {
	n := s.Nodes[t]
	x, clock := &k.Nodes[n], &k.Objects[spec.ClockSlot].Usage
	if x.Op.Kind.WaitsForClock() {
		for _, o := range k.Face(s, t).HoldsBack(t) { // UTIME8, UBUBBLE8
			setWay(mask, &k.Objects[o].Usage, known.WayTimer)
		}
	}
	switch {
	case !k.Timing:
	case x.Op.Kind == event.Sleep, x.Op.Kind == event.TimerFire:
		switch f := k.Face(s, t); {
		case k.In(t) > 0 || !f.Moves(t):
		case f.MovesNow(t) && x.Op.Kind == event.Sleep && isTimeless(k, s, endsAnyTime): // RED24
		case f.MovesNow(t): // RED22
			setWay(mask, clock, known.WayRead, known.WayNap)
		default: // what lets it move
			setWay(mask, clock, known.WayRead, known.WayNap, known.WayWrite, known.WayFree)
		}
	case spec.BeginsSleep(&k.Rules, n) && isTimeless(k, s, beginsAnyTime): // RED24
	case k.looksAtClock(n):
		setWay(mask, clock, known.WayWrite)
	}
}

// What RED24 says of a state: nothing, that it is of no matter when a sleep begins, or neither when one ends.
const (
	timed = iota
	beginsAnyTime
	endsAnyTime
)

// timeless returns what RED24 says of a state.
func timeless(k *Reducer, s *spec.State) int {
	if !k.Timing || !k.Roomy || k.Passes || k.Stacks || spec.Periodic(&k.Rules, s) {
		return timed
	}
	clock := &k.Objects[spec.ClockSlot].Usage
	for _, n := range s.Nodes {
		if f := k.Nodes[n].Future; n != 0 && (f.Has(clock.Way[known.WayTold]) || f.Has(clock.Way[known.WayRead])) {
			return timed
		}
	}
	if len(k.ClockOf(s).Active) > 0 {
		return beginsAnyTime
	}
	return endsAnyTime
}

// isTimeless reports whether RED24 says so much of the state of which a set is chosen.
func isTimeless(k *Reducer, s *spec.State, so int) bool {
	is := k.Scratch.timeless >= so
	if is {
		k.relyOnce(s)
	}
	return is
}

// touchesVerdict adds what the operation of a node has to do with whether an execution is dropped (UREJECT3).
func (k *Reducer) touchesVerdict(n int32, b *known.Bits) {
	if !k.Timing {
		return
	}
	if k.Nodes[n].Op.Kind.EndsProgram() {
		b.Set(k.bit(spec.FailedSlot, known.WayRead))
	}
	if saysWhy(k, n) {
		b.Set(k.bit(spec.FailedSlot, known.WayWrite))
	}
}

// saysWhy reports whether the operation of a node may fail the test.
func saysWhy(k *Reducer, n int32) bool {
	return slices.ContainsFunc(k.Nodes[n].Edges, func(e int32) bool { return k.Edges[e].Fails() != 0 })
}

// conflictsOfVerdict adds what may be dependent with that.
func (k *Reducer) conflictsOfVerdict(n int32, mask *known.Bits) {
	if !k.Timing {
		return
	}
	if k.Nodes[n].Op.Kind.EndsProgram() {
		setWay(mask, &k.Objects[spec.FailedSlot].Usage, known.WayWrite)
	}
	if saysWhy(k, n) {
		setWay(mask, &k.Objects[spec.FailedSlot].Usage, known.WayRead)
	}
}

// over lists the timers that are not active, and that nobody in a state may start again (RED13). It is good until the
// next call.
func (k *Reducer) over(s *spec.State) Threads {
	c := &k.Scratch
	words := (len(s.Nodes) + 63) / 64
	c.over = append(c.over[:0], make(Threads, words)...)
	some := false
	for t, n := range s.Nodes {
		if n != 0 && k.Nodes[n].Op.Kind == event.TimerFire && !k.Face(s, int32(t)).Started(int32(t)) {
			c.over.set(int32(t))
			some = true
		}
	}
	if !some {
		return c.over
	}
	for again := true; again; {
		again = false
		for t, n := range s.Nodes {
			if !c.over.Has(int32(t)) {
				continue
			}
			way := k.Objects[k.ActOf(n).Object].Way[known.WayStart]
			if k.In(int32(t)) > 0 { // what is stopped stays in the heap (BUBBLE6)
				way = k.Objects[k.ActOf(n).Object].Way[known.WayTimer]
			}
			for u, o := range s.Nodes {
				if o != 0 && !c.over.Has(int32(u)) && k.Nodes[o].Future.Has(way) {
					c.over[t>>6] &^= 1 << (t & 63)
					again = true
					break
				}
			}
		}
	}
	return c.over
}
