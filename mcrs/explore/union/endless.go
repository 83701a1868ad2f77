package union

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file says what becomes of goroutines that go on for ever: a ticker's worker beside a deadlock, a janitor that a
// test leaves behind, one that polls for what nobody does.
//
//	ENDLESS1 If from some states none is reached in which nothing can move, the states are walked once more, and what
//	         follows which is kept. In the end an execution stays in a bottom component: a set of states each of which
//	         is reached from each, and from which nothing else is.
//	ENDLESS2 A goroutine that cannot move in any state of a bottom component is blocked for ever there. An execution
//	         is led into each component, so that the machine says who is blocked, who has leaked and who polls for
//	         ever. What it does not show is not reported. Components with the same goroutines at the same places are
//	         one.
//	ENDLESS3 A component is settled if the entry's goroutine has ended, or the machine has shown that it never will.
//	         It is open where goroutines go on without time passing while others wait for the clock, and where they
//	         change something in each round for ever: that is no end, and nothing is concluded. (In the second regime
//	         time also passes by what goroutines and timers do.)
//	ENDLESS4 An execution that was made for something else, and ended with everybody at such a place, counts as well.
//	ENDLESS5 Where a goroutine has ended the program, nobody goes on for ever: what the others still do in such a
//	         state is for executions in which that one comes later (UEND1 of package spec).
//
// The reduction leaves no bottom component out, and nobody who moves in one. By RED12 each way to a state of one is the
// beginning of a way that the walk has, up to equivalence, and so is each way from there. docs/completeness.md has it
// in full. It matters which goroutine is which, so the walk tells them apart.

// endsBudget bounds the states of the walk.
const endsBudget = 200_000

// ends is what the walk has found.
type ends struct {
	bottom []component
	cut    bool // there are more states than endsBudget
}

// A component is a bottom component.
type component struct {
	name    string     // of who is where
	last    int32      // in the trail: of its first state
	stay    []string   // who is blocked, and where
	goes    string     // who goes on
	at      event.Site // and where, the first of them
	blocked string     // the first of those who are blocked
	stayAt  event.Site // and where
	open    bool       // ENDLESS3, whatever an execution shows
}

// A vertex is a state of the walk.
type vertex struct {
	nodes  []int32 // by thread
	last   int32
	next   []int32
	movers known.Bits // who can move: its thread + 1
	ticks  bool       // the clock moves, in the second regime also by what somebody does
	sleeps bool       // somebody waits for the clock of the machine
}

// A roundabout is the walk.
type roundabout struct {
	*Engine
	index map[[2]uint64]int32
	rooms *sweep
	all   []vertex
	todo  []visit
}

// A visit is a state of the walk that is to be followed.
type visit struct {
	frame
	at int32
}

// lookAtEnds looks at where goroutines go on for ever. It returns how Next goes on: with Do what it has put among the
// tasks, or the sweep anew.
func lookAtEnds(e *Engine) Answer {
	if !e.Distinct { // who is who matters
		e.Distinct, e.Stale = true, true
		return Do
	}
	w := e.sweep
	if w.ends == nil {
		w.ends = findEnds(e)
		for i := range w.ends.bottom {
			if c := &w.ends.bottom[i]; !e.blocked[c.name] && (!c.open || len(c.stay) > 0) {
				e.tasks = append(e.tasks, Task{Kind: Blocked, Seed: e.seedOf(frame{last: c.last}), name: c.name, endless: true})
			}
		}
		if len(e.tasks) > 0 {
			return Do
		}
	}
	if w.ends.cut {
		return Beyond
	}
	for i := range w.ends.bottom {
		if c := &w.ends.bottom[i]; c.open || !e.blocked[c.name] {
			e.Forever, e.ForeverAt = c.goes+" may go on for ever", c.at
			if len(c.stay) > 0 {
				e.Forever, e.ForeverAt = fmt.Sprintf("%s cannot go on any more, and %s may go on for ever", c.blocked, c.goes), c.stayAt
			}
			return Endless
		}
	}
	return Exhausted
}

