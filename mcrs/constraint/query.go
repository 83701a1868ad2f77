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
	// Why says why Status is Unknown: the limit, or a question that the rules do not cover.
	Why string
}

// A goal is what a read is asked to return.
type goal struct {
	read    int32 // node
	value   uint64
	initial bool // what the location held at first, whatever that was
}

// A question is a goal as a part of the formula.
type question struct {
	goal
	lit    solver.Lit // new(r, v)
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
	for _, w := range e.possible(v, n) {
		switch {
		case w != initially:
			values = append(values, e.at(w).Value)
		case v.initialKnown:
			values = append(values, v.initial)
		default:
			initial = true
		}
	}
	slices.Sort(values)
	return slices.Compact(values), initial
}

// CanReturn asks whether the read r (an index in Trace.Events) can return v. The seed ends with it.
func (e *Encoding) CanReturn(r int, v uint64) Answer {
	return e.ask(goal{read: e.of[r], value: v})
}

// CanReturnInitial asks whether the read r can return what its location held at first.
func (e *Encoding) CanReturnInitial(r int) Answer {
	return e.ask(goal{read: e.of[r], initial: true})
}

// refuse says why the node n cannot be asked for a new value, "" if it can.
func (e *Encoding) refuse(n int32) string {
	switch ev := e.at(n); {
	case ev.Kind != event.Read && ev.Kind != event.AtomicLoad:
		return fmt.Sprintf("event %d is no read (%v)", e.nodes[n].event, ev.Kind)
	case !e.nodes[n].free:
		return fmt.Sprintf("event %d (%v) keeps its observed order", e.nodes[n].event, ev.Kind)
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
	var order []int32
	st := e.solve(q, q.lit)
	if st == solver.Sat {
		order = e.candidate(q)
		order[len(order)-1] = g.read
	}
	q.answer = e.answer(st, order)
	if st != solver.Unknown { // closed: its literals cost the solver nothing any more
		e.s.AddClause(q.lit.Not())
		for _, s := range q.from {
			e.s.AddClause(s.rf.Not())
		}
	}
	return q.answer
}

// state states NEW1 and NEW2 of g.
func (e *Encoding) state(g goal) *question {
	gh, ok := e.ghost[g.read]
	if !ok {
		gh.at = e.s.NewVar()
		gh.pos = e.addNode(gh.at, ^g.read)
		for _, d := range e.nodes[g.read].before {
			e.s.AddEdge(e.pos[d], gh.pos)
		}
		e.standBefore(gh.at, g.read) // NEW1
		e.ghost[g.read] = gh
	}
	q := &question{goal: g, lit: e.s.NewVar()}
	e.s.AddClause(q.lit.Not(), gh.at)
	some := []solver.Lit{q.lit.Not()}
	for _, w := range e.possible(&e.vars[e.varOf[g.read]], g.read) {
		if e.offers(w, g) {
			rf := e.readsFrom(w, gh.pos)
			q.from = append(q.from, source{w, rf})
			some = append(some, rf)
		}
	}
	e.s.AddClause(some...) // NEW2
	return q
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
	// ADJ1, as assumptions: each pair is asked about once, and leaves no clause behind.
	var assume []solver.Lit
	for _, n := range []int32{e.of[a], e.of[b]} {
		for _, d := range e.nodes[n].before {
			assume = append(assume, e.in[d])
		}
		assume = append(assume, e.in[n].Not())
	}
	st := e.solve(nil, assume...)
	if st != solver.Sat {
		return e.answer(st, nil)
	}
	return e.answer(st, append(e.candidate(nil), e.of[a], e.of[b]))
}

func (e *Encoding) solve(q *question, assume ...solver.Lit) solver.Status {
	e.stats.Questions++
	return e.s.Solve(solver.Options{Limit: e.Conflicts, Refine: func() { e.refine(q) }}, assume...)
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
func (e *Encoding) step(n int32) seed.Step {
	ev := e.at(n)
	s := seed.Step{Thread: e.t.Threads[ev.Thread].ID, Case: ev.Case, PartnerCase: -1}
	if p := e.nodes[n].partner; p >= 0 {
		r := &e.t.Events[p]
		s.Partner, s.PartnerCase = e.t.Threads[r.Thread].ID, r.Case
	}
	return s
}
