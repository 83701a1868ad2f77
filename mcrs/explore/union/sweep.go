package union

import (
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/reduce"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file walks the states that the knowledge allows, and finds what no execution has shown yet.

// A sweep is a walk over the states. It is kept between executions: a state at which an operation would meet something
// new waits until an execution has shown what comes of it.
type sweep struct {
	visited reduce.Names
	work    [][]frame // to expand, by how many firings count (UTIME14)
	held    int       // size of the states kept
	trail   spec.Trail
	waiters map[known.EdgeKey][]waiter
	met     spec.Bounds               // by this sweep or one before (UTIME14)
	rooms   map[[2]uint64][]spec.Room // of the states of a name that were followed, if they have used any of these bounds (UTIME11)
	pending []known.EdgeKey           // what no execution has been asked for
	woken   []waiter                  // may go on
	arrived int                       // names visited when an execution last showed something

	// Where graphs have cycles: which state follows which, and those in which nothing can move.
	links  []link
	finals [][2]uint64
	cut    map[[2]uint64]bool // those in which only UTIME3 keeps the clock from moving
	far    int64              // how often it would move from these on, by and large
	short  bool               // a limit struck before they were followed (GONE2)
	ends   *ends              // where goroutines go on for ever, once it was looked for
}

// A frame is a state to expand, and the step that led to it.
type frame struct {
	s    spec.State
	last int32     // in the trail, -1 at the start
	name [2]uint64 // of the state, or of one that leads to it alone
}

// A link says that a state follows another one.
type link struct{ from, to [2]uint64 }

// A waiter is a move that waits for an edge.
type waiter struct {
	at frame
	m  spec.Move
}

// newSweep returns a sweep, in the memory of an old one if that is not nil.
func newSweep(old *sweep) *sweep {
	w := &sweep{waiters: make(map[known.EdgeKey][]waiter), rooms: make(map[[2]uint64][]spec.Room), cut: make(map[[2]uint64]bool)}
	if old != nil {
		w.trail.Blocks, w.met = old.trail.Blocks, old.met
	}
	return w
}

// done reports whether no state is left to expand.
func (w *sweep) done() bool { return len(w.next()) == 0 && len(w.woken) == 0 }

// put adds a state to those to expand, with the room that it has used.
func (w *sweep) put(f frame, r spec.Room) {
	n := int(r.Fired)
	for len(w.work) <= n {
		w.work = append(w.work, nil)
	}
	w.work[n] = append(w.work[n], f)
	w.held += f.s.Size()
}

// next returns states to expand, none if none are left.
func (w *sweep) next() []frame {
	for _, fs := range w.work {
		if len(fs) > 0 {
			return fs
		}
	}
	return nil
}

// take takes the last of next away, and returns them. They are good until a state is put.
func (w *sweep) take(n int) []frame {
	for i, fs := range w.work {
		if rest := len(fs) - n; len(fs) > 0 {
			w.work[i] = fs[:rest]
			return fs[rest:]
		}
	}
	return nil
}

// endless reports whether there are states from which none is reached in which nothing can move. There may be some only
// where graphs have cycles.
func (w *sweep) endless() bool {
	if len(w.links) == 0 {
		return false
	}
	last := make(map[[2]uint64]int, w.visited.Count) // by state: the last link that leads to it, from 1 on
	others := make([]int, len(w.links)+1)            // by link: the one before it that leads to the same state, 0 if there is none
	for i, l := range w.links {
		others[i+1], last[l.to] = last[l.to], i+1
	}
	ends := make(map[[2]uint64]bool)
	for todo := append(slices.Clone(w.finals), slices.Collect(maps.Keys(w.cut))...); len(todo) > 0; {
		x := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !ends[x] {
			ends[x] = true
			for i := last[x]; i > 0; i = others[i] {
				todo = append(todo, w.links[i-1].from)
			}
		}
	}
	return len(ends) < w.visited.Count
}

// The first sweep tells goroutines with equal futures apart: while much is not known yet, few are equal, and they do
// not stay so. It is given up when it has visited more states than these, for all it has shown.
const (
	patience        = 2000
	patiencePerEdge = 8
)

// haste is the number of states in addition after which a sweep that must be repeated gives up hope to show more.
const haste = 64

// A sweep that has visited atOnceFrom states expands atOnce of them at a time, side by side if there are hands. However
// many hands there are, what they find is settled in the order of the states.
const (
	atOnce     = 128
	atOnceFrom = 1024
)

// spares is the memory that an expansion is given, in states.
const spares = 4

// run expands states until none is left, one asks for an execution, or the budget is used up.
func (e *Engine) run() bool {
	w := e.sweep
	for len(e.tasks) == 0 && len(w.pending) == 0 && !e.Stale {
		reduce.Order(e.Reducer, e.Stats.States)
		left := len(w.next())
		if left == 0 {
			if len(w.woken) == 0 {
				break
			}
			n := 1
			if w.visited.Count >= atOnceFrom {
				n = min(atOnce, len(w.woken))
			}
			for _, y := range w.woken[:n] {
				w.held -= y.at.s.Size()
				e.goesOn(y)
			}
			w.woken = w.woken[n:]
			continue
		}
		if !e.Merging && !e.Distinct && w.visited.Count > patience+patiencePerEdge*len(e.Edges) {
			return true // merge: see Next
		}
		if e.Grown && w.visited.Count > 2*w.arrived+haste {
			return true // it must begin again, and seems to have shown what it can: see Next
		}
		if e.Stop.Asked() || e.beyond(e.Stats.States, e.Work) || w.held >= e.Budget*reduce.HeldPerState {
			return false
		}
		n := 1
		if w.visited.Count >= atOnceFrom {
			n = min(atOnce, left)
		}
		e.advance(n)
	}
	return true
}

// advance expands the last states of those that are left.
func (e *Engine) advance(n int) {
	w := e.sweep
	for len(e.batch) < n {
		e.batch = append(e.batch, new(expansion))
	}
	e.full, e.backward = e.Full, e.Sweeps%2 == 0
	batch := e.batch[:n]
	for i, f := range w.take(n) {
		batch[i].frame = f
		e.free.share(&batch[i].spare, spares)
		w.held -= f.s.Size()
	}
	if n == 1 {
		e.expand(batch[0])
	} else {
		before := e.Work
		e.expandAll(batch)
		e.Work = before // it has what this hand has expanded, and others have expanded the rest: see below
	}
	for _, x := range batch {
		if x.end == again {
			e.expand(x)
		} else if n > 1 {
			e.Work += x.work
		}
		e.settle(x)
	}
}

// settle notes what was found to follow a state.
func (e *Engine) settle(x *expansion) {
	w := e.sweep
	if x.met&^w.met != 0 {
		w.met |= x.met
		e.Stale = true
	}
	for _, st := range x.way {
		st.Prev = x.last
		x.last = w.trail.Add(st)
	}
	switch x.end {
	case nothing:
		if spec.CutOff(&e.Rules, &x.s) {
			w.cut[x.name] = true
			w.far = max(w.far, spec.MovesTo(&e.Rules, &x.s))
		} else if len(e.Graphs.Loops) > 0 {
			w.finals = append(w.finals, x.name)
		}
		e.final(x.frame)
		e.free.release(x.s)
	case waits:
		e.wait(x.next[0].missing, waiter{x.frame, x.next[0].m})
	case branches:
		if e.lookForRacesAt(&x.frame); len(e.tasks) > 0 { // what they show makes the set smaller
			w.put(x.frame, roomOf(e, &x.s))
			for i := range x.next {
				e.free.release(x.next[i].s)
			}
			return
		}
		for i := range x.next {
			y := &x.next[i]
			if y.missing.Node != 0 {
				e.wait(y.missing, waiter{frame{y.s, x.last, x.name}, y.m})
			} else {
				e.push(frame{y.s, w.trail.Add(spec.Step{Move: y.m, Prev: x.last, Ends: y.ends}), y.name}, x.name)
			}
		}
		e.free.release(x.s)
	}
}

// goesOn lets a move that waited be made.
func (e *Engine) goesOn(y waiter) {
	f := y.at
	id, pid, missing := e.EdgesFor(&f.s, y.m)
	if missing.Node != 0 {
		e.wait(missing, y)
		return
	}
	e.Apply(&f.s, y.m, id, pid)
	f.last = e.sweep.trail.Add(spec.Step{Move: y.m, Prev: f.last, Ends: e.EndsAll(id)})
	before := f.name
	f.name = e.Fingerprint(&f.s)
	e.push(f, before)
}

// push adds a state to those to expand, unless one of its name was met. It follows another one.
func (e *Engine) push(f frame, before [2]uint64) {
	if len(e.Graphs.Loops) > 0 {
		e.sweep.links = append(e.sweep.links, link{before, f.name})
		if programOver(e, &f.s) {
			e.sweep.finals = append(e.sweep.finals, f.name)
		}
	}
	room := roomOf(e, &f.s)
	if isNew := e.sweep.visited.Add(f.name); !isNew && (room.None() || !e.sweep.follows(f.name, room)) {
		e.free.release(f.s)
		return
	} else if isNew && !room.None() {
		e.sweep.rooms[f.name] = append(e.sweep.rooms[f.name], room)
	}
	e.Stats.States++
	e.sweep.put(f, room)
}

// roomOf returns how much of the bounds that have been met a state has used.
func roomOf(e *Engine, s *spec.State) spec.Room {
	if e.sweep.met == 0 {
		return spec.Room{}
	}
	return reduce.RoomOf(e.Reducer, s).Of(e.sweep.met)
}

// follows reports whether a state of a name is to be followed again, and notes that it is (RED14).
func (w *sweep) follows(name [2]uint64, r spec.Room) bool {
	if slices.ContainsFunc(w.rooms[name], func(o spec.Room) bool { return o.Within(r) }) {
		return false
	}
	w.rooms[name] = append(slices.DeleteFunc(w.rooms[name], r.Within), r)
	delete(w.cut, name)
	return true
}

func (e *Engine) wait(x known.EdgeKey, w waiter) {
	e.sweep.held += w.at.s.Size()
	ws := e.sweep.waiters[x]
	if ws == nil {
		e.sweep.pending = append(e.sweep.pending, x)
	}
	e.sweep.waiters[x] = append(ws, w)
}

// wake lets the moves go on whose edges have arrived.
func (e *Engine) wake() {
	w := e.sweep
	if len(e.Arrivals) > 0 {
		w.arrived = w.visited.Count
	}
	for len(e.Arrivals) > 0 {
		x := e.Arrivals[0]
		e.Arrivals = e.Arrivals[1:]
		ws := w.waiters[x]
		delete(w.waiters, x)
		for _, y := range ws {
			w.woken = append(w.woken, y)
		}
	}
	w.pending = slices.DeleteFunc(w.pending, func(x known.EdgeKey) bool { return w.waiters[x] == nil })
}

func (e *Engine) seedStep(m spec.Move) seed.Step {
	s := seed.Step{Thread: e.IDs[m.Thread], Case: m.Case, PartnerCase: -1}
	if m.Partner >= 0 {
		s.Partner, s.PartnerCase = e.IDs[m.Partner], m.PartnerCase
	}
	return s
}

// seedOf returns the seed that leads to a state, without the steps that end the program: they are independent of all
// others, but nothing could follow them.
func (e *Engine) seedOf(f frame, then ...spec.Move) seed.Seed {
	var ms []spec.Move
	for st := range e.sweep.trail.Back(f.last) {
		if !st.Ends {
			ms = append(ms, st.Move)
		}
	}
	slices.Reverse(ms)
	return e.seedOfMoves(append(ms, then...))
}

func (e *Engine) seedOfMoves(ms []spec.Move) seed.Seed {
	out := make(seed.Seed, len(ms))
	for i, m := range ms {
		out[i] = e.seedStep(m)
	}
	return out
}
