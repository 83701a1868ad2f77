package sdg

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A Mode is a set of options.
type Mode uint8

const (
	// ImplicitExits counts as a branch each instruction after which control may not go on (FLOW4).
	ImplicitExits Mode = 1 << iota
)

// A Kind is a kind of edge; Kinds are their set.
type Kind uint8

const (
	Control Kind = 1 << iota // From decides whether To executes
	Data                     // To uses the result of From
	Gate                     // From decides which edge of the phi To is taken

	All = Control | Data | Gate
)

func (k Kind) String() string {
	switch k {
	case Control:
		return "control"
	case Data:
		return "data"
	case Gate:
		return "gate"
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// A NodeID is an index in Procedure.Nodes.
type NodeID int32

const entryNode NodeID = 0

// A Node is an instruction, a parameter or free variable, or (neither) the entry.
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
	In    [][]Edge
	Out   [][]Edge

	ids   map[any]NodeID // by instruction or parameter
	edges map[Edge]bool  // while it is built
}

// New returns the graph of fn. One without a body has no instructions.
func New(fn *ssa.Function, mode Mode) *Procedure {
	p := &Procedure{Func: fn, ids: make(map[any]NodeID), edges: make(map[Edge]bool)}
	p.Nodes = append(p.Nodes, Node{})
	for _, v := range fn.Params {
		p.addNode(v, Node{Param: v})
	}
	for _, v := range fn.FreeVars {
		p.addNode(v, Node{Param: v})
	}
	for _, b := range fn.Blocks {
		for i, instr := range b.Instrs {
			if _, ok := instr.(*ssa.DebugRef); !ok {
				p.addNode(instr, Node{Instr: instr, index: i})
			}
		}
	}
	p.In, p.Out = make([][]Edge, len(p.Nodes)), make([][]Edge, len(p.Nodes))
	if len(fn.Blocks) > 0 {
		f := newFlow(fn, mode)
		by := f.controllers()
		p.addControl(f, by)
		p.addData()
		for _, b := range fn.Blocks {
			p.addGates(f, by, b)
		}
	}
	p.edges = nil
	return p
}

func (p *Procedure) addNode(key any, n Node) {
	p.ids[key] = NodeID(len(p.Nodes))
	p.Nodes = append(p.Nodes, n)
}

func (p *Procedure) addEdge(e Edge) {
	if p.edges[e] {
		return
	}
	p.edges[e] = true
	p.Out[e.From] = append(p.Out[e.From], e)
	p.In[e.To] = append(p.In[e.To], e)
}

// Node returns the node of an instruction, parameter or free variable of the function.
func (p *Procedure) Node(x any) (NodeID, bool) {
	id, ok := p.ids[x]
	return id, ok
}

// addData adds the Data edges: rules DATA1 and DATA2.
func (p *Procedure) addData() {
	var defers []NodeID
	var buf []*ssa.Value
	for id := range p.Nodes {
		to, instr := NodeID(id), p.Nodes[id].Instr
		if instr == nil {
			continue
		}
		buf = instr.Operands(buf[:0])
		for _, v := range buf {
			if from, ok := p.ids[*v]; *v != nil && ok {
				p.addEdge(Edge{From: from, To: to, Kind: Data})
			}
		}
		if _, ok := instr.(*ssa.Defer); ok {
			defers = append(defers, to)
		}
	}
	for id := range p.Nodes {
		if _, ok := p.Nodes[id].Instr.(*ssa.RunDefers); ok {
			for _, d := range defers {
				p.addEdge(Edge{From: d, To: NodeID(id), Kind: Data})
			}
		}
	}
}

// Backward returns what the nodes of from depend on along edges of kinds, with
// them, in ascending order.
func (p *Procedure) Backward(kinds Kind, from ...NodeID) []NodeID {
	return slice(from, func(n NodeID, visit func(NodeID)) {
		for _, e := range p.In[n] {
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
		for _, e := range p.Out[n] {
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