// programOver reports whether a goroutine has ended the program (ENDLESS5).
func programOver(e *Engine, s *spec.State) bool { return e.Get(s, 0) != 0 }

// findEnds is the walk (ENDLESS1).
func findEnds(e *Engine) *ends {
	w := &roundabout{Engine: e, index: make(map[[2]uint64]int32), rooms: &sweep{rooms: make(map[[2]uint64][]spec.Room)}}
	w.reach(frame{s: e.Start(), last: -1})
	for len(w.todo) > 0 {
		x := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		if len(w.all) > endsBudget || e.Stop.Asked() || !w.follow(x) {
			return &ends{cut: true}
		}
	}
	e.Stats.States += len(w.all)
	out := &ends{}
	all := bottoms(w.all)
	for _, c := range all {
		if slices.ContainsFunc(e.ledTo, func(nodes []int32) bool { return w.within(nodes, c) }) { // ENDLESS4
			e.blocked[w.look(c).name] = true
		}
	}
	for _, c := range all {
		if one := w.look(c); !slices.ContainsFunc(out.bottom, func(o component) bool { return o.name == one.name && (o.open || !one.open) }) {
			out.bottom = append(out.bottom, one)
		}
	}
	return out
}

// reach adds a state, and returns its number. It is followed unless one of its name was that had as much room.
func (w *roundabout) reach(x frame) int32 {
	name := w.Fingerprint(&x.s)
	at, met := w.index[name]
	if !met {
		at = int32(len(w.all))
		w.index[name] = at
		w.all = append(w.all, vertex{nodes: slices.Clone(x.s.Nodes), last: x.last})
	}
	if room := reduce.RoomOf(w.Reducer, &x.s); !met || !room.None() {
		if !programOver(w.Engine, &x.s) && w.rooms.follows(name, room) {
			w.todo = append(w.todo, visit{x, at})
		}
	}
	return at
}

// follow adds what follows a state. It returns false if that is not known.
func (w *roundabout) follow(x visit) bool {
	chosen := w.chosen(&x)
	v := &w.all[x.at]
	v.sleeps = v.sleeps || spec.AwaitsClock(&w.Rules, &x.s)
	for _, m := range chosen {
		id, pid, missing := w.EdgesFor(&x.s, m)
		if missing.Node != 0 {
			return false
		}
		y := frame{last: w.sweep.trail.Add(spec.Step{Move: m, Prev: x.last, Ends: w.EndsAll(id)})}
		x.s.CopyTo(&y.s)
		w.Apply(&y.s, m, id, pid)
		moved := w.ClockOf(&y.s).Now > w.ClockOf(&x.s).Now
		at := w.reach(y)
		v := &w.all[x.at]
		v.next, v.ticks = append(v.next, at), v.ticks || moved
	}
	return true
}

// chosen returns the moves to follow from a state, and notes who can move in it. The clock moves before that where
// nobody can.
func (w *roundabout) chosen(x *visit) []spec.Move {
	v := &w.all[x.at]
	for {
		for t := range x.s.Nodes {
			for _, m := range w.Enabled(&x.s, int32(t), nil) {
				v.movers.Set(m.Thread + 1)
				if m.Partner >= 0 {
					v.movers.Set(m.Partner + 1)
				}
			}
		}
		if chosen, _ := w.toFollow(&x.s, -1); len(chosen) > 0 {
			return slices.Clone(chosen)
		}
		if !w.Tick(&x.s) {
			return nil
		}
		v.ticks = true
	}
}

