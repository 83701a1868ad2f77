package sdg

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/tools/go/ssa"
)

// This file joins the graphs of procedures: rules CALL1 to CALL6.

// A Config says what a System is built of.
type Config struct {
	// Roots are where execution starts. They and all they reach must be built.
	Roots []*ssa.Function

	// Body returns the function that runs when fn is called, fn itself unless fn has no body and the linker
	// supplies another. Nil is the identity.
	Body func(fn *ssa.Function) *ssa.Function

	// Reading is held while package ssa is asked for methods. Nil says that nobody adds packages to it meanwhile.
	Reading sync.Locker

	// Open says that the roots are but a part of a program: what a call of an interface or of a function value
	// may call is not known, and generic functions are not instantiated.
	Open bool

	// Effects says what is known of a function without a body. Nil knows nothing.
	Effects func(fn *ssa.Function) (Effect, bool)

	Mode Mode
}

// A System is the dependence graph of a closed program. It is not modified after NewSystem returned
// it, and may be used by several goroutines.
type System struct {
	Procedures []*Procedure // sorted by package, name and position

	base    []NodeID // by procedure: its first node
	number  map[*ssa.Function]int32
	extras  []extra // the nodes after those of the procedures
	mem     *memory
	hubs    NodeID // the first node of a hub
	nodes   int
	in, out adjacency
	sites   []site
	copied  map[*ssa.Call]NodeID // by call of append or copy: its outcome (CALL7)
	results []NodeID             // by procedure: its first formal-out node
	callees map[ssa.CallInstruction][]*ssa.Function
}

// An extra is a node that is no node of a procedure: an argument or an outcome of a call, or an outcome of a function.
type extra struct {
	proc  int32
	kind  extraKind
	index int32           // of the argument or result; of the outcome that control returns, the number of results
	call  ssa.Instruction // of an argument or outcome of a call
}

type extraKind uint8

const (
	actualIn  extraKind = iota // an argument of a call
	actualOut                  // a result of a call, or that it returned
	formalOut                  // a result of a function, or that it returns
)

// A site is a call: where control goes, and what is passed. That of a deferred function is the RunDefers that runs
// it (its arguments stand at the Defer).
type site struct {
	proc    int32
	instr   ssa.CallInstruction // the Defer, if call is a RunDefers
	call    NodeID
	args    []NodeID // actual-in nodes
	outs    []NodeID // actual-out nodes: results, then that it returned; empty for go
	callees []int32
	unknown bool // it may call what the graph does not have
}

// NewSystem returns the graph of the program that starts at the roots.
func NewSystem(cfg Config) *System {
	body := cfg.Body
	if body == nil {
		body = func(fn *ssa.Function) *ssa.Function { return fn }
	}
	reading := cfg.Reading
	if reading == nil {
		reading = new(sync.Mutex)
	}
	calls := newCallGraph(cfg.Roots, body, reading)
	s := &System{
		Procedures: make([]*Procedure, len(calls.funcs)), number: make(map[*ssa.Function]int32, len(calls.funcs)),
		callees: calls.callees, mem: newMemory(), copied: make(map[*ssa.Call]NodeID),
	}
	for i, fn := range calls.funcs {
		s.number[fn] = int32(i)
	}
	inParallel(len(calls.funcs), func(i int) {
		if fn := calls.funcs[i]; isGeneric(fn) {
			s.Procedures[i] = newOpaque(fn)
		} else {
			s.Procedures[i] = New(fn, cfg.Mode)
		}
	})
	for _, p := range s.Procedures {
		s.base = append(s.base, NodeID(s.nodes))
		s.nodes += len(p.Nodes)
	}
	b := &systemBuilder{System: s, mode: cfg.Mode, open: cfg.Open, effects: cfg.Effects}
	if b.effects == nil {
		b.effects = func(*ssa.Function) (Effect, bool) { return Effect{}, false }
	}
	b.build()
	return s
}

// isGeneric reports whether fn's code has type parameters. Its types are not known, so it is taken for a function
// without a body.
func isGeneric(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.TypeParams().Len() > len(fn.TypeArgs())
}

// inParallel calls f(0), …, f(n-1) on all cores.
func inParallel(n int, f func(i int)) {
	var wg sync.WaitGroup
	var next atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				f(i)
			}
		})
	}
	wg.Wait()
}

// A NotFoundError says that the graph has no node for X.
type NotFoundError struct{ X any }

