package spec

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file says where the time is part of what an operation meets (UTIME4), and where nobody can tell what it is
// (UTIME9).

// ToldAt numbers the time that is part of what an operation meets beside x, 0 if it meets none.
func ToldAt(k *Rules, s *State, n int32, x known.Key) int32 {
	b := k.In(k.Nodes[n].Thread)
	if b > 0 { // those of a bubble read its clock without an event, in both regimes
		return clockIn(k, s, b).name
	}
	if k.Timing && TellsTime(&k.Nodes[n].Op) || k.Told[known.EdgeKey{Node: n, Key: x}] {
		return k.ClockOf(s).name
	}
	return 0
}

// NoteTold notes that a goroutine reads the clock behind what an operation meets, or does not. It returns false if
// something else was noted before.
func NoteTold(k *Rules, n int32, x known.Key, told bool) bool {
	key := known.EdgeKey{Node: n, Key: x}
	if told == k.Told[key] {
		return true
	}
	if !told || k.EdgeOf(n, x) >= 0 {
		return false
	}
	k.Told[key] = true
	k.Changed.Add(n)
	return true
}

// TellsOf reports whether the operation of a node may tell its goroutine the time, as far as is known.
func TellsOf(k *Rules, n int32) bool {
	x := &k.Nodes[n]
	if k.Timing && TellsTime(&x.Op) {
		return true
	}
	for _, e := range x.Edges {
		if k.Edges[e].Key.Now != 0 {
			return true
		}
	}
	for _, c := range k.ActOf(n).Comms { // UTIME10
		if !c.Send && c.Object != 0 && k.Objects[c.Object].Timer && !Blind(k, n, c.Case) {
			return true
		}
	}
	return false
}

// Relative names the clock of a state but for what the time is, who sleeps, and how much room is left (UTIME9,
// UTIME11).
func (c *Clock) Relative() uint64 {
	h := uint64(41)
	for i := range c.Active {
		a := &c.Active[i]
		h = known.Mix(known.Mix(h, uint64(a.by)<<32|uint64(a.Timer)<<2|known.OneIf(a.first)<<1|known.OneIf(a.Due)), known.Mix(uint64(a.when-c.Now), uint64(a.period)))
		h = known.Mix(h, uint64(a.order)<<32|uint64(a.kids))
	}
	return h
}

// Follows names which of the active timers with a channel were started before a goroutine was (UTIME8); 0 if none.
func (c *Clock) Follows(id event.ThreadID) (h uint64) {
	if c.listed == nil || len(c.listed.started) == 0 {
		return 0
	}
	depth := uint64(0)
	for by, child := range id.Ancestry {
		depth++
		if n, _ := slices.BinarySearch(c.listed.started[by], int32(child)); n > 0 {
			h = known.Mix(h^depth, uint64(n))
		}
	}
	return h
}

// LeftOf returns how long a goroutine still sleeps, 0 if it does not.
func (c *Clock) LeftOf(t int32) int64 {
	for i := range c.Asleep {
		if c.Asleep[i].Thread == t {
			return max(c.Asleep[i].When-c.Now, 0)
		}
	}
	return 0
}

// Begin says when executions begin.
func Begin(k *Rules, now int64) { k.Began.Now, k.Began.name = now, 1 }