// look says what becomes of goroutines in a bottom component (ENDLESS2, ENDLESS3).
func (w *roundabout) look(states []int32) component {
	v := &w.all[states[0]]
	c := component{last: v.last}
	var movers known.Bits
	ticks, sleeps := false, false
	for _, i := range states {
		o := &w.all[i]
		movers.Add(o.movers)
		ticks, sleeps = ticks || o.ticks, sleeps || o.sleeps
	}
	var parts, goes []string
	for t, n := range v.nodes {
		x := &w.Nodes[n]
		switch {
		case n == 0 || x.Op.Kind == event.TimerFire:
		case x.Op.Kind == event.Sleep && !movers.Has(int32(t)+1): // time would pass natively
			parts = append(parts, fmt.Sprintf("%s sleeps at %d", w.IDs[t], x.Op.Site))
		case !movers.Has(int32(t) + 1):
			if len(c.stay) == 0 {
				c.blocked, c.stayAt = string(w.IDs[t]), x.Op.Site
			}
			c.stay = append(c.stay, fmt.Sprintf("%s %v at %d", w.IDs[t], x.Op.Kind, x.Op.Site))
		default:
			if c.at == 0 {
				c.at = x.Op.Site
			}
			goes = append(goes, string(w.IDs[t]))
			parts = append(parts, fmt.Sprintf("%s goes on %v", w.IDs[t], w.places(states, t)))
		}
	}
	c.open = c.open || !ticks && sleeps
	slices.Sort(c.stay)
	c.name = strings.Join(append(parts, c.stay...), ", ")
	c.goes = strings.Join(goes, " and ")
	return c
}

// within reports whether everybody stands where he does in some of the states.
func (w *roundabout) within(nodes, states []int32) bool {
	for t := range max(len(nodes), len(w.all[states[0]].nodes)) {
		if !slices.ContainsFunc(states, func(i int32) bool { return nodeAt(w.all[i].nodes, t) == nodeAt(nodes, t) }) {
			return false
		}
	}
	return true
}

func nodeAt(nodes []int32, t int) int32 {
	if t < len(nodes) {
		return nodes[t]
	}
	return 0
}

// places lists where a goroutine stands in some states.
func (w *roundabout) places(states []int32, t int) (sites []event.Site) {
	for _, i := range states {
		if n := nodeAt(w.all[i].nodes, t); n != 0 {
			sites = append(sites, w.Nodes[n].Op.Site)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// found marks the states of components that were found, for bottoms.
const found = 1 << 30

// bottoms returns the bottom components of a graph in which something can move, by Tarjan's method.
func bottoms(all []vertex) (out [][]int32) {
	number, low := make([]int32, len(all)), make([]int32, len(all))
	var stack []int32
	type call struct{ v, next int32 }
	count := int32(0)
	for root := range all {
		if number[root] != 0 {
			continue
		}
		calls := []call{{int32(root), 0}}
		for len(calls) > 0 {
			c := &calls[len(calls)-1]
			v := c.v
			if c.next == 0 {
				count++
				number[v], low[v] = count, count
				stack = append(stack, v)
			}
			if int(c.next) < len(all[v].next) {
				u := all[v].next[c.next]
				c.next++
				switch {
				case number[u] == 0:
					calls = append(calls, call{u, 0})
				default:
					low[v] = min(low[v], low[u])
				}
				continue
			}
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				p := calls[len(calls)-1].v
				low[p] = min(low[p], low[v])
			}
			if low[v] != number[v] {
				continue
			}
			from := len(stack) - 1
			for stack[from] != v {
				from--
			}
			states := slices.Clone(stack[from:])
			stack = stack[:from]
			if isBottom(all, low, states) {
				slices.Sort(states)
				out = append(out, states)
			}
			for _, u := range states {
				low[u] = found
			}
		}
	}
	return out
}

// isBottom reports whether something can move in the states of a component, and nothing leads out of it. Components
// that were found before, and lie behind it, are marked in low.
func isBottom(all []vertex, low []int32, states []int32) bool {
	moves := false
	for _, v := range states {
		for _, u := range all[v].next {
			if moves = true; low[u] == found {
				return false
			}
		}
	}
	return moves
}
