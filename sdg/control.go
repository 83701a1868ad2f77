package sdg

import (
	"cmp"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file defines control dependence: rule CTRL1.

// A branch is a way out of a node of the flow graph: the side-th of its successors.
type branch struct{ node, side int }

// controllers returns for each node the branches that it depends on (Ferrante,
// Ottenstein, Warren 1987, section 3.1): those whose target is the node or
// below it in the post-dominator tree, up to where all sides meet again.
func controllers(succs [][]int, ipdom []int) [][]branch {
	out := make([][]branch, len(succs))
	for a, ss := range succs {
		for side, s := range ss {
			for n := s; n != ipdom[a]; n = ipdom[n] {
				out[n] = append(out[n], branch{a, side})
			}
		}
	}
	return out
}

// controllers is the function of that name with the nodes of CFG3 seen through: they are no
// branches, and what depends on one depends on what the endless loop's being reached depends on.
func (f *flow) controllers() [][]branch {
	by := controllers(f.succs, postDominators(f.succs, exitPart))
	isSpin := func(b branch) bool { return b.node > returnPart && f.parts[b.node].block == nil }
	for n, bs := range by {
		if i := slices.IndexFunc(bs, isSpin); i >= 0 {
			// An endless loop is reached from no other, so one node stands for all.
			merged := slices.DeleteFunc(append(slices.Clone(bs), by[bs[i].node]...), isSpin)
			slices.SortFunc(merged, func(a, b branch) int { return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.side, b.side)) })
			by[n] = slices.Compact(merged)
		}
	}
	return by
}

// addControl adds the Control edges of all nodes.
func (p *Procedure) addControl(edges []Edge, f *flow, by [][]branch) []Edge {
	for id := range p.Nodes[entryNode+1:] {
		id := NodeID(id) + entryNode + 1
		at := f.first[0] // parameters stand with the first instructions
		if instr := p.Nodes[id].Instr; instr != nil {
			at = f.holds[id]
		}
		for _, b := range by[at] {
			edges = append(edges, Edge{From: p.decider(f, b.node), To: id, Kind: Control, Side: int8(b.side)})
		}
		if p.Nodes[id].Instr == nil && len(by[at]) == 0 {
			edges = append(edges, Edge{From: entryNode, To: id, Kind: Control})
		}
	}
	return edges
}

// decider returns the node that decides where control goes after a part.
func (p *Procedure) decider(f *flow, part int) NodeID {
	if part == entryPart {
		return entryNode
	}
	return f.ends[part]
}

// deciders returns the nodes that decide at branches.
func (p *Procedure) deciders(f *flow, bs []branch) (out []NodeID) {
	for _, b := range bs {
		if n := p.decider(f, b.node); !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// locate notes which part holds each node, and which node ends each part. Both stand in the order of blocks.
func (f *flow) locate(nodes []Node) {
	f.holds, f.ends = make([]int, len(nodes)), make([]NodeID, len(f.parts))
	at := returnPart
	for id, n := range nodes {
		if n.Instr == nil {
			continue
		}
		for at == returnPart || f.parts[at].block != n.Instr.Block() || n.index >= f.parts[at].hi {
			at++
		}
		f.holds[id], f.ends[at] = at, NodeID(id)
	}
}

// addGates adds the Gate edges of the phis of block b: rule GATE1.
func (p *Procedure) addGates(edges []Edge, f *flow, by [][]branch, b *ssa.BasicBlock) []Edge {
	var phis []NodeID
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		phis = append(phis, p.ids[phi])
	}
	top := b.Idom()
	if len(phis) == 0 || top == nil {
		return edges
	}
	var gates []int // parts that end in an If
	var add func(part int)
	add = func(part int) {
		if part == entryPart || !top.Dominates(f.parts[part].block) || slices.Contains(gates, part) {
			return
		}
		if _, ok := f.parts[part].last().(*ssa.If); ok {
			gates = append(gates, part)
		}
		if f.parts[part].block != top {
			for _, c := range by[part] {
				add(c.node)
			}
		}
	}
	for _, pred := range b.Preds {
		// The edge itself, were it a node, would depend on the branch it leaves, or as its source does.
		if from := f.final[pred.Index]; len(pred.Succs) > 1 {
			add(from)
		} else {
			for _, c := range by[from] {
				add(c.node)
			}
		}
	}
	for _, g := range gates {
		for _, phi := range phis {
			edges = append(edges, Edge{From: p.decider(f, g), To: phi, Kind: Gate})
		}
	}
	return edges
}
