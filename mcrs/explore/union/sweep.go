package union

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file walks the states that the knowledge allows, and finds what no execution has shown yet.

// A sweep is a walk over the states. It is kept between executions: a state at which an operation would meet something new waits until
// an execution has shown what comes of it.
type sweep struct {
	visited names
	work    []frame
	held    int // size of the states kept
	steps   []step
	waiters map[edgeKey][]waiter
	pending []edgeKey
	woken   []waiter // may go on
	arrived int      // names visited when an execution last showed something
	free    []state  // memory of states that are done with
}

// A frame is a state to expand, and the step that led to it.
type frame struct {
	s    state
	last int32 // in steps, -1 at the start
}

type step struct {
	m    move
	prev int32
	ends bool // it ends the program
}

// A waiter is a move that waits for an edge.
type waiter struct {
	at frame
	m  move
}

// newSweep returns a sweep, in the memory of an old one if that is not nil.
func newSweep(old *sweep) *sweep {
	w := &sweep{waiters: make(map[edgeKey][]waiter)}
	if old != nil {
		w.steps, w.free = old.steps[:0], old.free
	}
	return w
}

// clone copies a state.
func (w *sweep) clone(s *state) (d state) {
	if n := len(w.free); n > 0 {
		d, w.free = w.free[n-1], w.free[:n-1]
	}
	s.copyTo(&d)
	return d
}

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
func (e *Engine) fingerprint(s *state) [2]uint64 {
	h := [2]uint64{1, 2}
	put := func(a, b uint64) {
		h[0] = mix(h[0]^a, b)
		h[1] = mix(h[1]+b, a^0x5bd1e995)
	}
	alive := e.alive[:0]
	var who [2]uint64 // goroutines with equal futures may change places
	for t, n := range s.nodes {
		if n != 0 {
			x := &e.nodes[n]
			w := x.class
			if e.merging {
				x.named = e.sweeps
			} else {
				w = mix(uint64(t), uint64(n))
			}
			if e.parked(s, int32(t)) {
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
	e.alive = alive
	put(who[0], who[1])
	dropped := false
	for o, v := range s.objs {
		if v == e.objects[o].start || e.objects[o].space == spaceParked {
			continue
		}
		if !e.seen(int32(o), v, alive) {
			dropped = true
			continue
		}
		put(uint64(o)|1<<32, uint64(v))
	}
	if dropped {
		e.rely(s)
	}
	return h
}

// seen reports whether the value of an object can still matter.
func (e *Engine) seen(o, v int32, alive bits) bool {
	x := &e.objects[o]
	if x.space == spaceEnd || x.space == spaceClock {
		return true
	}
	if x.space == spaceCell && e.Pointers && e.values.addresses[v] {
		return true // it may keep something reachable
	}
	for _, b := range x.way {
		if alive.has(b) {
			return true
		}
	}
	return false
}

// done reports whether no state is left to expand.
func (w *sweep) done() bool { return len(w.work) == 0 && len(w.woken) == 0 }

// The first sweep tells goroutines with equal futures apart: while much is not known yet, few are equal, and they do not stay so. It is given up when
// it has visited more states than these, for all it has shown.
const (
	patience        = 2000
	patiencePerEdge = 8
)

// haste is the number of states in addition after which a sweep that must be repeated gives up hope to show more.
const haste = 64

// run expands states until none is left, one asks for an execution, or the budget is used up.
func (e *Engine) run() bool {
	w := e.sweep
	for len(e.tasks) == 0 && len(w.pending) == 0 {
		if len(w.work) == 0 {
			if len(w.woken) == 0 {
				break
			}
			y := w.woken[0]
			w.held -= y.at.s.size()
			w.woken = w.woken[1:]
			if f := y.at; e.follow(&f, y.m) {
				e.push(f)
			}
			continue
		}
		if !e.merging && !e.NoMerge && w.visited.count > patience+patiencePerEdge*len(e.edges) {
			return true // merge: see Next
		}
		if e.grown && w.visited.count > 2*w.arrived+haste {
			return true // it must begin again, and seems to have shown what it can: see Next
		}
		if e.Stats.States >= e.Budget || e.work >= e.Budget*workPerState || w.held >= e.Budget*heldPerState {
			return false
		}
		f := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		w.held -= f.s.size()
		e.expand(f)
	}
	return true
}

// push adds a state to those to expand, unless one of its name was met.
func (e *Engine) push(f frame) {
	if !e.sweep.visited.add(e.fingerprint(&f.s)) {
		e.sweep.free = append(e.sweep.free, f.s)
		return
	}
	e.Stats.States++
	e.sweep.held += f.s.size()
	e.sweep.work = append(e.sweep.work, f)
}

// expand follows the moves of a state; while there is one only, without keeping the states between.
func (e *Engine) expand(f frame) {
	last := int32(-1)
	for {
		all := e.moves[:0]
		for t := range f.s.nodes {
			all = e.enabled(&f.s, int32(t), all)
		}
		e.moves = all
		if len(all) == 0 && e.tick(&f.s) {
			continue
		}
		if len(all) == 0 {
			e.final(f)
			e.sweep.free = append(e.sweep.free, f.s)
			return
		}
		chosen := all
		if !e.Full {
			set := e.choose(&f.s, all, last)
			chosen = e.picked[:0]
			for _, m := range all {
				if set[m.thread] {
					chosen = append(chosen, m)
				}
			}
			e.picked = chosen
		}
		if e.sweeps%2 == 0 {
			slices.Reverse(chosen)
		}
		if len(chosen) > 1 || e.Full {
			if e.lookForRaces(f); len(e.tasks) > 0 { // what they show makes the set smaller
				e.sweep.work = append(e.sweep.work, f)
				e.sweep.held += f.s.size()
				return
			}
			for i, m := range chosen {
				if e.likeOneOf(&f.s, m, chosen[:i]) {
					continue
				}
				next := frame{e.sweep.clone(&f.s), f.last}
				if e.follow(&next, m) {
					e.push(next)
				}
			}
			e.sweep.free = append(e.sweep.free, f.s)
			return
		}
		last = chosen[0].thread
		if !e.follow(&f, chosen[0]) {
			return
		}
	}
}

// likeOneOf reports whether a move is that of a goroutine whose future equals that of the mover of one of others (RED10).
func (e *Engine) likeOneOf(s *state, m move, others []move) bool {
	if e.NoMerge || m.partner >= 0 {
		return false
	}
	x := &e.nodes[s.nodes[m.thread]]
	for _, o := range others {
		y := &e.nodes[s.nodes[o.thread]]
		if y.class == x.class && o.kase == m.kase && o.partner < 0 && o.thread != m.thread {
			x.named, y.named = e.sweeps, e.sweeps
			return true
		}
	}
	return false
}

// follow performs a move, or lets it wait; then f is the waiter's.
func (e *Engine) follow(f *frame, m move) bool {
	id, pid, missing := e.edgesFor(&f.s, m)
	if missing.node != 0 {
		e.wait(missing, waiter{*f, m})
		return false
	}
	e.apply(&f.s, m, id, pid)
	kind := e.edges[id].kind
	if w := e.sweep; len(w.steps) == cap(w.steps) {
		w.steps = slices.Grow(w.steps, len(w.steps)+64)
	}
	e.sweep.steps = append(e.sweep.steps, step{m, f.last, kind == event.Panic || kind == event.Exit})
	f.last = int32(len(e.sweep.steps) - 1)
	return true
}

// edgesFor returns the edges of a move, or which one no execution has shown.
func (e *Engine) edgesFor(s *state, m move) (id, pid int32, missing edgeKey) {
	n := s.node(m.thread)
	x, ok := e.meets(s, m)
	if !ok {
		return -1, -1, edgeKey{n, unknownKey(x.kind)}
	}
	if id = e.edgeOf(n, x); id < 0 {
		return id, -1, edgeKey{n, x}
	}
	pid = -1
	if m.partner >= 0 {
		pn := s.node(m.partner)
		y := key{kind: event.ChanRecv, kase: m.pcase, now: x.now, val: e.edges[id].send}
		if pid = e.edgeOf(pn, y); pid < 0 {
			return id, pid, edgeKey{pn, y}
		}
	}
	return id, pid, edgeKey{}
}

func (e *Engine) wait(x edgeKey, w waiter) {
	e.sweep.held += w.at.s.size()
	ws := e.sweep.waiters[x]
	if ws == nil {
		e.sweep.pending = append(e.sweep.pending, x)
	}
	e.sweep.waiters[x] = append(ws, w)
}

// wake lets the moves go on whose edges have arrived.
func (e *Engine) wake() {
	w := e.sweep
	if len(e.arrivals) > 0 {
		w.arrived = w.visited.count
	}
	for len(e.arrivals) > 0 {
		x := e.arrivals[0]
		e.arrivals = e.arrivals[1:]
		ws := w.waiters[x]
		delete(w.waiters, x)
		for _, y := range ws {
			w.woken = append(w.woken, y)
		}
	}
	for len(w.pending) > 0 && w.waiters[w.pending[0]] == nil {
		w.pending = w.pending[1:]
	}
}

func (e *Engine) seedStep(m move) seed.Step {
	s := seed.Step{Thread: e.ids[m.thread], Case: m.kase, PartnerCase: -1}
	if m.partner >= 0 {
		s.Partner, s.PartnerCase = e.ids[m.partner], m.pcase
	}
	return s
}

// seedOf returns the seed that leads to a state, without the steps that end the program: they are independent of all
// others, but nothing could follow them.
func (e *Engine) seedOf(f frame, then ...move) seed.Seed {
	var ms []move
	for i := f.last; i >= 0; i = e.sweep.steps[i].prev {
		if m := e.sweep.steps[i].m; !e.sweep.steps[i].ends {
			ms = append(ms, m)
		}
	}
	slices.Reverse(ms)
	return e.seedOfMoves(append(ms, then...))
}

func (e *Engine) seedOfMoves(ms []move) seed.Seed {
	out := make(seed.Seed, len(ms))
	for i, m := range ms {
		out[i] = e.seedStep(m)
	}
	return out
}

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
	at := e.accesses[:0]
	for t, n := range f.s.nodes {
		if n == 0 || !e.mayRace(n) {
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

func (e *Engine) mayRace(n int32) bool {
	x := &e.nodes[n]
	return x.known && (x.op.Kind.IsAccess() || x.op.Kind == event.MapRead || x.op.Kind == event.MapWrite ||
		x.op.Kind == event.WaitGroupAdd && int64(x.op.Key) > 0 || x.op.Kind == event.WaitGroupWait)
}

func (e *Engine) race(f frame, t, u int32) {
	x, y := &e.nodes[f.s.nodes[t]], &e.nodes[f.s.nodes[u]]
	if e.races[x.site].has(y.site) {
		return
	}
	a, b := &x.op, &y.op
	if b.Kind == event.WaitGroupWait {
		t, u, a, b = u, t, b, a
	}
	if b.Kind == event.WaitGroupAdd || b.Kind == event.WaitGroupWait || a.Kind == event.WaitGroupAdd {
		// The first Add of a wait group must happen before Wait.
		if o := e.actOf(f.s.nodes[u]).obj; a.Kind == event.WaitGroupWait && b.Kind == event.WaitGroupAdd && a.Loc == b.Loc && e.get(&f.s, o) == 0 {
			e.predict(f, t, u, pairOf(a.Site, b.Site), mix(uint64(f.s.nodes[t]), uint64(f.s.nodes[u])))
		}
		return
	}
	if !a.Loc.Overlaps(b.Loc) || a.Kind.IsAccess() != b.Kind.IsAccess() || a.Kind.IsAtomic() && b.Kind.IsAtomic() {
		return
	}
	pair := pairOf(a.Site, b.Site)
	if e.raced[pair] || !a.Kind.IsWrite() && !b.Kind.IsWrite() {
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
