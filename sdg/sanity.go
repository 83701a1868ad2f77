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
		if len(p.Func.Blocks) > 0 && n != entryNode && !control {
			bad("%q depends on no branch, not even the entry", p.Label(n))
		}
	}
	if all := p.Forward(Control, entryNode); len(p.Func.Blocks) > 0 && len(all) != len(p.Nodes) {
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
