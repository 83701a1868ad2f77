package union

import (
	"slices"
	"sync/atomic"
)

// This file names the states of a sweep.

// names is a set of names of states.
type names struct {
	slots [][2]uint64 // 0, 0 is free
	count int
}

// add adds a name, and reports whether it is new.
func (x *names) add(h [2]uint64) bool {
	if h == ([2]uint64{}) {
		h[0] = 1
	}
	if x.count*2 >= len(x.slots) {
		old := x.slots
		x.slots = make([][2]uint64, max(1024, 2*len(old)))
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
	x.count++
	return true
}

// find returns the slot of a name, or a free one.
func (x *names) find(h [2]uint64) uint64 {
	mask := uint64(len(x.slots) - 1)
	at := h[0] & mask
	for x.slots[at] != h && x.slots[at] != ([2]uint64{}) {
		at = (at + 1) & mask
	}
	return at
}

// fingerprint names a state. What nothing can see any more is left out (RED9).
func (k *reducer) fingerprint(s *state) [2]uint64 {
	name := [2]uint64{1, 2}
	put := func(a, b uint64) {
		name[0] = mix(name[0]^a, b)
		name[1] = mix(name[1]+b, a^0x5bd1e995)
	}
	alive := k.own.alive[:0]
	var who [2]uint64 // goroutines with equal futures may change places
	for t, n := range s.nodes {
		if n != 0 {
			x := &k.nodes[n]
			w := x.class
			if k.merging {
				nameIn(x, k.sweeps)
			} else {
				w = mix(uint64(t), uint64(n))
			}
			if k.parked(s, int32(t)) {
				w = mix(w, 23)
			}
			who[0] += mix(w, 21)
			who[1] += mix(w^0x5bd1e995, 22)
			f := x.future
			for len(alive) < len(f) {
				alive = append(alive, 0)
			}
			for i, w := range f {
				alive[i] |= w
			}
		}
	}
	k.own.alive = alive
	k.show(alive)
	put(who[0], who[1])
	dropped := false
	for o, v := range s.objs {
		if v == k.objects[o].start || k.objects[o].space == spaceParked {
			continue
		}
		if !k.own.shown[o] && !(k.Pointers && k.objects[o].space == spaceCell && k.values.addresses[v]) { // an address may keep something reachable
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

// show says which objects matter while all that may yet be done is what is alive. Mostly that is what it was for the last state.
func (k *reducer) show(alive bits) {
	if len(k.own.shown) == len(k.objects) && slices.Equal(k.own.shownTo, alive) { // what has a number since is not in alive
		return
	}
	k.own.shownTo, k.own.shown = append(k.own.shownTo[:0], alive...), k.own.shown[:0]
	for i := range k.objects {
		x := &k.objects[i]
		k.own.shown = append(k.own.shown, x.space == spaceEnd || x.space == spaceClock || slices.ContainsFunc(x.way[:], alive.has))
	}
}

// nameIn notes that the node is in the name of a state in a sweep. Hands do so side by side.
func nameIn(x *node, sweep int32) {
	if atomic.LoadInt32(&x.named) != sweep {
		atomic.StoreInt32(&x.named, sweep)
	}
}
