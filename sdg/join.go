package sdg

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file makes the edges of a System.

type systemBuilder struct {
	*System
	mode    Mode
	open    bool
	effects func(*ssa.Function) (Effect, bool)
	edges   []Edge
	// By node of a call in the procedure at hand: its first actual-out node and their number.
	outs map[NodeID][]NodeID
}

func (b *systemBuilder) build() {
	n := 0
	var known []*ssa.Function
	for _, p := range b.Procedures {
		n += len(p.in.edges)
		if p.hasBody() {
			known = append(known, p.Func)
		}
	}
	b.mem.classify(known)
	b.edges = make([]Edge, 0, 2*n)
	b.results = make([]NodeID, len(b.Procedures))
	for i, p := range b.Procedures {
		b.results[i] = NodeID(b.nodes)
		for k := range outcomes(p.Func.Signature) {
			b.extra(extra{proc: int32(i), kind: formalOut, index: int32(k)})
		}
	}
	for i := range b.Procedures {
		b.addCalls(int32(i))
		b.addOutcomes(int32(i))
	}
	deferred := make(map[[2]NodeID]bool) // a RunDefers and the entry of what it may run, which may have been deferred several times
	for _, s := range b.sites {
		b.addSite(s, deferred)
	}
	b.hubs = NodeID(b.nodes)
	for i := range b.Procedures {
		b.addMemory(int32(i))
	}
	for _, s := range b.sites {
		if s.unknown {
			b.addUnknown(s)
		}
	}
	b.addLinks()
	b.nodes += len(b.mem.keys)
	b.addSummaries()
	b.in = newAdjacency(b.nodes, b.edges, func(e Edge) NodeID { return e.To })
	b.out = newAdjacency(b.nodes, b.edges, func(e Edge) NodeID { return e.From })
}

func (b *systemBuilder) edge(from, to NodeID, k Kind) {
	b.edges = append(b.edges, Edge{From: from, To: to, Kind: k})
}

func (b *systemBuilder) extra(x extra) NodeID {
	b.extras = append(b.extras, x)
	b.nodes++
	return NodeID(b.nodes - 1)
}

func outcomes(sig *types.Signature) int { return sig.Results().Len() + 1 }

// addCalls makes the nodes of a procedure's calls, and copies its edges: CALL2.
func (b *systemBuilder) addCalls(i int32) {
	p, base := b.Procedures[i], b.base[i]
	b.outs = make(map[NodeID][]NodeID)
	for id := range p.Nodes {
		if call, ok := p.Nodes[id].Instr.(*ssa.Call); ok && !isBuiltin(call) {
			var outs []NodeID
			for k := range outcomes(call.Call.Signature()) {
				n := b.extra(extra{proc: i, kind: actualOut, index: int32(k), call: call})
				outs = append(outs, n)
				b.edge(base+NodeID(id), n, Control)
			}
			b.outs[NodeID(id)] = outs
		} else if ok && copies(call) { // CALL7
			n := b.extra(extra{proc: i, kind: actualOut, call: call})
			b.outs[NodeID(id)] = []NodeID{n}
			b.copied[call] = n
		}
	}
	var deferred []site
	for id := range p.Nodes {
		switch x := p.Nodes[id].Instr.(type) {
		case ssa.CallInstruction:
			if isBuiltin(x) {
				continue
			}
			s := b.newSite(i, NodeID(id), x)
			b.sites = append(b.sites, s)
			if _, ok := x.(*ssa.Defer); ok {
				deferred = append(deferred, s)
			}
		case *ssa.MakeClosure: // CALL4
			if k, ok := b.number[x.Fn.(*ssa.Function)]; ok {
				first := b.base[k] + 1 + NodeID(b.Procedures[k].params)
				for j, v := range x.Bindings {
					if from, ok := p.ids[v]; ok {
						b.edge(b.valueOf(base, from), first+NodeID(j), ParamIn)
					}
				}
			}
		}
	}
	for id := range p.Nodes {
		if _, ok := p.Nodes[id].Instr.(*ssa.RunDefers); ok {
			for _, s := range deferred {
				s.call = base + NodeID(id)
				s.outs = []NodeID{s.call}
				b.sites = append(b.sites, s)
			}
		}
	}
	for _, e := range p.in.edges {
		if call, ok := p.Nodes[e.To].Instr.(ssa.CallInstruction); ok && e.Kind == Data && !isBuiltin(call) {
			continue // newSite has it
		}
		from := base + e.From
		if outs := b.outs[e.From]; outs != nil {
			x, isExtract := p.Nodes[e.To].Instr.(*ssa.Extract)
			switch {
			case e.Kind == Control:
				from = outs[len(outs)-1] // it returned
			case isExtract:
				from = outs[x.Index]
			default:
				from = outs[0]
			}
		}
		b.edges = append(b.edges, Edge{From: from, To: base + e.To, Kind: e.Kind, Side: e.Side})
		if call, ok := p.Nodes[e.To].Instr.(*ssa.Call); ok && copies(call) {
			b.edges = append(b.edges, Edge{From: from, To: b.outs[e.To][0], Kind: e.Kind, Side: e.Side})
		}
	}
}

// copies reports whether a call is of append or copy.
func copies(call *ssa.Call) bool {
	f, ok := call.Call.Value.(*ssa.Builtin)
	return ok && (f.Name() == "append" || f.Name() == "copy")
}

