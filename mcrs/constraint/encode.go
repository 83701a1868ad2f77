package constraint

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines the part of the formula that every question needs.

// initially, as a source, is what a location held at first.
const initially int32 = -1

// An Encoding is a trace as a formula, for any number of questions.
type Encoding struct {
	// Conflicts is the limit of one question, after which the answer is Unknown; 0 means none.
	Conflicts int
	// Fixed is the number of transitions that keep their observed order
	// (OBS1, OBS2). If it is zero, Unsat means that no program with this trace can do it.
	Fixed int

	*model
	relaxed
	options Options

	s      solver.Solver
	in     []solver.Lit    // by node
	pos    []solver.Node   // by node
	nodeAt []int32         // by solver.Node; a ghost r* is ^r
	rf     [][]source      // by node: the sources that VAL1 allows a free read
	low    *bounds         // of the whole trace
	about  about           // the bounds of the last question
	ghost  map[int32]ghost // by node of the read
	asked  map[goal]*question
	stated map[instance]bool
	walk   walk
	stats  Stats
}

// A source is a write that a read may take its value from, and the literal that it does.
type source struct {
	write int32 // a node, or initially
	rf    solver.Lit
}

// A ghost is r*: the read r about to run.
type ghost struct {
	at  solver.Lit
	pos solver.Node
	low []int32 // what comes before it
}

// Stats count the work of an Encoding.
type Stats struct {
	Questions int
	Filtered  int // questions that the lower-bound filter answered
	Lazy      int // instances of QLOCK1 and VAL3 that candidates broke
	Counts        // with Options.Count, of all questions
	Solver    solver.Stats
}

// Encode builds the formula of t.
func Encode(t *trace.Trace) *Encoding { return EncodeFor(t, solver.New()) }

// EncodeFor builds the formula of t in s, which must be new.
func EncodeFor(t *trace.Trace, s solver.Solver) *Encoding { return encode(t, Options{}, s, true) }

// encode builds it with the lower-bound filter, or without.
func encode(t *trace.Trace, o Options, s solver.Solver, filter bool) *Encoding {
	e := &Encoding{
		options: o,
		model:   newModel(t),
		s:       s,
		ghost:   make(map[int32]ghost),
		asked:   make(map[goal]*question),
		stated:  make(map[instance]bool),
	}
	e.Fixed = e.model.fixed
	for n := range int32(len(e.nodes)) {
		e.in = append(e.in, e.s.NewVar())
		e.addNode(e.in[n], n)
		e.pos = append(e.pos, solver.Node(n))
	}
	for n := range int32(len(e.nodes)) {
		for _, d := range e.nodes[n].before {
			e.follow(n, d) // MHB1, MHB2, OBS2
		}
		if d := e.nodes[n].chain; d >= 0 {
			e.follow(n, d) // OBS1
		}
	}
	e.rf = make([][]source, len(e.nodes))
	for i := range e.vars {
		if v := &e.vars[i]; v.shared || o.Needs != nil {
			for _, r := range v.reads {
				for _, w := range e.sources(v, r, goal{read: r, value: e.at(r).Value}) {
					e.rf[r] = append(e.rf[r], source{write: w})
				}
			}
		}
	}
	if o.Needs != nil {
		e.findNeeds(o.Needs)
	}
	e.low = newBounds(e.model, e.rf, e.needs, !filter)
	for n := range int32(len(e.nodes)) {
		e.bound(n)
		if e.rf[n] != nil {
			e.validate(n)
		}
	}
	e.stateNeeds()
	e.stateBase(o)
	e.walk.init(e.model, e.low)
	return e
}

// Stats returns the work done so far.
func (e *Encoding) Stats() Stats {
	if s, ok := e.s.(*solver.CDCL); ok {
		e.stats.Solver = s.Stats()
	}
	return e.stats
}

func (e *Encoding) addNode(in solver.Lit, n int32) solver.Node {
	e.nodeAt = append(e.nodeAt, n)
	return e.s.NewNode(in)
}

// follow states that d comes before n, and is in if n is.
func (e *Encoding) follow(n, d int32) {
	e.s.AddEdge(e.pos[d], e.pos[n])
	e.s.AddClause(e.in[n].Not(), e.in[d])
}

// bound states what the bounds of n say beyond MHB1 and OBS1.
func (e *Encoding) bound(n int32) {
	low := e.low.need(n)
	for th, k := range low {
		if k <= e.nodes[n].clock[th] {
			continue
		}
		d := e.low.nodesOf[th][k-1]
		implied := slices.ContainsFunc(e.nodes[n].before, func(p int32) bool { return e.low.covers(e.low.need(p), d) })
		for other, j := range low {
			if other != th && j > 0 && !implied {
				x := e.low.nodesOf[other][j-1]
				implied = x != n && x != d && e.low.covers(e.low.need(x), d)
			}
		}
		if !implied {
			e.follow(n, d)
		}
	}
}

// validate states VAL1 and VAL2 of the free read r.
func (e *Encoding) validate(r int32) {
	some := []solver.Lit{e.in[r].Not()}
	if e.keep != nil {
		some = append(some, e.keepOf(r).Not()) // KEEP3
	}
	for i := range e.rf[r] {
		s := &e.rf[r][i]
		s.rf = e.readsFrom(r, s.write, e.pos[r], e.low.need(r))
		some = append(some, s.rf)
	}
	e.s.AddClause(some...) // VAL1
}

// readsFrom returns a new literal rf(w, r) under VAL2, r standing at pos after all in low.
func (e *Encoding) readsFrom(r, w int32, pos solver.Node, low []int32) solver.Lit {
	l := e.s.NewVar()
	first := func(w int32) {
		e.s.AddClause(l.Not(), e.in[w])
		if !e.low.covers(low, w) {
			e.s.AddClause(l.Not(), e.s.Before(e.pos[w], pos))
		}
	}
	o := e.own[r]
	if w != initially && w != o { // TSO4: one's own store need not be in memory
		first(w)
	}
	if o >= 0 && w != o { // TSO5
		first(o)
	}
	if w != initially && e.keep != nil {
		for _, r := range e.writes[w] { // KEEP2
			e.s.AddClause(l.Not(), e.keepOf(r))
		}
	}
	return l
}

// sources returns the writes to r's location, and initially, that offer what g wants and could be the last before r
// by MHB1, OBS1 and OBS2 alone.
func (m *model) sources(v *variable, r int32, g goal) []int32 {
	var out []int32
	if o := m.own[r]; o >= 0 && m.at(o).Kind == event.Store { // it never comes to memory
		if !g.initial && m.at(o).Value == g.value {
			out = append(out, o)
		}
		return out
	}
	if !g.initial {
		for _, w := range v.byValue[g.value] {
			if m.possible(v, r, w) {
				out = append(out, w)
			}
		}
	}
	if (g.initial || v.initialKnown && v.initial == g.value) && m.possible(v, r, initially) {
		out = append(out, initially)
	}
	return out
}

// possible reports whether w could be the last write before r by MHB1, OBS1 and OBS2 alone.
func (m *model) possible(v *variable, r, w int32) bool {
	if ok, sure := m.ownPossible(r, w); sure {
		return ok
	}
	if w != initially && m.precedes(r, w) {
		return false
	}
	for th, k := range m.nodes[r].clock {
		// The last write of a thread that must precede r hides all that must precede itself.
		h := v.lastWrite(m, th, k)
		if h >= 0 && h != w && (w == initially || m.precedes(w, h)) {
			return false
		}
	}
	return true
}
