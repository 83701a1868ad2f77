package reduce

import (
	"sync/atomic"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file names the states of a sweep.

// Names is a set of names of states.
type Names struct {
	slots [][2]uint64 // 0, 0 is free
	Count int
}

// Add adds a name, and reports whether it is new.
func (x *Names) Add(h [2]uint64) bool {
	if h == ([2]uint64{}) {
		h[0] = 1
	}
	if x.Count*2 >= len(x.slots) {
		old := x.slots
		x.slots = make([][2]uint64, max(64, 2*len(old)))
		for _, o := range old {
			if o != ([2]uint64{}) {
				x.slots[x.find(o)] = o
			}
		}
	}
	at := x.find(h)
	if x.slots[at] == h {
		return false
	}
	x.slots[at] = h
	x.Count++
	return true
}

// find returns the slot of a name, or a free one.
func (x *Names) find(h [2]uint64) uint64 {
	mask := uint64(len(x.slots) - 1)
	at := h[0] & mask
	for x.slots[at] != h && x.slots[at] != ([2]uint64{}) {
		at = (at + 1) & mask
	}
	return at
}

// Fingerprint names a state. What nothing can see any more is left out (RED9).
func (k *Reducer) Fingerprint(s *spec.State) [2]uint64 {
	name := [2]uint64{1, 2}
	put := func(a, b uint64) {
		name[0] = known.Mix(name[0]^a, b)
		name[1] = known.Mix(name[1]+b, a^0x5bd1e995)
	}
	alive := k.Scratch.alive[:0]
	var who [2]uint64 // goroutines with equal futures may change places
	var over Threads
	if k.Timing {
		over = k.over(s)
	}
	dropped := false
	clock := k.ClockOf(s)
	for t, n := range s.Nodes {
		if n != 0 && k.Timing && over.Has(int32(t)) {
			dropped = true
			continue
		}
		if n != 0 {
			w := nameOf(k, s, clock, int32(t))
			who[0] += known.Mix(w, 21)
			who[1] += known.Mix(w^0x5bd1e995, 22)
			f := k.Nodes[n].Future
			for len(alive) < len(f) {
				alive = append(alive, 0)
			}
			for i, w := range f {
				alive[i] |= w
			}
		}
	}
	k.Scratch.alive = alive
	put(who[0], who[1])
	told := k.Absolute || alive.Has(k.Objects[spec.ClockSlot].Way[known.WayTold])
	for _, t := range spec.Starters(&k.Rules, s) { // whose sleep waits for a timer (UTIME8)
		if n := s.Node(t); n != 0 && k.Merging {
			put(k.Nodes[n].Class, 24)
		}
	}
	for o, v := range s.Objects {
		if v == k.Objects[o].Start || k.Objects[o].Space == known.SpaceParked {
			continue
		}
		if !k.shown(&k.Objects[o], alive) {
			dropped = true
			continue
		}
		if !told && o == spec.ClockSlot { // RED14
			put(uint64(o)|1<<32, clock.Relative())
			dropped = true
			continue
		}
		if !told && k.Objects[o].Timer { // what is in its channel names the time
			put(uint64(o)|1<<32, uint64(k.QueueAt(s, int32(o)).Len))
			dropped = true
			continue
		}
		put(uint64(o)|1<<32, uint64(v))
	}
	if dropped {
		k.rely(s)
	}
	return name
}

// nameOf names a goroutine in a state. Goroutines of one name may change places.
func nameOf(k *Reducer, s *spec.State, clock *spec.Clock, t int32) uint64 {
	var w uint64
	if k.Merging {
		w = whoIs(k, s, t)
	} else {
		w = known.Mix(uint64(t), uint64(s.Nodes[t]))
	}
	if how := spec.HowParked(&k.Rules, s, t); how != 0 {
		w = known.Mix(w, 22+uint64(how))
	}
	if len(clock.Asleep) > 0 { // UTIME9
		w = known.Mix(w, uint64(clock.LeftOf(t))^25)
	}
	if h := clock.Follows(k.IDs[t]); h != 0 { // UTIME8
		w = known.Mix(w, h^26)
	}
	return w
}

// RoomOf returns how much of the bounds of time a state has used, by the goroutines of its name (UTIME15).
func RoomOf(k *Reducer, s *spec.State) spec.Room {
	clock := k.ClockOf(s)
	return spec.RoomOf(&k.Rules, s, func(t int32) uint64 { return nameOf(k, s, clock, t) })
}

// shown reports whether an object matters while all that may yet be done is what is alive.
func (k *Reducer) shown(x *known.Object, alive known.Bits) bool {
	seen := len(x.Way)
	if x.Space == known.SpaceCell { // who adds to it, or ignores it, does not see it (RED15, RED16)
		seen = known.WaySum
	}
	for _, w := range x.Way[:seen] {
		if alive.Has(w) {
			return true
		}
	}
	switch x.Space {
	case known.SpaceEnd, known.SpaceFailed:
		return true
	case known.SpaceClock:
		return !k.Timing || x.Addr > 0
	case known.SpaceObject:
		return k.Timing && x.Addr == event.Stdout
	}
	return false
}

// NameIn notes that the node is in the name of a state in a sweep. Hands do so side by side.
func NameIn(x *known.Node, sweep int32) {
	if atomic.LoadInt32(&x.Named) != sweep {
		atomic.StoreInt32(&x.Named, sweep)
	}
}
