package sdg

import (
	"fmt"
	"go/types"
	"math/bits"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Mode is a set of options.
type Mode uint8

const (
	// ImplicitExits counts as a branch each instruction after which control may not go on (CFG4).
	ImplicitExits Mode = 1 << iota
)

// A Kind is a kind of edge; Kinds are their set.
type Kind uint16

// The kinds of edges in the graph of a procedure.
const (
	Control Kind = 1 << iota // From decides whether To executes
	Data                     // To uses the result of From
	Gate                     // From decides which edge of the phi To is taken, or which of several results is returned

	All = Control | Data | Gate
)

// The kinds that only a System has.
const (
	Call         Kind = 1 << (3 + iota) // the call From enters the function To
	ParamIn                             // the argument From is the parameter To
	ParamOut                            // the outcome From of a function is the outcome To of a call
	Summary                             // the outcome To of a call depends on its argument From
	SummaryValue                        // its value does, where the call returns
	Memory                              // To may read what From wrote; one of them is a class of memory
)

var kindNames = []string{"control", "data", "gate", "call", "param-in", "param-out", "summary", "summary-value", "memory"}

func (k Kind) String() string {
	if k != 0 && k&(k-1) == 0 && bits.TrailingZeros16(uint16(k)) < len(kindNames) {
		return kindNames[bits.TrailingZeros16(uint16(k))]
	}
	return fmt.Sprintf("Kind(%d)", uint16(k))
}

// A NodeID is an index in Procedure.Nodes.
type NodeID int32

const entryNode NodeID = 0

// A Node is an instruction, a parameter or a free variable. If it is none of these, it is the entry or a parameter of a
// function without a body.
type Node struct {
	Instr ssa.Instruction
	Param ssa.Value // *ssa.Parameter or *ssa.FreeVar
	index int       // of Instr in its block
}

// An Edge says that To depends on From.
type Edge struct {
	From, To NodeID
	Kind     Kind
	// Side of a Control edge: the successor of From's block under which To
	// executes (of an If: 0 true, 1 false). One past the last stands for a way out that the
	// source does not show.
	Side int8
}

// A Procedure is the dependence graph of one function.
// It is not modified after New returned it.
type Procedure struct {
	Func  *ssa.Function
	Nodes []Node // the entry, parameters, free variables, then instructions in the function's order

	params  int                  // the nodes after the entry that are parameters, the receiver first
	returns []NodeID             // what decides whether the function returns
	ids     map[ssa.Value]NodeID // parameters, free variables, and instructions that have a value
	blockAt []NodeID             // by block index: its first instruction
	in, out adjacency
}

// newOpaque returns the graph of a function whose body is not looked at.
func newOpaque(fn *ssa.Function) *Procedure { return newProcedure(fn, nil, 0) }

// New returns the graph of fn. One without a body has no instructions.
func New(fn *ssa.Function, mode Mode) *Procedure { return newProcedure(fn, fn.Blocks, mode) }

func newProcedure(fn *ssa.Function, blocks []*ssa.BasicBlock, mode Mode) *Procedure {
	n := 1 + len(fn.Params) + len(fn.FreeVars)
	for _, b := range blocks {
		n += len(b.Instrs)
	}
	p := &Procedure{Func: fn, Nodes: make([]Node, 1, n), ids: make(map[ssa.Value]NodeID, n), blockAt: make([]NodeID, len(blocks))}
	for _, v := range fn.Params {
		p.ids[v] = NodeID(len(p.Nodes))
		p.Nodes = append(p.Nodes, Node{Param: v})
	}
	if len(fn.Params) == 0 { // of a function of which only the type is known, go/ssa makes none
		p.Nodes = append(p.Nodes, make([]Node, len(parameterTypes(fn)))...)
	}
	p.params = len(p.Nodes) - 1
	for _, v := range fn.FreeVars {
		p.ids[v] = NodeID(len(p.Nodes))
		p.Nodes = append(p.Nodes, Node{Param: v})
	}
	for _, b := range blocks {
		p.blockAt[b.Index] = NodeID(len(p.Nodes))
		for i, instr := range b.Instrs {
			if _, ok := instr.(*ssa.DebugRef); ok {
				continue
			}
			if v, ok := instr.(ssa.Value); ok {
				p.ids[v] = NodeID(len(p.Nodes))
			}
			p.Nodes = append(p.Nodes, Node{Instr: instr, index: i})
		}
	}
	var edges []Edge
	if len(blocks) > 0 {
		f := newFlow(fn, mode)
		f.locate(p.Nodes)
		by := f.controllers()
		edges = make([]Edge, 0, 3*len(p.Nodes))
		edges = p.addControl(edges, f, by)
		edges = p.addData(edges)
		p.returns = p.deciders(f, by[returnPart])
		for _, b := range blocks {
			edges = p.addGates(edges, f, by, b)
		}
	}
	p.in = newAdjacency(len(p.Nodes), edges, func(e Edge) NodeID { return e.To })
	p.out = newAdjacency(len(p.Nodes), edges, func(e Edge) NodeID { return e.From })
	return p
}

// parameterTypes returns the types of fn's receiver and parameters.
func parameterTypes(fn *ssa.Function) (out []types.Type) {
	if r := fn.Signature.Recv(); r != nil {
		out = append(out, r.Type())
	}
	for v := range fn.Signature.Params().Variables() {
		out = append(out, v.Type())
	}
	return out
}

// hasBody reports whether the graph has the function's instructions.
func (p *Procedure) hasBody() bool { return len(p.blockAt) > 0 }

// In returns the edges to n, Out those from it. The caller must not modify them.
func (p *Procedure) In(n NodeID) []Edge  { return p.in.of(n) }
func (p *Procedure) Out(n NodeID) []Edge { return p.out.of(n) }

// An adjacency lists the edges at each node: those of node n are edges[start[n]:start[n+1]].
type adjacency struct {
	start []int32
	edges []Edge
}

// newAdjacency sorts edges by the node that end names; those of one node keep their order.
func newAdjacency(nodes int, edges []Edge, end func(Edge) NodeID) adjacency {
	a := adjacency{make([]int32, nodes+2), make([]Edge, len(edges))}
	for _, e := range edges {
		a.start[end(e)+2]++
	}
	for n := 2; n < len(a.start); n++ {
		a.start[n] += a.start[n-1]
	}
	for _, e := range edges { // start[n+1] runs from where node n's edges begin to where they end
		at := &a.start[end(e)+1]
		a.edges[*at] = e
		*at++
	}
	a.start = a.start[:nodes+1]
	return a
}

func (a adjacency) of(n NodeID) []Edge { return a.edges[a.start[n]:a.start[n+1]] }

// Node returns the node of an instruction, parameter or free variable of the function, or a [*NotFoundError].
func (p *Procedure) Node(x any) (NodeID, error) {
	if v, ok := x.(ssa.Value); ok {
		id, ok := p.ids[v]
		if !ok {
			return 0, &NotFoundError{x}
		}
		return id, nil
	}
	instr, ok := x.(ssa.Instruction)
	if !ok || instr.Parent() != p.Func {
		return 0, &NotFoundError{x}
	}
	for id := p.blockAt[instr.Block().Index]; int(id) < len(p.Nodes); id++ {
		if p.Nodes[id].Instr == instr {
			return id, nil
		}
	}
	return 0, &NotFoundError{x}
}

// addData adds the Data edges: rules DATA1 and DATA2.
func (p *Procedure) addData(edges []Edge) []Edge {
	var defers []NodeID
	var buf [16]*ssa.Value
	for id := range p.Nodes {
		to, instr := NodeID(id), p.Nodes[id].Instr
		if instr == nil {
			continue
		}
		first := len(edges)
	operands:
		for _, v := range instr.Operands(buf[:0]) {
			if *v == nil {
				continue
			}
			from, ok := p.ids[*v]
			if !ok {
				continue
			}
			for _, e := range edges[first:] {
				if e.From == from {
					continue operands
				}
			}
			edges = append(edges, Edge{From: from, To: to, Kind: Data})
		}
		if _, ok := instr.(*ssa.Defer); ok {
			defers = append(defers, to)
		}
	}
	for id := range p.Nodes {
		if _, ok := p.Nodes[id].Instr.(*ssa.RunDefers); ok {
			for _, d := range defers {
				edges = append(edges, Edge{From: d, To: NodeID(id), Kind: Data})
			}
		}
	}
	return edges
}

// Backward returns what the nodes of from depend on along edges of kinds, with
// them, in ascending order.
func (p *Procedure) Backward(kinds Kind, from ...NodeID) []NodeID {
	return slice(from, func(n NodeID, visit func(NodeID)) {
		for _, e := range p.In(n) {
			if e.Kind&kinds != 0 {
				visit(e.From)
			}
		}
	})
}

// Forward returns what depends on the nodes of from along edges of kinds, with
// them, in ascending order.
func (p *Procedure) Forward(kinds Kind, from ...NodeID) []NodeID {
	return slice(from, func(n NodeID, visit func(NodeID)) {
		for _, e := range p.Out(n) {
			if e.Kind&kinds != 0 {
				visit(e.To)
			}
		}
	})
}

func slice(from []NodeID, each func(NodeID, func(NodeID))) []NodeID {
	seen := make(map[NodeID]bool)
	var work, out []NodeID
	visit := func(n NodeID) {
		if !seen[n] {
			seen[n] = true
			work = append(work, n)
		}
	}
	for _, n := range from {
		visit(n)
	}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		out = append(out, n)
		each(n, visit)
	}
	slices.Sort(out)
	return out
}
