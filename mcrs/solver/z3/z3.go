// Package z3 is the Z3 theorem prover (de Moura and Bjørner, "Z3: An Efficient SMT Solver", TACAS 2008) behind the
// interface of package solver. It is a second opinion, and something to compare with. Nothing requires it.
//
// # Method
//
// The shared library is loaded when a solver is first made, without cgo. A node is an integer constant, and an order
// atom is a < b. Of each two nodes with an atom one is less. The simple solver is used: it is the quickest where
// clauses come as models break them.
//
// # Limits
//
// Built without cgo, and without the tag z3, the package only says that it cannot load libraries: such a program needs
// no C library. The answers are right, but which model Z3 finds may differ from one release to the next. So output made
// with it is exempt from the promise of equal bytes. Options.Branch is ignored. A Solver is not safe for concurrent
// use, and its memory is freed when it is collected.
package z3

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"

	"github.com/heddle-go/heddle/mcrs/solver"
)

// Solver is Z3 as a solver.Solver.
type Solver struct {
	z       *library
	ctx     uintptr
	solver  uintptr
	boolean uintptr // sorts
	integer uintptr

	pos, neg []uintptr // by literal
	node     []uintptr
	include  []solver.Lit
	atoms    map[[2]solver.Node]solver.Lit
	isAtom   []bool // by literal
	proxies  map[solver.Lit]uintptr
	version  int

	value []int8 // by literal: 0 unknown, else 1 false, 2 true; of the last model
	model uintptr
	order []solver.Node
	core  []solver.Lit
}

var _ solver.Solver = (*Solver)(nil)

// New loads Z3, and returns a solver of the empty formula. If the library is absent, the error says in one line what to
// do.
func New() (*Solver, error) {
	z, err := load()
	if err != nil {
		return nil, err
	}
	s := &Solver{z: z, pos: make([]uintptr, 1), neg: make([]uintptr, 1), isAtom: make([]bool, 1),
		atoms: make(map[[2]solver.Node]solver.Lit), proxies: make(map[solver.Lit]uintptr)}
	config := z.mkConfig()
	s.ctx = z.mkContext(config)
	z.delConfig(config)
	s.solver = z.mkSimpleSolver(s.ctx)
	z.solverIncRef(s.ctx, s.solver)
	s.boolean, s.integer = z.mkBoolSort(s.ctx), z.mkIntSort(s.ctx)
	runtime.AddCleanup(s, func(ctx uintptr) { z.delContext(ctx) }, s.ctx)
	return s, nil
}

func (s *Solver) literal(ast uintptr, isAtom bool) solver.Lit {
	s.pos = append(s.pos, ast)
	s.neg = append(s.neg, s.z.mkNot(s.ctx, ast))
	s.isAtom = append(s.isAtom, isAtom)
	return solver.Lit(len(s.pos) - 1)
}

func (s *Solver) constant(sort uintptr) uintptr {
	s.version++ // also makes the symbol's number a new one
	return s.z.mkConst(s.ctx, s.z.mkIntSymbol(s.ctx, int32(s.version)), sort)
}

func (s *Solver) ast(l solver.Lit) uintptr {
	if l < 0 {
		return s.neg[-l]
	}
	return s.pos[l]
}

// NewVar implements solver.Solver.
func (s *Solver) NewVar() solver.Lit { return s.literal(s.constant(s.boolean), false) }

// NewNode implements solver.Solver.
func (s *Solver) NewNode(in solver.Lit) solver.Node {
	s.node = append(s.node, s.constant(s.integer))
	s.include = append(s.include, in)
	return solver.Node(len(s.node) - 1)
}

// AddEdge implements solver.Solver.
func (s *Solver) AddEdge(a, b solver.Node) {
	s.assert(s.z.mkLt(s.ctx, s.node[a], s.node[b]))
}

// Before implements solver.Solver.
func (s *Solver) Before(a, b solver.Node) solver.Lit {
	if a > b {
		return s.Before(b, a).Not()
	}
	key := [2]solver.Node{a, b}
	l, ok := s.atoms[key]
	if ok {
		return l
	}
	if a == b {
		l = s.NewVar()
		s.AddClause(l.Not())
	} else {
		l = s.literal(s.z.mkLt(s.ctx, s.node[a], s.node[b]), true)
		s.assert(s.or([]uintptr{s.ast(l), s.z.mkLt(s.ctx, s.node[b], s.node[a])}))
	}
	s.atoms[key] = l
	return l
}

// AddClause implements solver.Solver.
func (s *Solver) AddClause(lits ...solver.Lit) {
	asts := make([]uintptr, len(lits))
	for i, l := range lits {
		asts[i] = s.ast(l)
	}
	s.assert(s.or(asts))
}

func (s *Solver) or(asts []uintptr) uintptr {
	return s.z.mkOr(s.ctx, uint32(len(asts)), asts)
}

