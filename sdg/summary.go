package sdg

import "math/bits"

// This file computes summary edges: rule SUM1.
//
// The algorithm is that of Reps, Horwitz, Sagiv and Rosay, "Speeding up Slicing", FSE 1994. It walks backwards from
// each outcome of each function, inside that function. Where the walk meets a parameter, the same argument of each call
// of the function gets a summary edge to that outcome. Walks in the callers then go on over it. All walks of one
// function are one walk, with a set of outcomes, a word of bits, at each node.

// maxOutcomes bounds the outcomes that are told apart; those beyond are one.
const maxOutcomes = 64

type summarizer struct {
	*systemBuilder
	in      adjacency // of the edges of kinds
	reached []uint64  // by node: the outcomes of its function that it leads to
	work    []NodeID  // nodes whose set has grown
	pending []uint64  // by node: by what
	callers [][]int32 // by procedure: sites that call it
	made    map[[2]NodeID]bool
	extra   map[NodeID][]NodeID // summaries made so far: outcome of a call -> its arguments
}

// addSummaries adds the Summary and SummaryValue edges.
func (b *systemBuilder) addSummaries() {
	b.summarize(Control|Data|Gate, Summary)
	b.summarize(Data|Gate, SummaryValue)
}

func (b *systemBuilder) summarize(kinds, kind Kind) {
	var inside []Edge
	for _, e := range b.edges {
		if e.Kind&(kinds|kind) != 0 {
			inside = append(inside, e)
		}
	}
	z := &summarizer{
		systemBuilder: b, in: newAdjacency(b.nodes, inside, func(e Edge) NodeID { return e.To }),
		reached: make([]uint64, b.nodes), pending: make([]uint64, b.nodes), callers: make([][]int32, len(b.Procedures)),
		made: make(map[[2]NodeID]bool), extra: make(map[NodeID][]NodeID),
	}
	for i, s := range b.sites {
		for _, k := range s.callees {
			if len(s.args) > 0 && len(s.outs) > 0 {
				z.callers[k] = append(z.callers[k], int32(i))
			}
		}
	}
	for i, p := range b.Procedures {
		for k := range outcomes(p.Func.Signature) {
			z.mark(b.results[i]+NodeID(k), 1<<min(k, maxOutcomes-1))
		}
	}
	for len(z.work) > 0 {
		n := z.work[len(z.work)-1]
		z.work = z.work[:len(z.work)-1]
		grown := z.pending[n]
		z.pending[n] = 0
		for _, e := range z.in.of(n) {
			z.mark(e.From, grown)
		}
		for _, arg := range z.extra[n] {
			z.mark(arg, grown)
		}
		if p, id := b.parameter(n); p >= 0 {
			z.meet(p, id, grown, kind)
		}
	}
}

func (z *summarizer) mark(n NodeID, set uint64) {
	if set &^= z.reached[n]; set == 0 {
		return
	}
	z.reached[n] |= set
	if z.pending[n] == 0 {
		z.work = append(z.work, n)
	}
	z.pending[n] |= set
}

// meet adds the summary edges of parameter number j of procedure k to the outcomes of set.
func (z *summarizer) meet(k int32, j int, set uint64, kind Kind) {
	last := outcomes(z.Procedures[k].Func.Signature) - 1
	for _, i := range z.callers[k] {
		s := &z.sites[i]
		if j >= len(s.args) {
			continue
		}
		arg := s.args[j]
		for rest := set; rest != 0; rest &= rest - 1 {
			lo := bits.TrailingZeros64(rest)
			hi := lo
			if lo == maxOutcomes-1 {
				hi = last
			}
			for out := lo; out <= hi; out++ {
				if s.outs[0] != s.call {
					z.summary(arg, s.outs[out], kind)
				} else if out == last { // a deferred call: only that it returned counts
					z.summary(arg, s.call, kind)
				}
			}
		}
	}
}

func (z *summarizer) summary(arg, out NodeID, kind Kind) {
	if z.made[[2]NodeID{arg, out}] {
		return
	}
	z.made[[2]NodeID{arg, out}] = true
	z.edge(arg, out, kind)
	z.extra[out] = append(z.extra[out], arg)
	z.mark(arg, z.reached[out])
}
