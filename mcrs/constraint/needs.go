package constraint

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines relaxed validity: rules KEEP1 to KEEP3, and what is counted of it.

// Needs says which reads events depend on. Both methods return indices in Trace.Events of reads that must come before
// e by MHB1; others are passed over. What is returned of fixed events and of events that are no reads is passed over
// too.
type Needs interface {
	// Happens returns the reads that must keep their value for event e to be the operation that it was.
	Happens(e int) []int32
	// Writes returns those that must keep it, besides, for e to write what it wrote.
	Writes(e int) []int32
}

// Options of an Encoding. The zero value is full validity.
type Options struct {
	// Needs relaxes validity: a read keeps its value only where an event in the prefix needs it. If it is nil, each
	// read of the prefix keeps its value.
	Needs Needs
	// TargetKeeps says that all reads which must come before the read that a question is about keep their value:
	// algorithm 6.
	TargetKeeps bool
	// Base, by thread: so many of its first events are in the seed, before the read that a question is about or behind
	// it, and the reads that Kept has (indices in Trace.Events) keep their value. A question about one of them has no
	// answer.
	Base []int32
	Kept []int32
	// Fresh lets each question begin with the observed order, not with the one in which the last question ended: so its
	// seed is near to the trace.
	Fresh bool
	// Count makes Stats count reads and constraints, which takes time.
	Count bool
}

// EncodeWith builds the formula of t under options in s, which must be new.
func EncodeWith(t *trace.Trace, o Options, s solver.Solver) *Encoding {
	return encode(t, o, s, true)
}

// relaxed is what an Encoding has with Needs.
type relaxed struct {
	keep   []solver.Lit // by node: that a read which is in keeps its value; 0 of other nodes
	needs  [][]int32    // by node: reads that it needs to happen and the one before it in its goroutine does not
	writes [][]int32    // by node: reads that a write needs besides
}

// findNeeds asks for what each node needs.
func (e *Encoding) findNeeds(ns Needs) {
	e.keep = make([]solver.Lit, len(e.nodes))
	e.needs, e.writes = make([][]int32, len(e.nodes)), make([][]int32, len(e.nodes))
	had := make([]map[int32]bool, len(e.t.Threads))
	for n := range int32(len(e.nodes)) {
		th := e.at(n).Thread
		if had[th] == nil {
			had[th] = make(map[int32]bool)
		}
		at := e.storedBy(n)
		happens := ns.Happens(at)
		if !e.nodes[n].free { // who learns what it writes is not known
			happens = append(slices.Clone(happens), ns.Writes(at)...)
		}
		for _, r := range e.readsOf(happens, n) {
			if !had[th][r] {
				had[th][r] = true
				e.needs[n] = append(e.needs[n], r)
			}
		}
		if e.varOf[n] >= 0 && e.at(n).Kind.IsWrite() || e.at(n).Kind == event.Store {
			for _, r := range e.readsOf(ns.Writes(at), n) {
				if !had[th][r] {
					e.writes[n] = append(e.writes[n], r)
				}
			}
		}
	}
}