func (s *Solver) assert(ast uintptr) {
	s.version++
	s.z.solverAssert(s.ctx, s.solver, ast)
}

// Solve implements solver.Solver.
func (s *Solver) Solve(o solver.Options, assumptions ...solver.Lit) solver.Status {
	s.core = nil
	limit := uint32(1<<32 - 1)
	if o.Limit > 0 {
		limit = uint32(o.Limit)
	}
	params := s.z.mkParams(s.ctx)
	s.z.paramsIncRef(s.ctx, params)
	s.z.paramsSetUint(s.ctx, params, s.z.mkStringSymbol(s.ctx, "max_conflicts"), limit)
	s.z.paramsSetBool(s.ctx, params, s.z.mkStringSymbol(s.ctx, "ctrl_c"), false) // else it handles SIGINT, and what it puts back then crashes a Go program
	s.z.solverSetParams(s.ctx, s.solver, params)
	s.z.paramsDecRef(s.ctx, params)
	assume := make([]uintptr, len(assumptions))
	for i, l := range assumptions {
		assume[i] = s.assumable(l)
	}
	for spent := 0; ; spent++ {
		if o.Limit > 0 && spent >= o.Limit {
			return solver.Unknown
		}
		switch s.z.solverCheckAssumptions(s.ctx, s.solver, uint32(len(assume)), assume) {
		case -1:
			s.readCore(assumptions, assume)
			return solver.Unsat
		case 0:
			s.check()
			return solver.Unknown
		}
		s.readModel()
		if o.Refine == nil {
			return solver.Sat
		}
		before := s.version
		o.Refine()
		if s.version == before {
			return solver.Sat
		}
	}
}

// assumable returns a constant, or its negation, for l: Z3 wants no atoms as assumptions.
func (s *Solver) assumable(l solver.Lit) uintptr {
	if !s.isAtom[max(l, -l)] {
		return s.ast(l)
	}
	p, ok := s.proxies[l]
	if !ok {
		p = s.constant(s.boolean)
		s.proxies[l] = p
		s.assert(s.or([]uintptr{s.z.mkNot(s.ctx, p), s.ast(l)}))
	}
	return p
}

// check panics if a call of the library went wrong: the calls of this package are at fault then.
func (s *Solver) check() {
	if code := s.z.getErrorCode(s.ctx); code != 0 {
		panic(fmt.Sprintf("z3: %s", s.z.getErrorMsg(s.ctx, code)))
	}
}

func (s *Solver) readCore(assumptions []solver.Lit, asts []uintptr) {
	core := s.z.solverGetUnsatCore(s.ctx, s.solver)
	s.check()
	s.z.astVectorIncRef(s.ctx, core)
	for i := range s.z.astVectorSize(s.ctx, core) {
		s.core = append(s.core, assumptions[slices.Index(asts, s.z.astVectorGet(s.ctx, core, i))])
	}
	s.z.astVectorDecRef(s.ctx, core)
	slices.Sort(s.core)
}

// readModel fetches the order; booleans are fetched when they are asked for.
func (s *Solver) readModel() {
	if s.model != 0 {
		s.z.modelDecRef(s.ctx, s.model)
	}
	s.model = s.z.solverGetModel(s.ctx, s.solver)
	s.check()
	s.z.modelIncRef(s.ctx, s.model)
	s.value = append(s.value[:0], make([]int8, len(s.pos))...)
	at := make([]int64, len(s.node))
	s.order = s.order[:0]
	for n, ast := range s.node {
		s.order = append(s.order, solver.Node(n))
		var number uintptr
		if !s.z.modelEval(s.ctx, s.model, ast, true, &number) || !s.z.getNumeralInt64(s.ctx, number, &at[n]) {
			panic("z3: a node has no place in the model")
		}
	}
	slices.SortStableFunc(s.order, func(a, b solver.Node) int { return cmp.Compare(at[a], at[b]) })
}

// Value implements solver.Solver.
func (s *Solver) Value(l solver.Lit) bool {
	x := max(l, -l)
	if int(x) >= len(s.value) {
		return l < 0
	}
	if s.value[x] == 0 {
		var is uintptr
		s.z.modelEval(s.ctx, s.model, s.pos[x], true, &is)
		s.value[x] = 1
		if s.z.getBoolValue(s.ctx, is) == 1 {
			s.value[x] = 2
		}
	}
	return (s.value[x] == 2) == (l > 0)
}

// Known implements solver.Solver.
func (s *Solver) Known(solver.Lit) bool { return true }

// Order implements solver.Solver.
func (s *Solver) Order(into []solver.Node) []solver.Node {
	for _, n := range s.order {
		if in := s.include[n]; in == 0 || s.Value(in) {
			into = append(into, n)
		}
	}
	return into
}

// Core implements solver.Solver.
func (s *Solver) Core() []solver.Lit { return slices.Clone(s.core) }
