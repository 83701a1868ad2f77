package solver

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// A Formula records what it is told, and writes it as SMT-LIB text; it solves nothing.
type Formula struct {
	bools   []Lit
	nodes   int
	edges   [][2]Node
	atoms   map[[2]Node]Lit
	ends    map[Lit][2]Node
	last    Lit
	clauses [][]Lit
}

var _ Solver = (*Formula)(nil)

// NewVar implements Solver.
func (f *Formula) NewVar() Lit {
	f.last++
	f.bools = append(f.bools, f.last)
	return f.last
}

// NewNode implements Solver.
func (f *Formula) NewNode(Lit) Node {
	f.nodes++
	return Node(f.nodes - 1)
}

// AddEdge implements Solver.
func (f *Formula) AddEdge(a, b Node) { f.edges = append(f.edges, [2]Node{a, b}) }

// Before implements Solver.
func (f *Formula) Before(a, b Node) Lit {
	if a > b {
		return f.Before(b, a).Not()
	}
	k := [2]Node{a, b}
	if l, ok := f.atoms[k]; ok {
		return l
	}
	if f.atoms == nil {
		f.atoms, f.ends = make(map[[2]Node]Lit), make(map[Lit][2]Node)
	}
	f.last++
	f.atoms[k], f.ends[f.last] = f.last, k
	return f.last
}

// AddClause implements Solver.
func (f *Formula) AddClause(lits ...Lit) { f.clauses = append(f.clauses, slices.Clone(lits)) }

// Solve implements Solver: the answer is Unknown.
func (f *Formula) Solve(Options, ...Lit) Status { return Unknown }

// Value implements Solver.
func (f *Formula) Value(Lit) bool { return false }

// Known implements Solver.
func (f *Formula) Known(Lit) bool { return false }

// Order implements Solver.
func (f *Formula) Order(into []Node) []Node { return into }

// Core implements Solver.
func (f *Formula) Core() []Lit { return nil }

// Names are what a formula's text calls things; nil, or a result of "", means a number.
type Names struct {
	Var  func(Lit) string
	Node func(Node) string
}

// WriteSMTLIB writes the formula in SMT-LIB 2.6, and asks for a model in which all assumptions are true. A node is an
// integer. Where an atom speaks of two nodes, one is less than the other. The text is what `z3 -in` reads.
func (f *Formula) WriteSMTLIB(w io.Writer, names Names, assumptions ...Lit) error {
	b := bufio.NewWriter(w)
	name := func(n Node) string {
		if names.Node != nil {
			if s := names.Node(n); s != "" {
				return s
			}
		}
		return fmt.Sprintf("n%d", n)
	}
	text := func(l Lit) string {
		v := max(l, -l)
		s := ""
		if e, ok := f.ends[v]; ok {
			if l > 0 {
				return fmt.Sprintf("(< %s %s)", name(e[0]), name(e[1]))
			}
			if e[0] != e[1] {
				return fmt.Sprintf("(< %s %s)", name(e[1]), name(e[0]))
			}
			return "true"
		}
		if names.Var != nil {
			s = names.Var(v)
		}
		if s == "" {
			s = fmt.Sprintf("b%d", v)
		}
		if l < 0 {
			return "(not " + s + ")"
		}
		return s
	}
	clause := func(lits []Lit) {
		switch len(lits) {
		case 0:
			fmt.Fprintln(b, "(assert false)")
		case 1:
			fmt.Fprintf(b, "(assert %s)\n", text(lits[0]))
		default:
			fmt.Fprint(b, "(assert (or")
			for _, l := range lits {
				fmt.Fprint(b, " ", text(l))
			}
			fmt.Fprintln(b, "))")
		}
	}
	fmt.Fprintln(b, "(set-option :produce-models true)")
	for n := range f.nodes {
		fmt.Fprintf(b, "(declare-const %s Int)\n", name(Node(n)))
	}
	for _, l := range f.bools {
		fmt.Fprintf(b, "(declare-const %s Bool)\n", text(l))
	}
	for _, e := range f.edges {
		fmt.Fprintf(b, "(assert (< %s %s))\n", name(e[0]), name(e[1]))
	}
	for l := Lit(1); l <= f.last; l++ {
		if e, ok := f.ends[l]; ok && e[0] != e[1] {
			fmt.Fprintf(b, "(assert (distinct %s %s))\n", name(e[0]), name(e[1]))
		}
	}
	for _, c := range f.clauses {
		clause(c)
	}
	for _, l := range assumptions {
		clause([]Lit{l})
	}
	fmt.Fprintln(b, "(check-sat)")
	return b.Flush()
}
