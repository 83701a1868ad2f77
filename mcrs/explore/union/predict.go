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
	if !e.distinct { // who is blocked is the question now
		e.distinct, e.stale = true, true
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

// lookForRacesAt asks for replays of the races that a state shows.
func (e *Engine) lookForRacesAt(f *frame) {
	one := func(t int32) move { return move{t, -1, -1, -1} }
	for _, p := range e.lookForRaces(&f.s) {
		e.tasks = append(e.tasks, Task{Kind: Race, Seed: e.seedOf(*f, one(p.who[0]), one(p.who[1])), Sites: p.sites})
	}
}
