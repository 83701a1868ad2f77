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
