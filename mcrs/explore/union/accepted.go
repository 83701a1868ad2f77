package union

import (
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file is for executions that are dropped because the program itself rejects them (rules UREJECT of package spec).
// It asks whether other executions also show what only such executions have shown. Nothing is executed for that: the
// knowledge is complete.
//
//	ACCEPT1  A race of two accesses that are next in a state counts if the execution can go on from there to an end
//	         that is not dropped. That is a state in which nothing can move and the test has not failed, or an
//	         operation that ends the program and does not drop it.
//	ACCEPT2  A run-time error counts if it is met before a test has said why it fails.
//
// The states are those of a sweep, without those in which nothing counts any more. While one goroutine alone is to
// move, they are not kept. If an execution that is not dropped has the race, an equivalent one is walked up to a state
// in which both accesses are next (docs/completeness.md), and the rest of it follows from there. States from which no
// such end is reached are kept, so each is looked at once. Goroutines with equal futures may change places (RED10):
// what one of them shows, in the same place, is what the other one would.

// acceptedBudget bounds the states of the walk.
const acceptedBudget = 100_000

// Doubtful is what only executions that were dropped have shown.
type Doubtful struct {
	Races map[[2]event.Site]bool // pairs of sites
	ends  map[int32]bool         // edges: run-time errors
}

// none reports whether nothing is in doubt.
func (d *Doubtful) none() bool { return len(d.Races)+len(d.ends) == 0 }

// An acceptance is the walk.
type acceptance struct {
	*Engine
	Doubtful
	lost  map[[2]uint64]bool // states from which no end is reached that is not dropped
	found []Task
}

// Accepted returns executions that show what is in doubt, and are not dropped. complete says that there are no others.
// Nothing can be executed for the engine afterwards.
func (e *Engine) Accepted(races map[[2]event.Site]bool) (found []Task, complete bool) {
	w := &acceptance{Engine: e, Doubtful: Doubtful{Races: races, ends: e.dropped}, lost: make(map[[2]uint64]bool)}
	if w.none() {
		return nil, true
	}
	if !e.Raise() {
		return nil, false
	}
	defer func() {
		if recover() != nil { // the knowledge lacks something
			complete = false
		}
	}()
	e.full = e.Full
	e.Epoch++
	e.sweep = newSweep(e.sweep)
	complete = w.walk()
	return w.found, complete
}

// walk goes through the states. It reports whether it came to the end.
func (w *acceptance) walk() bool {
	var visited reduce.Names
	todo := []frame{{s: w.Start(), last: -1}}
	for len(todo) > 0 && !w.none() {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		chosen, back := w.next(&x.s)
		if len(chosen) > 1 && len(w.Races) > 0 && !w.race(x) {
			return false
		}
		alone := len(chosen) == 1 && !back
		for i, m := range chosen {
			if w.likeOneOf(&x.s, m, chosen[:i]) {
				continue
			}
			y, end, ok := w.after(x, m)
			if !ok {
				return false
			}
			if w.ends[end] && !w.Rejected(&x.s) {
				delete(w.ends, end)
				w.found = append(w.found, Task{Kind: Execute, Seed: w.seedTo(y.last)})
			}
			if w.Rejected(&y.s) { // nothing counts from there on
				continue
			}
			if alone && !w.Edges[end].Kind.EndsThread() || w.isNew(&visited, &y) {
				todo = append(todo, y)
			}
		}
		if visited.Count > acceptedBudget {
			return false
		}
	}
	return true
}

// isNew reports whether a state is to be followed: if none of its name was, or if it has used less of the bounds of
// time than those that were (UTIME11).
func (w *acceptance) isNew(visited *reduce.Names, y *frame) bool {
	y.name = w.Fingerprint(&y.s)
	room := roomOf(w.Engine, &y.s)
	switch isNew := visited.Add(y.name); {
	case !isNew:
		return !room.None() && w.sweep.follows(y.name, room)
	case !room.None():
		w.sweep.rooms[y.name] = append(w.sweep.rooms[y.name], room)
	}
	return true
}

// next returns the moves to follow from a state, after a move of the clock if there are none without. back says that
// one of them may close a cycle.
func (w *acceptance) next(s *spec.State) (moves []spec.Move, back bool) {
	for {
		chosen, back := w.toFollow(s, -1)
		if len(chosen) > 0 || !w.Tick(s) {
			return slices.Clone(chosen), back
		}
	}
}

// after performs a move; end is its edge.
func (w *acceptance) after(x frame, m spec.Move) (y frame, end int32, ok bool) {
	id, pid, missing := w.EdgesFor(&x.s, m)
	if missing.Node != 0 {
		return y, -1, false
	}
	x.s.CopyTo(&y.s)
	w.Apply(&y.s, m, id, pid)
	y.last = w.sweep.trail.Add(spec.Step{Move: m, Prev: x.last, Ends: w.EndsAll(id)})
	return y, id, true
}

// race looks for doubtful races of accesses that are next in a state, and for an end that is not dropped behind them
// (ACCEPT1).
func (w *acceptance) race(x frame) bool {
	if w.Rejected(&x.s) {
		return true
	}
	for t, n := range x.s.Nodes {
		for u := t + 1; u < len(x.s.Nodes); u++ {
			o := x.s.Nodes[u]
			if n == 0 || o == 0 || w.Nodes[n].Race == 0 || w.Nodes[o].Race == 0 {
				continue
			}
			pair := reduce.PairOf(w.Nodes[n].Op.Site, w.Nodes[o].Op.Site)
			if !w.Races[pair] {
				continue
			}
			last, ok := w.behindRace(x, int32(t), int32(u))
			if !ok {
				return false
			}
			if last >= 0 {
				delete(w.Races, pair)
				w.found = append(w.found, Task{Kind: Race, Seed: w.seedTo(last), Sites: pair})
			}
		}
	}
	return true
}

// behindRace makes two accesses, in either order, and looks for an end that is not dropped. It returns the last step to
// it, -1 if there is none.
func (w *acceptance) behindRace(x frame, t, u int32) (last int32, ok bool) {
	for _, two := range [2][2]int32{{t, u}, {u, t}} {
		y, ok := x, true
		for _, who := range two {
			m := spec.Move{Thread: who, Partner: -1, Case: -1, PartnerCase: -1}
			if !slices.Contains(w.Enabled(&y.s, who, nil), m) {
				ok = false
				break
			}
			if y, _, ok = w.after(y, m); !ok {
				return -1, false
			}
		}
		if !ok {
			continue
		}
		if last, ok = w.end(y); !ok || last >= 0 {
			return last, ok
		}
	}
	return -1, true
}

// end looks for an end behind a state at which an execution is not dropped. It returns the last step to it, -1 if there
// is none.
func (w *acceptance) end(from frame) (last int32, ok bool) {
	tried := make(map[[2]uint64]bool)
	var todo []frame
	try := func(x frame) {
		if name := w.Fingerprint(&x.s); !tried[name] && !w.lost[name] {
			tried[name] = true
			todo = append(todo, x)
		}
	}
	for try(from); len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if w.Rejected(&x.s) {
			continue
		}
		chosen, _ := w.next(&x.s)
		if len(chosen) == 0 && w.Get(&x.s, 0) == 0 && !w.Fails(&x.s) {
			return x.last, true
		}
		if slices.ContainsFunc(chosen, func(m spec.Move) bool { return w.Nodes[x.s.Node(m.Thread)].Op.Kind.EndsProgram() }) {
			chosen = w.enabledMoves(&x.s)
		}
		for _, m := range chosen {
			y, id, ok := w.after(x, m)
			if !ok {
				return -1, false
			}
			if w.EndsAll(id) {
				if !w.DropsAt(&x.s, id) {
					return y.last, true
				}
				continue // it drops the execution: another end must come first
			}
			try(y)
		}
		if len(tried)+len(w.lost) > acceptedBudget {
			return -1, false
		}
	}
	maps.Copy(w.lost, tried)
	return -1, true
}

// seedTo returns the seed of the way to a step, with what ends the program if that is the last.
func (w *acceptance) seedTo(last int32) (out seed.Seed) {
	end := true
	for st := range w.sweep.trail.Back(last) {
		if !st.Ends || end {
			out = append(out, w.seedStep(st.Move))
		}
		end = false
	}
	slices.Reverse(out)
	return out
}

// noteEnd notes whether an execution that a run-time error has ended was dropped.
func (e *Engine) noteEnd(drops bool) {
	x := &e.Edges[e.Last]
	switch {
	case x.Kind != event.Panic || x.Fails()&spec.PanicCalled != 0 || e.shownEnds[e.Last]:
	case drops:
		e.dropped[e.Last] = true
	default:
		e.shownEnds[e.Last] = true
		delete(e.dropped, e.Last)
	}
}