func (e *NotFoundError) Error() string {
	switch x := e.X.(type) {
	case ssa.Instruction:
		return fmt.Sprintf("sdg: %v of %v is not in the graph", x, x.Parent())
	case *ssa.Parameter, *ssa.FreeVar:
		return fmt.Sprintf("sdg: %v of %v is not in the graph", x, x.(ssa.Value).Parent())
	}
	return fmt.Sprintf("sdg: %v (%T) is no instruction, parameter or free variable", e.X, e.X)
}

// Node returns the node of an instruction, parameter or free variable, or a [*NotFoundError]. The node of a call is the
// call itself; see [System.Results].
func (s *System) Node(x any) (NodeID, error) {
	var fn *ssa.Function
	switch x := x.(type) {
	case ssa.Instruction:
		fn = x.Parent()
	case *ssa.Parameter:
		fn = x.Parent()
	case *ssa.FreeVar:
		fn = x.Parent()
	}
	i, ok := s.number[fn]
	if !ok {
		return 0, &NotFoundError{x}
	}
	id, err := s.Procedures[i].Node(x)
	return s.base[i] + id, err
}

// Outcomes returns the nodes of what a function yields: its results, then that it returns. Of a function that is
// not in the graph there are none.
func (s *System) Outcomes(fn *ssa.Function) []NodeID {
	i, ok := s.number[fn]
	if !ok {
		return nil
	}
	out := make([]NodeID, outcomes(fn.Signature))
	for k := range out {
		out[k] = s.results[i] + NodeID(k)
	}
	return out
}

// Results returns the nodes of what comes of a call: its results, then that it returned. For append and copy it is the
// result, for other builtin functions the call itself.
func (s *System) Results(call *ssa.Call) (out []NodeID) {
	if n, ok := s.copied[call]; ok {
		return []NodeID{n}
	}
	at, err := s.Node(call)
	if err != nil {
		return nil
	}
	for _, e := range s.Out(at) {
		if x := s.extraOf(e.To); x != nil && x.kind == actualOut && x.call == ssa.Instruction(call) && e.Kind == Control {
			out = append(out, e.To)
		}
	}
	if len(out) == 0 {
		out = append(out, at)
	}
	return out
}

// Len returns the number of nodes; they are 0, …, Len()-1.
func (s *System) Len() int { return s.nodes }

// Edges returns the number of edges of each kind.
func (s *System) Edges() map[Kind]int {
	n := make(map[Kind]int)
	for _, e := range s.in.edges {
		n[e.Kind]++
	}
	return n
}

// In returns the edges to n, Out those from it. The caller must not modify them.
func (s *System) In(n NodeID) []Edge  { return s.in.of(n) }
func (s *System) Out(n NodeID) []Edge { return s.out.of(n) }

// Instr returns the instruction of n, that of the call if n is an argument or outcome of one, or nil.
func (s *System) Instr(n NodeID) ssa.Instruction {
	if i := s.extraOf(n); i != nil {
		return i.call
	}
	if k, id := s.procedureOf(n); k >= 0 {
		return s.Procedures[k].Nodes[id].Instr
	}
	return nil
}

// Function returns the function that n belongs to, or nil for a class of memory.
func (s *System) Function(n NodeID) *ssa.Function {
	if k := s.functionOf(n); k >= 0 {
		return s.Procedures[k].Func
	}
	return nil
}

// Param returns the parameter or free variable that n is, or nil.
func (s *System) Param(n NodeID) ssa.Value {
	if k, id := s.procedureOf(n); k >= 0 {
		return s.Procedures[k].Nodes[id].Param
	}
	return nil
}

func (s *System) extraOf(n NodeID) *extra {
	if first := s.firstExtra(); n >= first && n < s.hubs {
		return &s.extras[n-first]
	}
	return nil
}

// firstExtra returns the number of nodes of the procedures.
func (s *System) firstExtra() NodeID {
	last := len(s.base) - 1
	if last < 0 {
		return 0
	}
	return s.base[last] + NodeID(len(s.Procedures[last].Nodes))
}

// procedureOf returns the procedure of a node and the node's number there, or -1.
func (s *System) procedureOf(n NodeID) (k int, id NodeID) {
	if len(s.base) == 0 || n >= s.firstExtra() {
		return -1, 0
	}
	k, found := slices.BinarySearch(s.base, n)
	if !found {
		k--
	}
	return k, n - s.base[k]
}

// parameter returns the procedure and the number of the parameter that a node is, or -1.
func (s *System) parameter(n NodeID) (k int32, j int) {
	p, id := s.procedureOf(n)
	if p < 0 || id == entryNode || int(id) > s.Procedures[p].params {
		return -1, 0
	}
	return int32(p), int(id) - 1
}
