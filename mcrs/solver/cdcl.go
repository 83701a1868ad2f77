package solver

import (
	"cmp"
	"slices"
)

// This file defines the solver's state and how formulas enter it; search.go has the
// loop, analyze.go what is learnt from conflicts, order.go the theory.

type value int8

const (
	unset value = iota
	isTrue
	isFalse
)

type clause struct {
	// Invariant: lits[0] and lits[1] are watched. If one is propagated by
	// the clause, it is lits[0] or there are two, and all others are false.
	lits   []Lit
	learnt bool
	levels int32 // learnt: number of decision levels among lits when it was learnt
	gone   bool  // to be taken off the watch lists
}

type watch struct {
	c       *clause
	blocker Lit  // some other literal of c; if true, c need not be looked at
	short   bool // c has no third literal
}

// A variable is a boolean, or an order atom "a before b".
type variable struct {
	isAtom bool
	a, b   Node
	level  int32
	reason *clause
	needed bool // in a clause that was not learnt: must have a value
	seen   bool // scratch of analyze
}

// Stats count the work of a solver since it was made.
type Stats struct {
	Conflicts, Decisions, Propagations, Restarts, Refined int64
	Learnt, Dropped, Satisfied                            int64 // clauses; Satisfied ones are dropped as always true
	Reorders                                              int64 // repairs of the topological order
}

// CDCL is the Solver of this package's doc. Make one with New.
type CDCL struct {
	vars    []variable // vars[0] is unused
	vals    []value    // by index(l)
	watches [][]watch  // by index(l): clauses to look at when l becomes false
	clauses []*clause
	learnts []*clause
	atoms   map[[2]Node]Lit

	trail    []Lit
	trailLim []int32 // length of the trail before each decision
	head     int     // trail[head:] is not propagated yet
	edges    []Lit   // atoms whose edges are in graph, in the order of their insertion
	edgeLim  []int32
	graph    orderGraph
	include  []Lit // by node

	heap   varHeap
	inc    float64 // what a bump adds to a variable's activity
	maxLrn int     // learnts above which some are dropped
	facts  int     // literals of level 0 when the formula was last tidied

	branching bool // Branch runs: Value and Order speak of the search
	// quiet says that the caller branches. Then nothing is popped off heap, and nothing need be pushed back.
	quiet bool

	dead    bool // the formula has no model
	version int64
	model   []bool
	order   []Node
	core    []Lit
	stats   Stats
}

var _ Solver = (*CDCL)(nil)

// New returns a solver of the empty formula.
func New() *CDCL {
	return &CDCL{
		vars:    make([]variable, 1),
		vals:    make([]value, 2),
		watches: make([][]watch, 2),
		atoms:   make(map[[2]Node]Lit),
		heap:    varHeap{act: make([]float64, 1), late: make([]bool, 1), where: []int32{-1}},
		inc:     1,
		maxLrn:  2000,
	}
}

func index(l Lit) int {
	if l < 0 {
		return int(-l)*2 + 1
	}
	return int(l) * 2
}

func (s *CDCL) varOf(l Lit) *variable { return &s.vars[max(l, -l)] }

func (s *CDCL) valueOf(l Lit) value { return s.vals[index(l)] }

func (s *CDCL) level() int { return len(s.trailLim) }

// NewVar implements Solver.
func (s *CDCL) NewVar() Lit { return s.newVariable(variable{}) }

func (s *CDCL) newVariable(v variable) Lit {
	l := Lit(len(s.vars))
	s.vars = append(s.vars, v)
	s.vals = append(s.vals, unset, unset)
	s.watches = append(s.watches, nil, nil)
	s.heap.add(int32(l), v.isAtom) // decide drops it if nothing needs it
	return l
}

// NewNode implements Solver.
func (s *CDCL) NewNode(in Lit) Node {
	s.include = append(s.include, in)
	return s.graph.newNode()
}

// Before implements Solver. A node is not before itself: then the literal is a fresh, false one.
func (s *CDCL) Before(a, b Node) Lit {
	if a > b {
		return s.Before(b, a).Not()
	}
	if l, ok := s.atoms[[2]Node{a, b}]; ok {
		return l
	}
	l := s.newVariable(variable{isAtom: a != b, a: a, b: b})
	s.atoms[[2]Node{a, b}] = l
	if a == b {
		s.AddClause(l.Not())
	}
	return l
}