// newSite makes the arguments of a call (CALL2) and the edges to them.
func (b *systemBuilder) newSite(i int32, id NodeID, call ssa.CallInstruction) site {
	p, base, c := b.Procedures[i], b.base[i], call.Common()
	s := site{proc: i, instr: call, call: base + id, outs: b.outs[id]}
	for _, fn := range b.callees[call] {
		if k, ok := b.number[fn]; ok {
			s.callees = append(s.callees, k)
		}
	}
	s.unknown = len(s.callees) == 0 || b.open && c.StaticCallee() == nil
	pass := func(v ssa.Value) {
		n := b.extra(extra{proc: i, kind: actualIn, index: int32(len(s.args)), call: call})
		s.args = append(s.args, n)
		if from, ok := p.ids[v]; ok {
			b.edge(b.valueOf(base, from), n, Data)
		}
	}
	if c.IsInvoke() {
		pass(c.Value)
	}
	for _, v := range c.Args {
		pass(v)
	}
	// The value that decides what is called decides the outcome too.
	if from, ok := p.ids[c.Value]; ok {
		from = b.valueOf(base, from)
		b.edge(from, s.call, Data)
		for _, n := range s.outs {
			b.edge(from, n, Data)
		}
	}
	return s
}

func isBuiltin(call ssa.CallInstruction) bool {
	_, ok := call.Common().Value.(*ssa.Builtin)
	return ok
}

// valueOf returns the node of the value of a procedure's node: of a call, that of its result.
func (b *systemBuilder) valueOf(base, id NodeID) NodeID {
	if outs := b.outs[id]; outs != nil {
		return outs[0]
	}
	return base + id
}

// addOutcomes makes the edges to the outcomes of a function: CALL1 and, without a body, CALL6.
func (b *systemBuilder) addOutcomes(i int32) {
	p, base := b.Procedures[i], b.base[i]
	n := outcomes(p.Func.Signature)
	out := func(k int) NodeID { return b.results[i] + NodeID(k) }
	if !p.hasBody() {
		e, ok := b.effects(p.Func)
		for k := range n {
			for id := range p.Nodes { // the entry and the parameters
				switch j := id - 1; {
				case !ok || id == 0 || e.value(k, j):
					b.edge(base+NodeID(id), out(k), Data)
				case e.flow(k, j):
					b.edge(base+NodeID(id), out(k), Control)
				}
			}
		}
		return
	}
	var returns []NodeID
	for id := range p.Nodes {
		if _, ok := p.Nodes[id].Instr.(*ssa.Return); ok {
			returns = append(returns, NodeID(id))
		}
	}
	gates := make(map[NodeID]bool)
	first := len(b.edges)
	for _, id := range returns {
		for k, v := range p.Nodes[id].Instr.(*ssa.Return).Results {
			if from, ok := p.ids[v]; ok {
				if e := (Edge{From: b.valueOf(base, from), To: out(k), Kind: Data}); !slices.Contains(b.edges[first:], e) {
					b.edges = append(b.edges, e)
				}
			}
		}
		if len(returns) > 1 {
			p.branchesAbove(id, gates)
		}
	}
	for _, from := range p.returns {
		decides := base + from
		if outs := b.outs[from]; outs != nil {
			decides = outs[len(outs)-1]
		}
		for k := range n {
			b.edge(decides, out(k), Control)
		}
	}
	for id := range p.Nodes {
		if gates[NodeID(id)] {
			for k := range n - 1 {
				b.edge(base+NodeID(id), out(k), Gate)
			}
		}
	}
}

// branchesAbove collects the Ifs that decide whether n executes, at any depth.
func (p *Procedure) branchesAbove(n NodeID, seen map[NodeID]bool) {
	for _, e := range p.In(n) {
		if _, isIf := p.Nodes[e.From].Instr.(*ssa.If); e.Kind == Control && isIf && !seen[e.From] {
			seen[e.From] = true
			p.branchesAbove(e.From, seen)
		}
	}
}

// addSite makes the edges between a call and what it calls: CALL3 to CALL6.
func (b *systemBuilder) addSite(s site, deferred map[[2]NodeID]bool) {
	isDefers := len(s.outs) == 1 && s.outs[0] == s.call
	if s.unknown { // CALL6
		for _, arg := range s.args {
			for _, out := range s.outs {
				b.edge(arg, out, Summary)
				b.edge(arg, out, SummaryValue)
			}
		}
	}
	for _, k := range s.callees {
		p := b.Procedures[k]
		if isDefers {
			pair := [2]NodeID{s.call, b.base[k]}
			if deferred[pair] {
				continue
			}
			deferred[pair] = true
		}
		b.edge(s.call, b.base[k], Call) // CALL3
		if isDefers {
			b.edge(b.returned(k), s.call, ParamOut)
			continue // the arguments stand at the Defer
		}
		for j, arg := range s.args { // CALL4
			if j < p.params {
				b.edge(arg, b.base[k]+1+NodeID(j), ParamIn)
			}
		}
		for j, out := range s.outs { // CALL5
			b.edge(b.results[k]+NodeID(j), out, ParamOut)
		}
	}
}

// returned is the outcome of a function that control returns from it.
func (b *systemBuilder) returned(k int32) NodeID {
	return b.results[k] + NodeID(outcomes(b.Procedures[k].Func.Signature)) - 1
}