// readsOf returns the free reads among events that precede n.
func (e *Encoding) readsOf(events []int32, n int32) (out []int32) {
	for _, i := range events {
		if r := e.of[i]; r != n && e.rf[r] != nil && e.precedes(r, n) {
			out = append(out, r)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// stateNeeds states KEEP1 and KEEP2: in(e) → keep(r) for the reads that e needs, and rf(w, r') → keep(r) for those
// that the value of w needs. (KEEP2 is stated where rf is made, see readsFrom.)
func (e *Encoding) stateNeeds() {
	for n, rs := range e.needs {
		for _, r := range rs {
			e.s.AddClause(e.in[n].Not(), e.keepOf(r))
		}
	}
}

// keepOf is the literal that the read r keeps its value. The solver takes it for true unless it finds out otherwise:
// so a read that nobody needs keeps its value too if it can, and the seed leads to where the trace has been.
func (e *Encoding) keepOf(r int32) solver.Lit {
	if e.keep[r] == 0 {
		e.keep[r] = e.s.NewVar().Not()
	}
	return e.keep[r]
}

// sure reports whether the write w writes what it wrote, in the model at hand.
func (e *Encoding) sure(w int32) bool {
	if w == initially || e.keep == nil {
		return true
	}
	for _, r := range e.writes[w] {
		if !e.kept(r) {
			return false
		}
	}
	return true
}

// kept reports whether the read n has to keep its value, in the model at hand.
func (e *Encoding) kept(n int32) bool { return e.keep == nil || e.keep[n] != 0 && e.s.Value(e.keep[n]) }

// holds reports whether all reads in an order but one return what they did in the trace, whoever needs them.
func (e *Encoding) holds(order []int32, but int32) bool {
	if e.keep == nil {
		return true
	}
	last := make([]int32, len(e.vars)) // by variable: its last write
	fill(last, initially)
	passed := make([]bool, len(e.nodes))
	for _, n := range order {
		passed[n] = true
		switch s := &e.walk.steps[n]; s.does {
		case writes:
			last[s.object] = n
		case reads:
			l := last[s.object]
			if e.forwards(n, func(w int32) bool { return passed[w] }) {
				l = e.own[n]
			}
			if n != but && !e.offers(l, goal{read: n, value: s.value}) {
				return false
			}
		}
	}
	return true
}

// stateBase states what Options.Base and Kept ask for.
func (e *Encoding) stateBase(o Options) {
	for th, k := range o.Base {
		if k > 0 {
			e.s.AddClause(e.in[e.low.nodesOf[th][k-1]])
		}
	}
	for _, i := range o.Kept {
		if r := e.of[i]; e.keep != nil && e.rf[r] != nil {
			e.s.AddClause(e.keepOf(r))
		}
	}
}

// Counts says what a question constrains: the reads that keep their value, by Φ_validity as the dissertation's
// section 3.1.2 defines it, recursively over the writes that they may read from; and the constraints, which are
// triples of a read, a write that it may read from, and another write that offers another value and could come
// between. What MHB1, OBS1 and OBS2 rule out is left out, what the lower-bound filter does is not. Variables that one
// goroutine has for itself do not count.
type Counts struct {
	Reads, Constraints int
	// What Options.Base and Kept add to that.
	BaseReads, BaseConstraints int
}

// Add adds the counts of another question.
func (c *Counts) Add(d Counts) {
	c.Reads += d.Reads
	c.Constraints += d.Constraints
	c.BaseReads += d.BaseReads
	c.BaseConstraints += d.BaseConstraints
}

// Count returns what the question constrains whether the read r (an index in Trace.Events) can return v, or, with
// initially, what its location held at first.
func (e *Encoding) Count(r int, v uint64, initially bool) Counts {
	if initially {
		v = 0
	}
	return e.count(goal{read: e.of[r], value: v, initial: initially})
}

func (e *Encoding) count(g goal) Counts {
	c := counter{Encoding: e, met: make([]bool, len(e.nodes)), in: make([]int32, len(e.t.Threads))}
	for _, d := range e.nodes[g.read].before {
		c.happen(d)
	}
	if e.keep != nil {
		for _, r := range e.targetNeeds(g.read) {
			c.keep(r)
		}
	}
	c.read(g)
	c.finish()
	out := Counts{Reads: c.reads, Constraints: c.constraints}
	for th, k := range e.options.Base {
		if k > 0 {
			c.happen(e.low.nodesOf[th][k-1])
		}
	}
	if e.keep != nil {
		for _, i := range e.options.Kept {
			c.keep(e.of[i])
		}
	}
	c.finish()
	out.BaseReads, out.BaseConstraints = c.reads-out.Reads, c.constraints-out.Constraints
	return out
}

type counter struct {
	*Encoding
	met  []bool  // by node: a read that keeps its value
	in   []int32 // by thread: so many events are in
	work []int32

	reads, constraints int
}

// finish counts the reads that are found to keep their value, and goes on to what these need.
func (c *counter) finish() {
	for len(c.work) > 0 {
		r := c.work[len(c.work)-1]
		c.work = c.work[:len(c.work)-1]
		if c.vars[c.varOf[r]].shared {
			c.reads++
		}
		c.read(goal{read: r, value: c.at(r).Value})
	}
}

func (c *counter) keep(r int32) {
	if !c.met[r] && c.rf[r] != nil {
		c.met[r] = true
		c.work = append(c.work, r)
	}
}

// happen notes that n is in, and all that must precede it.
func (c *counter) happen(n int32) {
	for th, k := range c.nodes[n].clock {
		for ; c.in[th] < k; c.in[th]++ {
			switch d := c.low.nodesOf[th][c.in[th]]; {
			case c.Encoding.keep == nil:
				c.keep(d)
			default:
				for _, r := range c.needs[d] {
					c.keep(r)
				}
			}
		}
	}
}

// read goes on to what a read may read from.
func (c *counter) read(g goal) {
	v := &c.vars[c.varOf[g.read]]
	for _, s := range c.sources(v, g.read, g) {
		if s != initially {
			c.happen(s)
			if c.Encoding.keep != nil {
				for _, r := range c.writes[s] {
					c.keep(r)
				}
			}
		}
		if !v.shared {
			continue
		}
		for _, w := range v.writes {
			if w != s && !c.offers(w, g) && !c.precedes(g.read, w) {
				c.constraints++
			}
		}
	}
}

// targetNeeds returns the reads that the read r needs to be about to run, beyond what the one before it in its
// goroutine needs.
func (e *Encoding) targetNeeds(r int32) []int32 {
	if !e.options.TargetKeeps {
		return e.needs[r]
	}
	var out []int32
	for n := range int32(len(e.nodes)) {
		if n != r && e.rf[n] != nil && e.precedes(n, r) {
			out = append(out, n)
		}
	}
	return out
}
