package sdg

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Sanity checks the invariants of the graph and returns all that are broken.
// Tests switch it on; it takes time linear in the number of edges times the largest degree.
func (p *Procedure) Sanity() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: "+format, append([]any{p.Func}, args...)...))
	}
	for i := range p.Nodes {
		n := NodeID(i)
		for _, e := range p.Out(n) {
			if e.From != n || !slices.Contains(p.In(e.To), e) {
				bad("edge %v of node %d is not among the incoming ones", e, n)
			}
		}
		control := false
		for k, e := range p.In(n) {
			if e.To != n || !slices.Contains(p.Out(e.From), e) {
				bad("edge %v of node %d is not among the outgoing ones", e, n)
			}
			if slices.Contains(p.In(n)[:k], e) {
				bad("edge %v of node %d stands twice", e, n)
			}
			control = control || e.Kind == Control
			if why := p.wrong(e); why != "" {
				bad("%v edge from %q to %q: %s", e.Kind, p.Label(e.From), p.Label(e.To), why)
			}
		}
		if p.hasBody() && n != entryNode && !control {
			bad("%q depends on no branch, not even the entry", p.Label(n))
		}
	}
	if all := p.Forward(Control, entryNode); p.hasBody() && len(all) != len(p.Nodes) {
		bad("%d of %d nodes hang on the entry", len(all), len(p.Nodes))
	}
	return errors.Join(errs...)
}

// wrong says what is wrong with the ends of e, "" if nothing is.
func (p *Procedure) wrong(e Edge) string {
	from, to := p.Nodes[e.From], p.Nodes[e.To]
	switch e.Kind {
	case Control:
		if from.Param != nil || e.To == entryNode {
			return "a parameter decides nothing, and nothing decides the entry"
		}
	case Gate:
		_, isIf := from.Instr.(*ssa.If)
		phi, isPhi := to.Instr.(*ssa.Phi)
		if !isIf || !isPhi {
			return "not from an If to a phi"
		}
		if top := phi.Block().Idom(); top == nil || !top.Dominates(from.Instr.Block()) {
			return "the If stands above the phi's dominator"
		}
	case Data:
		if _, ok := to.Instr.(*ssa.RunDefers); ok {
			break
		}
		v, ok := from.Instr.(ssa.Value)
		if from.Param != nil {
			v, ok = from.Param, true
		}
		if !ok || to.Instr == nil || !slices.ContainsFunc(to.Instr.Operands(nil), func(o *ssa.Value) bool { return *o == v }) {
			return "not an operand"
		}
	default:
		return "of no kind"
	}
	return ""
}

// Sanity checks the invariants of the graph and of those of its procedures, and returns all that are broken.
func (s *System) Sanity() error {
	var errs []error
	for _, p := range s.Procedures {
		errs = append(errs, p.Sanity())
	}
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	seen := make(map[Edge]bool, len(s.in.edges))
	for n := range s.nodes {
		for _, e := range s.In(NodeID(n)) {
			if e.To != NodeID(n) || !slices.Contains(s.Out(e.From), e) {
				bad("edge %v of %q is not among the outgoing ones", e, s.Label(NodeID(n)))
			}
			if seen[e] && e.Kind != Memory { // a place may be touched twice
				bad("edge %v of %q stands twice", e, s.Label(NodeID(n)))
			}
			seen[e] = true
			if why := s.wrong(e); why != "" {
				bad("%v edge from %q to %q: %s", e.Kind, s.Label(e.From), s.Label(e.To), why)
			}
		}
	}
	return errors.Join(errs...)
}

// wrong says what is wrong with the ends of e, "" if nothing is.
func (s *System) wrong(e Edge) string {
	from, to := s.functionOf(e.From), s.functionOf(e.To)
	switch e.Kind {
	case Control, Data, Gate, Summary, SummaryValue:
		if from != to || from < 0 {
			return "does not stay in one function"
		}
	case Call:
		if to < 0 || e.To != s.base[to] {
			return "not to an entry"
		}
	case ParamIn:
		if _, id := s.procedureOf(e.To); to < 0 || id == entryNode || s.Procedures[to].Nodes[id].Instr != nil {
			return "not to a parameter"
		}
	case ParamOut:
		if x := s.extraOf(e.From); x == nil || x.kind != formalOut {
			return "not from an outcome"
		}
	case Memory:
		if from >= 0 && to >= 0 {
			return "neither end is memory"
		}
	}
	return ""
}
