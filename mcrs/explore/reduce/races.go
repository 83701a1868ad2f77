package reduce

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file asks states who races in them.

// Foreseen is which races were predicted.
type Foreseen struct {
	TriedRaces map[[2]event.Site]int
	triedPairs map[uint64]bool
	found      []Prediction // memory of LookForRaces
	accesses   []int32      // likewise
	next       []int32      // of allSettled
}

// A Prediction is a race of two goroutines whose accesses are next, in this order, and the sites of these.
type Prediction struct {
	Who   [2]int32
	Sites [2]event.Site
}

// LookForRaces looks for pairs of accesses that are both next, and may race. Of goroutines with equal futures it looks
// at two. The result is good until the next call.
func (k *Reducer) LookForRaces(s *spec.State) []Prediction {
	k.found = k.found[:0]
	if k.Relaxed() || k.allSettled(s) || k.Rejected(s) { // races are those of sequential consistency
		return nil
	}
	at := k.accesses[:0]
	for t, n := range s.Nodes {
		if n == 0 || k.Nodes[n].Race == 0 {
			continue
		}
		if !k.Distinct {
			same := 0
			for _, u := range at {
				if k.Nodes[s.Nodes[u]].Class == k.Nodes[n].Class {
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

// allSettled reports whether all pairs of operations that are next are known to race, or known never to race.
func (k *Reducer) allSettled(s *spec.State) bool {
	next := k.next[:0]
	for _, n := range s.Nodes {
		if r := k.Nodes[n].Race; r != 0 {
			for _, o := range next {
				if !k.Settled[r].Has(o) {
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

func (k *Reducer) race(s *spec.State, t, u int32) {
	x, y := &k.Nodes[s.Nodes[t]], &k.Nodes[s.Nodes[u]]
	settle := func() {
		k.Settled[x.Race].Set(y.Race)
		k.Settled[y.Race].Set(x.Race)
	}
	if k.Races[x.Site].Has(y.Site) {
		settle()
		return
	}
	a, b := &x.Op, &y.Op
	if b.Kind == event.WaitGroupWait {
		t, u, a, b = u, t, b, a
	}
	if b.Kind == event.WaitGroupAdd || b.Kind == event.WaitGroupWait || a.Kind == event.WaitGroupAdd {
		// The first Add of a wait group must happen before Wait.
		if a.Kind != event.WaitGroupWait || b.Kind != event.WaitGroupAdd || a.Loc != b.Loc {
			settle()
		} else if o := k.ActOf(s.Nodes[u]).Object; k.Get(s, o) == 0 {
			k.predict(t, u, PairOf(a.Site, b.Site), known.Mix(uint64(s.Nodes[t]), uint64(s.Nodes[u])))
		}
		return
	}
	pair := PairOf(a.Site, b.Site)
	if !a.Loc.Overlaps(b.Loc) || a.Kind.IsAccess() != b.Kind.IsAccess() || a.Kind.IsAtomic() && b.Kind.IsAtomic() || !a.Kind.IsWrite() && !b.Kind.IsWrite() {
		settle()
		return
	}
	// A compare-and-swap that fails is a read: what it meets decides.
	vector := known.Mix(uint64(s.Nodes[t]), uint64(s.Nodes[u]))
	for _, o := range [2]*event.Op{a, b} {
		if o.Kind == event.AtomicRMW {
			m := spec.Move{Thread: t, Partner: -1, Case: -1, PartnerCase: -1}
			if o == b {
				m.Thread = u
			}
			id, _, missing := k.EdgesFor(s, m)
			if missing.Node != 0 {
				vector = known.Mix(vector, missing.Key.Value) // the replay shows it
				continue
			}
			if k.Edges[id].Kind == event.AtomicLoad && !(o == a && b.Kind == event.Write || o == b && a.Kind == event.Write) {
				return
			}
			vector = known.Mix(vector, uint64(id))
		}
	}
	k.predict(t, u, pair, vector)
}

// PairOf puts the sites of a pair in order.
func PairOf(a, b event.Site) [2]event.Site { return [2]event.Site{min(a, b), max(a, b)} }

// predict foresees the race of t and u, who move next in this order.
func (k *Reducer) predict(t, u int32, pair [2]event.Site, vector uint64) {
	if k.Raced[pair] || k.TriedRaces[pair] >= confirmations || k.triedPairs[vector] {
		return
	}
	k.triedPairs[vector] = true
	k.TriedRaces[pair]++
	k.found = append(k.found, Prediction{[2]int32{t, u}, pair})
}

// confirmations bounds the predictions of one race that may fail.
const confirmations = 200
