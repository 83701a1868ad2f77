package union

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file asks the states of a sweep about several goroutines at once: who is blocked, and who races.

// final looks at a state in which nothing can move.
func (e *Engine) final(f frame) {
	if e.get(&f.s, 0) != 0 {
		return
	}
	var parts []string
	vector := uint64(7)
	for t, n := range f.s.nodes {
		if n == 0 {
			continue
		}
		x := &e.nodes[n]
		if !x.known {
			e.unknown = true
			continue
		}
		if x.op.Kind == event.TimerFire {
			if x.parent > 0 {
				e.complete[doneKey{int32(t), x.hist}] = n
			}
			continue
		}
		e.complete[doneKey{int32(t), x.hist}] = n
		parts = append(parts, fmt.Sprintf("%s %v at %d", e.ids[t], x.op.Kind, x.op.Site))
		vector = mix(vector, uint64(n))
	}
	if len(parts) == 0 {
		return
	}
	if !e.NoMerge { // who is blocked is the question now
		e.NoMerge, e.stale = true, true
	}
	slices.Sort(parts)
	name := strings.Join(parts, ", ")
	if e.blocked[name] {
		return
	}
	h := e.fingerprint(&f.s)
	if x := mix(vector, h[0]); !e.stuck[x] {
		e.stuck[x] = true
		e.tasks = append(e.tasks, Task{Kind: Blocked, Seed: e.seedOf(f), name: name})
	}
}

// lookForRaces looks for two accesses that are both next. Of goroutines with equal futures two are looked at.
func (e *Engine) lookForRaces(f frame) {
	if e.allSettled(&f.s) {
		return
	}
	at := e.accesses[:0]
	for t, n := range f.s.nodes {
		if n == 0 || e.nodes[n].race == 0 {
			continue
		}
		if !e.NoMerge {
			same := 0
			for _, u := range at {
				if e.nodes[f.s.nodes[u]].class == e.nodes[n].class {
					same++
				}
			}
			if same >= 2 {
				continue
			}
		}
		at = append(at, int32(t))
	}
	e.accesses = at
	for i, t := range at {
		for _, u := range at[i+1:] {
			e.race(f, t, u)
		}
	}
}

// allSettled reports whether of all pairs of operations that are next it is known that they race, or that they never do.
func (e *Engine) allSettled(s *state) bool {
	next := e.next[:0]
	for _, n := range s.nodes {
		if r := e.nodes[n].race; r != 0 {
			for _, o := range next {
				if !e.settled[r].has(o) {
					return false
				}
			}
			if !slices.Contains(next, r) {
				next = append(next, r)
			}
		}
	}
	e.next = next
	return true
}

func mayRace(op *event.Op) bool {
	return op.Kind.CanRace() || op.Kind == event.WaitGroupAdd && int64(op.Key) > 0 || op.Kind == event.WaitGroupWait
}

func (e *Engine) race(f frame, t, u int32) {
	x, y := &e.nodes[f.s.nodes[t]], &e.nodes[f.s.nodes[u]]
	settle := func() {
		e.settled[x.race].set(y.race)
		e.settled[y.race].set(x.race)
	}
	if e.races[x.site].has(y.site) {
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
		} else if o := e.actOf(f.s.nodes[u]).obj; e.get(&f.s, o) == 0 {
			e.predict(f, t, u, pairOf(a.Site, b.Site), mix(uint64(f.s.nodes[t]), uint64(f.s.nodes[u])))
		}
		return
	}
	pair := pairOf(a.Site, b.Site)
	if !a.Loc.Overlaps(b.Loc) || a.Kind.IsAccess() != b.Kind.IsAccess() || a.Kind.IsAtomic() && b.Kind.IsAtomic() || !a.Kind.IsWrite() && !b.Kind.IsWrite() {
		settle()
		return
	}
	// A compare-and-swap that fails is a read: what it meets decides.
	vector := mix(uint64(f.s.nodes[t]), uint64(f.s.nodes[u]))
	for _, o := range [2]*event.Op{a, b} {
		if o.Kind == event.AtomicRMW {
			m := move{t, -1, -1, -1}
			if o == b {
				m.thread = u
			}
			id, _, missing := e.edgesFor(&f.s, m)
			if missing.node != 0 {
				vector = mix(vector, missing.key.val) // the replay shows it
				continue
			}
			if e.edges[id].kind == event.AtomicLoad && !(o == a && b.Kind == event.Write || o == b && a.Kind == event.Write) {
				return
			}
			vector = mix(vector, uint64(id))
		}
	}
	e.predict(f, t, u, pair, vector)
}

func pairOf(a, b event.Site) [2]event.Site { return [2]event.Site{min(a, b), max(a, b)} }

// predict asks for a replay in which t and then u move next.
func (e *Engine) predict(f frame, t, u int32, pair [2]event.Site, vector uint64) {
	if e.raced[pair] || e.triedRaces[pair] >= confirmations || e.triedPairs[vector] {
		return
	}
	e.triedPairs[vector] = true
	e.triedRaces[pair]++
	one := func(t int32) move { return move{t, -1, -1, -1} }
	e.tasks = append(e.tasks, Task{Kind: Race, Seed: e.seedOf(f, one(t), one(u)), Sites: pair})
}

// confirmations bounds the predictions of one race that may fail.
const confirmations = 200
