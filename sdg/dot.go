package sdg

import (
	"bufio"
	"fmt"
	"io"

	"golang.org/x/tools/go/ssa"
)

// Label returns a short text for n: "entry", a parameter's name, or the
// instruction with its block.
func (p *Procedure) Label(n NodeID) string {
	x := p.Nodes[n]
	if x.Param != nil {
		return x.Param.Name()
	}
	if x.Instr == nil {
		if n > entryNode {
			return fmt.Sprintf("parameter %d", n-1)
		}
		return "entry"
	}
	text := x.Instr.String()
	if v, ok := x.Instr.(ssa.Value); ok && v.Name() != "" {
		text = v.Name() + " = " + text
	}
	return fmt.Sprintf("%d: %s", x.Instr.Block().Index, text)
}

// WriteDOT writes the graph for Graphviz: control edges bold, with their side on those of
// an If, gates dashed. The same function gives the same bytes.
func (p *Procedure) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph %q {\n\tnode [shape=box, fontname=monospace];\n", p.Func.String())
	for n := range p.Nodes {
		fmt.Fprintf(b, "\tn%d [label=%q];\n", n, p.Label(NodeID(n)))
	}
	for n := range p.Nodes {
		for _, e := range p.Out(NodeID(n)) {
			attr := ""
			switch e.Kind {
			case Control:
				attr = " [style=bold]"
				if _, ok := p.Nodes[e.From].Instr.(*ssa.If); ok && e.Side < 2 {
					attr = fmt.Sprintf(" [style=bold, label=%q]", [...]string{"true", "false"}[e.Side])
				}
			case Gate:
				attr = " [style=dashed]"
			}
			fmt.Fprintf(b, "\tn%d -> n%d%s;\n", e.From, e.To, attr)
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

// Label returns a short text for n, unique in its function but for arguments and outcomes of calls.
func (s *System) Label(n NodeID) string {
	if x := s.extraOf(n); x != nil {
		results := s.Procedures[x.proc].Func.Signature.Results().Len()
		if call, ok := x.call.(ssa.CallInstruction); ok {
			results = call.Common().Signature().Results().Len()
			if x.kind == actualIn {
				return fmt.Sprintf("argument %d of %s", x.index, callText(call))
			}
		}
		what := fmt.Sprintf("result %d", x.index)
		if int(x.index) == results {
			what = "return"
		}
		if x.call != nil {
			return fmt.Sprintf("%s of %s", what, callText(x.call.(ssa.CallInstruction)))
		}
		return what
	}
	if k, id := s.procedureOf(n); k >= 0 {
		return s.Procedures[k].Label(id)
	}
	return "memory: " + s.mem.name(hub(n-s.hubs))
}

func callText(call ssa.CallInstruction) string {
	if v, ok := call.(ssa.Value); ok {
		return v.Name() + " = " + call.String()
	}
	return call.String()
}
