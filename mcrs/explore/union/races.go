package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file asks states who races in them.

// foreseen is which races were predicted.
type foreseen struct {
	triedRaces map[[2]event.Site]int
	triedPairs map[uint64]bool
	found      []prediction // memory of lookForRaces
	accesses   []int32      // likewise
	next       []int32      // of allSettled
}

// A prediction is a race of two goroutines whose accesses are next, in this order, and the sites of these.
type prediction struct {
	who   [2]int32
	sites [2]event.Site
}

// lookForRaces looks for pairs of accesses that are both next, and may race. Of goroutines with equal futures two are looked at. The result is good until
// the next call.
func (k *reducer) lookForRaces(s *state) []prediction {
	k.found = k.found[:0]
	if k.allSettled(s) {
		return nil
	}
	at := k.accesses[:0]
	for t, n := range s.nodes {
		if n == 0 || k.nodes[n].race == 0 {
			continue
		}
		if !k.distinct {
			same := 0
			for _, u := range at {
				if k.nodes[s.nodes[u]].class == k.nodes[n].class {
					same++
				}
			}
			if same >= 2 {
				continue
			}
		}
		at = append(at, int32(t))
	}
	k.accesses = at
	for i, t := range at {
		for _, u := range at[i+1:] {
			k.race(s, t, u)
		}
	}
	return k.found
}

// allSettled reports whether of all pairs of operations that are next it is known that they race, or that they never do.
func (k *reducer) allSettled(s *state) bool {
	next := k.next[:0]
	for _, n := range s.nodes {
		if r := k.nodes[n].race; r != 0 {
			for _, o := range next {
				if !k.settled[r].has(o) {
					return false
				}
			}
			if !slices.Contains(next, r) {
				next = append(next, r)
			}
		}
	}
	k.next = next
	return true
}

func (k *reducer) race(s *state, t, u int32) {
	x, y := &k.nodes[s.nodes[t]], &k.nodes[s.nodes[u]]
	settle := func() {
		k.settled[x.race].set(y.race)
		k.settled[y.race].set(x.race)
	}
	if k.races[x.site].has(y.site) {
		settle()
		return
	}
	a, b := &x.op, &y.op
	if b.Kind == event.WaitGroupWait {
		t, u, a, b = u, t, b, a
	}
	if b.Kind == event.WaitGroupAdd || b.Kind == event.WaitGroupWait || a.Kind == event.WaitGroupAdd {
		// The first Add of a wait group must happen before Wait.
		if a.Kind != event.WaitGroupWait || b.Kind != event.WaitGroupAdd || a.Loc != b.Loc {
			settle()
		} else if o := k.actOf(s.nodes[u]).obj; k.get(s, o) == 0 {
			k.predict(t, u, pairOf(a.Site, b.Site), mix(uint64(s.nodes[t]), uint64(s.nodes[u])))
		}
		return
	}
	pair := pairOf(a.Site, b.Site)
	if !a.Loc.Overlaps(b.Loc) || a.Kind.IsAccess() != b.Kind.IsAccess() || a.Kind.IsAtomic() && b.Kind.IsAtomic() || !a.Kind.IsWrite() && !b.Kind.IsWrite() {
		settle()
		return
	}
	// A compare-and-swap that fails is a read: what it meets decides.
	vector := mix(uint64(s.nodes[t]), uint64(s.nodes[u]))
	for _, o := range [2]*event.Op{a, b} {
		if o.Kind == event.AtomicRMW {
			m := move{t, -1, -1, -1}
			if o == b {
				m.thread = u
			}
			id, _, missing := k.edgesFor(s, m)
			if missing.node != 0 {
				vector = mix(vector, missing.key.val) // the replay shows it
				continue
			}
			if k.edges[id].kind == event.AtomicLoad && !(o == a && b.Kind == event.Write || o == b && a.Kind == event.Write) {
				return
			}
			vector = mix(vector, uint64(id))
		}
	}
	k.predict(t, u, pair, vector)
}

func pairOf(a, b event.Site) [2]event.Site { return [2]event.Site{min(a, b), max(a, b)} }

// predict foresees the race of t and u, who move next in this order.
func (k *reducer) predict(t, u int32, pair [2]event.Site, vector uint64) {
	if k.raced[pair] || k.triedRaces[pair] >= confirmations || k.triedPairs[vector] {
		return
	}
	k.triedPairs[vector] = true
	k.triedRaces[pair]++
	k.found = append(k.found, prediction{[2]int32{t, u}, pair})
}

// confirmations bounds the predictions of one race that may fail.
const confirmations = 200