// AddEdge implements Solver.
func (s *CDCL) AddEdge(a, b Node) {
	s.cancel(0)
	s.version++
	// Edges of level 0 are never removed, so static ones may stand above them.
	// Whatever is in a cycle with a → b is a fact: the formula has no model.
	if _, ok := s.graph.add(a, b, 0); !ok {
		s.dead = true
	}
}

// AddClause implements Solver. It may be called while Refine runs: then it undoes as
// many decisions as it takes to make the clause not false.
func (s *CDCL) AddClause(lits ...Lit) {
	s.version++
	lits, trivial := s.simplify(lits)
	switch {
	case trivial || s.dead:
	case len(lits) == 0:
		s.dead = true
	case len(lits) == 1:
		s.cancel(0)
		s.enqueue(lits[0], nil) // unset, or simplify had dealt with it
	default:
		c := &clause{lits: lits}
		s.clauses = append(s.clauses, c)
		for _, l := range lits {
			if v := s.varOf(l); !v.needed {
				v.needed = true
				s.heap.push(int32(max(l, -l)))
			}
		}
		s.attach(c)
		s.place(c)
	}
}

// simplify returns a sorted copy of lits without what level 0 and repetition make
// useless, the best two to watch first; trivial means that the clause is always true.
func (s *CDCL) simplify(lits []Lit) (out []Lit, trivial bool) {
	out = slices.Clone(lits)
	slices.SortFunc(out, func(a, b Lit) int { return cmp.Compare(index(a), index(b)) })
	out = slices.Compact(out)
	k := 0
	for i, l := range out {
		if i+1 < len(out) && out[i+1] == l.Not() {
			return nil, true
		}
		if v := s.valueOf(l); v != unset && s.varOf(l).level == 0 {
			if v == isTrue {
				return nil, true
			}
			continue
		}
		out[k] = l
		k++
	}
	out = out[:k]
	// Not false first, then by falling level: those watches are the last to become false.
	rank := func(l Lit) int {
		if s.valueOf(l) != isFalse {
			return -1 - s.level()
		}
		return -int(s.varOf(l).level)
	}
	slices.SortStableFunc(out, func(a, b Lit) int { return cmp.Compare(rank(a), rank(b)) })
	return out, false
}

// place undoes decisions until c is not false, and propagates its literal if one is left.
func (s *CDCL) place(c *clause) {
	first, second := c.lits[0], c.lits[1]
	if s.valueOf(second) != isFalse {
		return
	}
	low := int(s.varOf(second).level)
	switch s.valueOf(first) {
	case isTrue:
		if int(s.varOf(first).level) <= low {
			return
		}
	case isFalse:
		if int(s.varOf(first).level) == low {
			s.cancel(low - 1) // neither is false now
			return
		}
	}
	s.cancel(low)
	s.enqueue(first, c)
}

func (s *CDCL) attach(c *clause) {
	short := len(c.lits) == 2
	s.watches[index(c.lits[0])] = append(s.watches[index(c.lits[0])], watch{c, c.lits[1], short})
	s.watches[index(c.lits[1])] = append(s.watches[index(c.lits[1])], watch{c, c.lits[0], short})
}

// Value implements Solver.
func (s *CDCL) Value(l Lit) bool {
	if s.branching {
		return s.current(l)
	}
	v := int(max(l, -l))
	return (v < len(s.model) && s.model[v]) == (l > 0)
}

// current is the value of l in the search: a variable without one counts as the phase that deciding it would have.
func (s *CDCL) current(l Lit) bool {
	x := s.valueOf(l)
	if v := s.varOf(l); x == unset && v.isAtom {
		return (s.graph.pos[v.a] < s.graph.pos[v.b]) == (l > 0)
	} else if x == unset {
		return l < 0
	}
	return x == isTrue
}

// Known implements Solver.
func (s *CDCL) Known(l Lit) bool { return s.valueOf(l) != unset }

// Order implements Solver.
func (s *CDCL) Order(into []Node) []Node {
	if s.branching {
		for _, n := range s.graph.at {
			if in := s.include[n]; in == 0 || s.valueOf(in) == isTrue {
				into = append(into, n)
			}
		}
		return into
	}
	for _, n := range s.order {
		if in := s.include[n]; in == 0 || s.Value(in) {
			into = append(into, n)
		}
	}
	return into
}

// Core implements Solver.
func (s *CDCL) Core() []Lit { return slices.Clone(s.core) }

// Stats returns what the solver has done so far.
func (s *CDCL) Stats() Stats {
	s.stats.Reorders = s.graph.reorders
	return s.stats
}
