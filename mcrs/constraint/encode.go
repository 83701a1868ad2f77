package constraint

import (
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
	s      *solver.CDCL
	in     []solver.Lit    // by node
	pos    []solver.Node   // by node
	nodeAt []int32         // by solver.Node; a ghost r* is ^r
	rf     [][]source      // by node: the sources that VAL1 allows a free read
	ghost  map[int32]ghost // by node of the read
	asked  map[goal]*question
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
}

// Stats count the work of an Encoding.
type Stats struct {
	Questions int
	Lazy      int // instances of LOCK1 and VAL3 that candidates broke
	Solver    solver.Stats
}

// Encode builds the formula of t.
func Encode(t *trace.Trace) *Encoding {
	e := &Encoding{
		model: newModel(t),
		s:     solver.New(),
		ghost: make(map[int32]ghost),
		asked: make(map[goal]*question),
	}
	e.Fixed = e.model.fixed
	e.rf = make([][]source, len(e.nodes))
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
	for i := range e.vars {
		if v := &e.vars[i]; v.shared {
			for _, r := range v.reads {
				e.validate(v, r)
			}
		}
	}
	return e
}

// Stats returns the work done so far.
func (e *Encoding) Stats() Stats {
	e.stats.Solver = e.s.Stats()
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

// validate states VAL1 and VAL2 of the free read r.
func (e *Encoding) validate(v *variable, r int32) {
	some := []solver.Lit{e.in[r].Not()}
	for _, w := range e.sources(v, r, e.at(r).Value) {
		l := e.readsFrom(w, e.pos[r])
		e.rf[r] = append(e.rf[r], source{w, l})
		some = append(some, l)
	}
	e.s.AddClause(some...) // VAL1
}

// readsFrom returns a new literal rf(w, r), r standing at pos, under VAL2.
func (e *Encoding) readsFrom(w int32, pos solver.Node) solver.Lit {
	l := e.s.NewVar()
	if w != initially {
		e.s.AddClause(l.Not(), e.in[w])
		e.s.AddClause(l.Not(), e.s.Before(e.pos[w], pos))
	}
	return l
}

// sources returns the writes of value to r's location that r may read from.
func (m *model) sources(v *variable, r int32, value uint64) []int32 {
	var out []int32
	for _, w := range m.possible(v, r) {
		if w == initially && v.initialKnown && v.initial == value || w != initially && m.at(w).Value == value {
			out = append(out, w)
		}
	}
	return out
}

// possible returns the writes to r's location, and initially, that could be
// the last before r by MHB1, OBS1 and OBS2 alone.
func (m *model) possible(v *variable, r int32) []int32 {
	// By thread, the last write that must precede r: it hides all that must precede itself.
	hiding := make(map[int32]int32)
	for _, w := range v.writes {
		if m.precedes(w, r) {
			hiding[m.at(w).Thread] = w
		}
	}
	var out []int32
	if len(hiding) == 0 {
		out = append(out, initially)
	}
writes:
	for _, w := range v.writes {
		if m.precedes(r, w) {
			continue
		}
		for _, h := range hiding {
			if h != w && m.precedes(w, h) {
				continue writes
			}
		}
		out = append(out, w)
	}
	return out
}
