package constraint

import (
	"math"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// This file defines the rules that are stated lazily: a candidate order is
// executed, and what goes wrong adds the instance of QLOCK1, QLOCK2 or VAL3 that forbids it, or is what
// the solver must decide next.

// An instance of a lazy rule: of VAL3 the literal rf(w, r) and the other write, of QLOCK1 (rf is 0) two Lock nodes.
type instance struct {
	rf   solver.Lit
	a, b int32
}

// A walk is the execution of a candidate, with scratch that is reused.
type walk struct {
	steps []step // by node
	buf   []solver.Node
	order []int32
	where []int32 // by node: its place in order, -1 if not in
	last  []int32 // by variable: its last write
	held  []int32 // by lock: the Lock node, -1 if free
	in    []int32 // by thread: how many of its events are in

	// What to decide: an atom of a rule that is broken, else a source for the read that has fewest.
	atom solver.Lit
	ways int
	from []source
	at   int32 // place of the read
	read int32
}

// A step is what a walk needs to know of a node.
type step struct {
	does   does
	object int32 // variable or lock
	thread int32
	seq    int32
	value  uint64
}

type does uint8

const (
	nothing does = iota
	reads
	writes
	locks
	unlocks
)

func (w *walk) init(m *model, b *bounds) {
	w.where = make([]int32, len(m.nodes))
	fill(w.where, -1)
	w.last = make([]int32, len(m.vars))
	w.held = make([]int32, len(b.locks)/max(b.threads, 1))
	w.in = make([]int32, b.threads)
	w.steps = make([]step, len(m.nodes))
	for n := range w.steps {
		ev, s := m.at(int32(n)), &w.steps[n]
		s.thread, s.seq, s.value = ev.Thread, ev.Seq, ev.Value
		switch {
		case !m.nodes[n].free:
		case ev.Kind == event.Lock:
			s.does, s.object = locks, b.lockOf[n]
		case ev.Kind == event.Unlock:
			s.does, s.object = unlocks, b.lockOf[n]
		case ev.Kind.IsWrite():
			s.does, s.object = writes, m.varOf[n]
		case b.rf[n] != nil:
			s.does, s.object = reads, m.varOf[n]
		}
	}
}

// candidate returns the nodes of the solver's order, as far as the ghost of q (which is ^read); all if q is nil, or
// with Options.Base, for what is kept may stand behind the read. It is valid until the next call.
func (e *Encoding) candidate(q *question) []int32 {
	w := &e.walk
	w.buf = e.s.Order(w.buf[:0])
	w.order = w.order[:0]
	for _, p := range w.buf {
		n := e.nodeAt[p]
		if n >= 0 {
			w.order = append(w.order, n)
		} else if q != nil && ^n == q.read {
			w.order = append(w.order, n)
			if e.options.Base == nil {
				break
			}
		}
	}
	return w.order
}

// refine executes a candidate for q, states what it breaks, and returns what to decide next, 0 if nothing is broken.
func (e *Encoding) refine(q *question) solver.Lit {
	w := &e.walk
	for _, n := range w.order { // of the last candidate
		if n >= 0 {
			w.where[n] = -1
		}
	}
	fill(w.last, initially)
	fill(w.held, -1)
	clear(w.in)
	w.atom, w.ways, w.from = 0, math.MaxInt, nil
	order := e.candidate(q)
	for i, n := range order {
		if n >= 0 {
			w.where[n] = int32(i)
			s := &w.steps[n]
			w.in[s.thread] = max(w.in[s.thread], s.seq+1)
		}
	}
	for i, n := range order {
		if n < 0 {
			if l := meets(e, q.read, int32(i)); !e.offers(l, q.goal) || !e.sure(l) {
				e.mend(q.read, q.from, e.ghost[q.read].pos, e.ghost[q.read].low, int32(i), l)
			}
			continue
		}
		switch s := &w.steps[n]; s.does {
		case locks:
			if l := w.held[s.object]; l >= 0 {
				e.exclude(e.sections[l], e.sections[n])
			}
			w.held[s.object] = n
		case unlocks:
			if l := w.held[s.object]; l >= 0 && e.sections[l].unlock == n {
				w.held[s.object] = -1
			}
		case writes:
			w.last[s.object] = n
		case reads:
			if !e.kept(n) {
				continue
			}
			l := meets(e, n, int32(i))
			if l >= 0 && w.steps[l].value != s.value || l < 0 && !e.offers(l, goal{read: n, value: s.value}) || !e.sure(l) {
				e.mend(n, e.rf[n], e.pos[n], e.low.need(n), int32(i), l)
			}
		}
	}
	if w.atom != 0 {
		return w.atom
	}
	best, cost := solver.Lit(0), 0
	for _, s := range w.from {
		if c := costOf(e, s.write); !e.s.Known(s.rf) && (best == 0 || c < cost) {
			best, cost = s.rf, c
		}
	}
	return best
}

func fill(s []int32, v int32) {
	for i := range s {
		s[i] = v
	}
}

// offers reports whether the write w, or initially, gives the read of g what g wants.
func (m *model) offers(w int32, g goal) bool {
	if w != initially {
		return !g.initial && m.at(w).Value == g.value
	}
	v := &m.vars[m.varOf[g.read]]
	return g.initial || v.initialKnown && v.initial == g.value
}

// mend deals with the read r at place i of the candidate, which stands at pos after all in low, and meets the write l,
// which it should not. If a source is chosen, VAL3 says so; else one is to be.
func (e *Encoding) mend(r int32, from []source, pos solver.Node, low []int32, i, l int32) {
	open := 0
	for _, s := range from {
		if !e.s.Known(s.rf) {
			open++
		} else if e.s.Value(s.rf) && s.write != l {
			e.shield(s, pos, low, i, l)
			return
		}
	}
	if open < e.walk.ways {
		e.walk.ways, e.walk.from, e.walk.at, e.walk.read = open, from, i, r
	}
}

// costOf says how far a source is from the read that needs one. The goroutine's own store is always there.
func costOf(e *Encoding, write int32) int {
	if write >= 0 && write == e.own[e.walk.read] {
		return 0
	}
	return e.walk.cost(e.low, write, e.walk.at)
}

// cost says how far a source is from a read at place i: the nearest before it is best, then those after it, then
// those that are not in, by the number of events that they bring in.
func (w *walk) cost(low *bounds, write, i int32) int {
	n := int32(len(w.order))
	if write == initially {
		return int(i)
	}
	if at := w.where[write]; at >= 0 {
		if at < i {
			return int(i - at)
		}
		return int(n + at - i)
	}
	c := 2 * n
	for th, k := range low.need(write) {
		c += max(0, k-w.in[th])
	}
	return int(c)
}

// shield states VAL3 of a read that has chosen the source s, against the write l.
func (e *Encoding) shield(s source, pos solver.Node, low []int32, i, l int32) {
	clause := e.val3(s, pos, low, l)
	e.decide(clause[2:], func(k int) int32 { // the shorter way
		if !e.low.covers(low, l) && k == 0 {
			return i - e.walk.where[l]
		}
		return e.walk.where[l] - e.walk.where[s.write]
	})
	e.once(instance{rf: s.rf, a: l}, clause)
}

// val3 returns VAL3 of a read at pos after all in low, which reads from s, against the write l. What the bounds rule
// out is left out.
func (e *Encoding) val3(s source, pos solver.Node, low []int32, l int32) []solver.Lit {
	clause := []solver.Lit{s.rf.Not(), e.in[l].Not()}
	if !e.low.covers(low, l) {
		clause = append(clause, e.s.Before(pos, e.pos[l]))
	}
	if s.write != initially && !e.low.covers(e.low.need(l), s.write) {
		clause = append(clause, e.s.Before(e.pos[l], e.pos[s.write]))
	}
	return clause
}

// decide chooses one of the atoms of a rule that the candidate breaks.
func (e *Encoding) decide(atoms []solver.Lit, far func(k int) int32) {
	if e.walk.atom != 0 {
		return
	}
	best, least := solver.Lit(0), int32(0)
	for k, l := range atoms {
		if f := far(k); !e.s.Known(l) && (best == 0 || f < least) {
			best, least = l, f
		}
	}
	if best != 0 {
		e.walk.atom = best
	}
}

// once adds a lazy clause, once.
func (e *Encoding) once(i instance, clause []solver.Lit) {
	if e.stated[i] {
		return
	}
	e.stated[i] = true
	e.stats.Lazy++
	e.s.AddClause(clause...)
}

// exclude states QLOCK1 and QLOCK2 of two critical sections.
func (e *Encoding) exclude(a, b section) {
	both := instance{a: min(a.lock, b.lock), b: max(a.lock, b.lock)}
	clause, firsts := e.lock1(a, b, !e.stated[both])
	e.decide(clause[2:], func(k int) int32 { // keep the order of the Locks
		return e.walk.where[firsts[k].lock]
	})
	e.once(both, clause)
}

// lock1 returns QLOCK1 of two critical sections, and which of them comes first by its atoms; it states QLOCK2 if
// asked to.
func (e *Encoding) lock1(a, b section, lock2 bool) (clause []solver.Lit, firsts []section) {
	clause = []solver.Lit{e.in[a.lock].Not(), e.in[b.lock].Not()}
	for _, p := range [][2]section{{a, b}, {b, a}} {
		first, second := p[0], p[1]
		if first.unlock < 0 {
			continue
		}
		l := e.s.Before(e.pos[first.unlock], e.pos[second.lock])
		clause = append(clause, l)
		firsts = append(firsts, first)
		if lock2 {
			e.s.AddClause(l.Not(), e.in[second.lock].Not(), e.in[first.unlock])
		}
	}
	return clause, firsts
}
