package constraint

import (
	"fmt"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// This file defines the questions.

// An Answer says whether there is an execution as asked for.
type Answer struct {
	Status solver.Status
	// Seed starts it, if Status is Sat.
	Seed seed.Seed
	// Full says of a seed for a read that all reads in it but that one return what they did in the trace: it is one
	// under full validity too.
	Full bool
	// Why says why Status is Unknown: the limit, or a question that the rules do not cover.
	Why string
}

// A goal is what a read is asked to return.
type goal struct {
	read    int32 // node
	value   uint64
	initial bool // what the location held at first, whatever that was
}

// about is what the bounds say of a read that is about to run.
type about struct {
	*bounds
	read int32
	low  []int32 // what comes before it; nil if it cannot be
}

// A question is a goal as a part of the formula.
type question struct {
	goal
	lit    solver.Lit // new(r, v); 0 if the bounds leave no candidate
	from   []source
	answer Answer // Unknown until the question is closed
}

// Values returns the values, sorted and each once, that r might return:
// those which a write offers that could be the last before it, and the observed one. initial says
// that the location's first value is another candidate, and is not known. r is the index of a read in
// Trace.Events; one that is fixed has its observed value alone.
func (e *Encoding) Values(r int) (values []uint64, initial bool) {
	n := e.of[r]
	values = []uint64{e.at(n).Value}
	if e.refuse(n) != "" {
		return values, false
	}
	v := &e.vars[e.varOf[n]]
	for _, w := range v.writes {
		if e.possible(v, n, w) {
			values = append(values, e.at(w).Value)
		}
	}
	if e.possible(v, n, initially) {
		if initial = !v.initialKnown; v.initialKnown {
			values = append(values, v.initial)
		}
	}
	slices.Sort(values)
	return slices.Compact(values), initial
}

// CanReturn asks whether the read r (an index in Trace.Events) can return v. The seed ends with it, or with what of
// Options.Base can only come behind it.
func (e *Encoding) CanReturn(r int, v uint64) Answer {
	return e.ask(goal{read: e.of[r], value: v})
}

// CanReturnInitial asks whether the read r can return what its location held at first.
func (e *Encoding) CanReturnInitial(r int) Answer {
	return e.ask(goal{read: e.of[r], initial: true})
}

// refuse says why the node n cannot be asked for a new value, "" if it can.
func (m *model) refuse(n int32) string {
	switch ev := m.at(n); {
	case ev.Kind != event.Read && ev.Kind != event.AtomicLoad:
		return fmt.Sprintf("event %d is no read (%v)", m.nodes[n].event, ev.Kind)
	case !m.nodes[n].free:
		return fmt.Sprintf("event %d (%v) keeps its observed order", m.nodes[n].event, ev.Kind)
	}
	return ""
}

func (e *Encoding) ask(g goal) Answer {
	if why := e.refuse(g.read); why != "" {
		return Answer{Why: why}
	}
	q := e.asked[g]
	if q == nil {
		q = e.state(g)
		e.asked[g] = q
	}
	if q.answer.Status != solver.Unknown {
		return q.answer
	}
	if e.options.Count {
		e.stats.Counts.Add(e.count(g))
	}
	if q.lit == 0 {
		e.stats.Questions++
		e.stats.Filtered++
		q.answer.Status = solver.Unsat
		return q.answer
	}
	var order []int32
	st := e.solve(q, q.lit)
	if st == solver.Sat {
		order = slices.Clone(e.candidate(q))
		at := slices.Index(order, ^g.read)
		order[at] = g.read
		order = e.straighten(order, len(order)-at)
	}
	q.answer = e.answer(st, order)
	q.answer.Full = st == solver.Sat && e.holds(order, g.read)
	if st != solver.Unknown { // closed: its literals cost the solver nothing any more
		e.s.AddClause(q.lit.Not())
		for _, s := range q.from {
			e.s.AddClause(s.rf.Not())
		}
	}
	return q.answer
}

// state states NEW1 and NEW2 of g, unless the bounds leave no candidate.
func (e *Encoding) state(g goal) *question {
	q := &question{goal: g}
	a := e.lookAt(g.read)
	if a.low == nil {
		return q
	}
	for _, w := range e.sources(&e.vars[e.varOf[g.read]], g.read, g) {
		if a.candidate(g.read, w, a.low) {
			q.from = append(q.from, source{write: w})
		}
	}
	if len(q.from) == 0 {
		return q
	}
	gh, ok := e.ghost[g.read]
	if !ok {
		gh.at = e.s.NewVar()
		gh.pos = e.addNode(gh.at, ^g.read)
		gh.low = a.low
		for _, d := range e.nodes[g.read].before {
			e.s.AddEdge(e.pos[d], gh.pos)
		}
		e.standBefore(gh.at, g.read) // NEW1
		if e.keep != nil {
			for _, r := range e.targetNeeds(g.read) {
				e.s.AddClause(gh.at.Not(), e.keepOf(r)) // KEEP1
			}
		}
		e.boundAt(gh)
		e.ghost[g.read] = gh
	}
	q.lit = e.s.NewVar()
	e.s.AddClause(q.lit.Not(), gh.at)
	some := []solver.Lit{q.lit.Not()}
	for i := range q.from {
		s := &q.from[i]
		s.rf = e.readsFrom(g.read, s.write, gh.pos, gh.low)
		some = append(some, s.rf)
	}
	e.s.AddClause(some...) // NEW2
	return q
}

// lookAt returns the bounds under which the read r is about to run.
func (e *Encoding) lookAt(r int32) *about {
	if e.about.bounds == nil {
		e.about.bounds = new(bounds)
	} else if e.about.read == r {
		return &e.about
	}
	e.about.read, e.about.low = r, e.low.about(r, e.about.bounds)
	return &e.about
}

// boundAt states what the bounds say of a ghost: what is in before it, and what cannot be in.
func (e *Encoding) boundAt(gh ghost) {
	for th, k := range gh.low {
		if k > 0 {
			d := e.low.nodesOf[th][k-1]
			e.s.AddEdge(e.pos[d], gh.pos)
			e.s.AddClause(gh.at.Not(), e.in[d])
		}
		if k := e.about.dead[th]; k < e.low.dead[th] {
			e.s.AddClause(gh.at.Not(), e.in[e.low.nodesOf[th][k]].Not())
		}
	}
}

// standBefore states that under l the prefix ends before n in its goroutine, and holds all that precedes n.
func (e *Encoding) standBefore(l solver.Lit, n int32) {
	for _, d := range e.nodes[n].before {
		e.s.AddClause(l.Not(), e.in[d])
	}
	e.s.AddClause(l.Not(), e.in[n].Not())
}

// CanBeAdjacent asks whether a and b (indices in Trace.Events), accesses of two goroutines, can be
// next both at once. The seed ends with a, then b.
func (e *Encoding) CanBeAdjacent(a, b int) Answer {
	x, y := &e.t.Events[a], &e.t.Events[b]
	if !x.Kind.IsAccess() || !y.Kind.IsAccess() {
		return Answer{Why: fmt.Sprintf("events %d (%v) and %d (%v) are not both accesses", a, x.Kind, b, y.Kind)}
	}
	if x.Thread == y.Thread {
		return e.answer(solver.Unsat, nil)
	}
	st := e.solve(nil, adjacent(e, a, b)...)
	if st != solver.Sat {
		return e.answer(st, nil)
	}
	return e.answer(st, e.straighten(append(slices.Clone(e.candidate(nil)), e.of[a], e.of[b]), 2))
}

// CanStandAt asks whether different goroutines can stand at some events (indices in Trace.Events) all at once: each is
// about to run. Then who holds what the next one waits for is a deadlock. The seed leads there.
func (e *Encoding) CanStandAt(events ...int) Answer {
	for i, a := range events {
		for _, b := range events[:i] {
			if e.t.Events[a].Thread == e.t.Events[b].Thread {
				return e.answer(solver.Unsat, nil)
			}
		}
	}
	st := e.solve(nil, adjacent(e, events...)...)
	if st != solver.Sat {
		return e.answer(st, nil)
	}
	return e.answer(st, e.straighten(slices.Clone(e.candidate(nil)), 0))
}

// adjacent returns ADJ1 as assumptions: it is asked once of the same events, and leaves no clause behind.
func adjacent(e *Encoding, events ...int) (assume []solver.Lit) {
	for _, i := range events {
		n := e.of[i]
		for _, d := range e.nodes[n].before {
			assume = append(assume, e.in[d])
		}
		assume = append(assume, e.in[n].Not())
	}
	return assume
}

func (e *Encoding) solve(q *question, assume ...solver.Lit) solver.Status {
	e.stats.Questions++
	return e.s.Solve(solver.Options{
		Limit:  e.Conflicts,
		Fresh:  e.options.Fresh,
		Refine: func() { e.refine(q) },
		Branch: func() solver.Lit { return e.refine(q) },
	}, assume...)
}

func (e *Encoding) answer(st solver.Status, order []int32) Answer {
	a := Answer{Status: st}
	if st == solver.Unknown {
		a.Why = fmt.Sprintf("limit of %d conflicts", e.Conflicts)
	}
	for _, n := range order {
		a.Seed = append(a.Seed, e.step(n))
	}
	return a
}

// step is the transition n as a seed names it.
func (m *model) step(n int32) seed.Step {
	ev := m.at(n)
	s := seed.Step{Thread: m.t.Threads[ev.Thread].ID, Case: ev.Case, PartnerCase: -1}
	if p := m.nodes[n].partner; p >= 0 {
		r := &m.t.Events[p]
		s.Partner, s.PartnerCase = m.t.Threads[r.Thread].ID, r.Case
	}
	return s
}
