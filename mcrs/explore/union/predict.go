package union

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file asks the states of a sweep about several goroutines at once: who is blocked, and who races.

// final looks at a state in which nothing can move.
func (e *Engine) final(f frame) {
	if e.Get(&f.s, 0) != 0 || e.Fails(&f.s) { // UREJECT2
		return
	}
	var parts []string
	vector := uint64(7)
	for t, n := range f.s.Nodes {
		if n == 0 {
			continue
		}
		x := &e.Nodes[n]
		if !x.Known {
			e.unknown = true
			continue
		}
		if x.Op.Kind == event.TimerFire {
			if x.Parent > 0 {
				e.Complete[known.DoneKey{Thread: int32(t), Hist: x.Hist}] = n
			}
			continue
		}
		e.Complete[known.DoneKey{Thread: int32(t), Hist: x.Hist}] = n
		parts = append(parts, fmt.Sprintf("%s %v at %d", e.IDs[t], x.Op.Kind, x.Op.Site))
		vector = known.Mix(vector, uint64(n))
	}
	if len(parts) == 0 {
		return
	}
	if !e.Distinct { // who is blocked is the question now
		e.Distinct, e.Stale = true, true
	}
	slices.Sort(parts)
	name := strings.Join(parts, ", ")
	if e.blocked[name] {
		return
	}
	h := e.Fingerprint(&f.s)
	if x := known.Mix(vector, h[0]); !e.stuck[x] {
		e.stuck[x] = true
		e.tasks = append(e.tasks, Task{Kind: Blocked, Seed: e.seedOf(f), name: name})
	}
}

// lookForRacesAt asks for replays of the races that a state shows.
func (e *Engine) lookForRacesAt(f *frame) {
	one := func(t int32) spec.Move { return spec.Move{Thread: t, Partner: -1, Case: -1, PartnerCase: -1} }
	for _, p := range e.LookForRaces(&f.s) {
		e.tasks = append(e.tasks, Task{Kind: Race, Seed: e.seedOf(*f, one(p.Who[0]), one(p.Who[1])), Sites: p.Sites})
	}
}
