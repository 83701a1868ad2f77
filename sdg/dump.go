package sdg

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
)

// This file writes a part of a System for other programs: as DOT for Graphviz, and as JSON.

// A View is the part of a System that is shown: the nodes for which Keep holds, and the edges between them.
type View struct {
	System *System
	Keep   func(NodeID) bool
	// Pos gives positions of instructions and parameters for people; nil leaves them out.
	Pos func(n NodeID) token.Position
}

var dotStyle = map[Kind]string{
	Control: "style=bold", Data: "", Gate: "style=dashed", Call: `color=blue, label="call"`, ParamIn: "color=blue", ParamOut: "color=darkgreen",
	Summary: "color=gray, style=bold", SummaryValue: "color=gray", Memory: "color=brown",
}

// nodes returns the nodes that are shown, by function; those of memory come last, under -1.
func (v View) nodes() (order []int, by map[int][]NodeID) {
	by = make(map[int][]NodeID)
	for n := range v.System.nodes {
		id := NodeID(n)
		if !v.Keep(id) {
			continue
		}
		k := v.System.functionOf(id)
		if by[k] == nil && k >= 0 {
			order = append(order, k)
		}
		by[k] = append(by[k], id)
	}
	if by[-1] != nil {
		order = append(order, -1)
	}
	return order, by
}

// functionOf returns the number of the procedure that a node belongs to, -1 of memory.
func (s *System) functionOf(n NodeID) int {
	if x := s.extraOf(n); x != nil {
		return int(x.proc)
	}
	k, _ := s.procedureOf(n)
	return k
}

// WriteDOT writes the view for Graphviz, a box around each function. The same view gives the same bytes.
func (v View) WriteDOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, "digraph sdg {\n\tnode [shape=box, fontname=monospace];\n")
	order, by := v.nodes()
	for _, k := range order {
		indent := "\t"
		if k >= 0 {
			fmt.Fprintf(b, "\tsubgraph cluster%d {\n\t\tlabel=%q;\n", k, v.System.Procedures[k].Func.String())
			indent = "\t\t"
		}
		for _, n := range by[k] {
			shape := ""
			if k < 0 {
				shape = ", shape=ellipse"
			}
			fmt.Fprintf(b, "%sn%d [label=%q%s];\n", indent, n, v.System.Label(n)+v.place(n, "\n"), shape)
		}
		if k >= 0 {
			fmt.Fprint(b, "\t}\n")
		}
	}
	for _, k := range order {
		for _, n := range by[k] {
			for _, e := range v.System.Out(n) {
				if v.Keep(e.To) {
					attr := dotStyle[e.Kind]
					if attr != "" {
						attr = " [" + attr + "]"
					}
					fmt.Fprintf(b, "\tn%d -> n%d%s;\n", e.From, e.To, attr)
				}
			}
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

func (v View) place(n NodeID, before string) string {
	if v.Pos == nil {
		return ""
	}
	if pos := v.Pos(n); pos.IsValid() {
		return before + pos.String()
	}
	return ""
}

type jsonGraph struct {
	Nodes []jsonNode `json:"nodes"`
	Edges []jsonEdge `json:"edges"`
}

type jsonNode struct {
	ID       NodeID `json:"id"`
	Function string `json:"function,omitempty"` // none of memory
	Label    string `json:"label"`
	Posn     string `json:"posn,omitempty"`
}

type jsonEdge struct {
	From NodeID `json:"from"`
	To   NodeID `json:"to"`
	Kind string `json:"kind"`
}

// WriteJSON writes the view as one object with "nodes" (id, function, label, posn) and "edges" (from, to, kind).
func (v View) WriteJSON(w io.Writer) error {
	g := jsonGraph{Nodes: []jsonNode{}, Edges: []jsonEdge{}}
	order, by := v.nodes()
	for _, k := range order {
		name := ""
		if k >= 0 {
			name = v.System.Procedures[k].Func.String()
		}
		for _, n := range by[k] {
			g.Nodes = append(g.Nodes, jsonNode{n, name, v.System.Label(n), v.place(n, "")})
			for _, e := range v.System.Out(n) {
				if v.Keep(e.To) {
					g.Edges = append(g.Edges, jsonEdge{e.From, e.To, e.Kind.String()})
				}
			}
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", " ")
	return enc.Encode(g)
}
