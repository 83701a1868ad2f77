package constraint

import (
	"fmt"
	"slices"
	"sort"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines a formula with rules for every primitive, and its questions: what a prefix can lead to that the
// trace does not show.

// A General is a trace of any primitives as a formula.
type General struct {
	// Conflicts is the limit of one question, after which it counts as unknown; 0 means none.
	Conflicts int
	// Work bounds the nodes of all candidates, after which every question counts as unknown; 0 means none.
	Work  int
	Stats GeneralStats

	*objects
	s       solver.Solver
	in      []solver.Lit
	pos     []solver.Node
	nodeAt  []int32 // by solver.Node: a node, or -1 of a ghost
	ghosts  map[ghostKey]*spot
	between map[[3]int32]solver.Lit
	before  map[[2]int32]solver.Lit

	order []int32 // of the candidate: nodes, and ^i of ghost i
	where []int32 // by node: its place in order, -1 if it is out
	spots []*spot
}

// GeneralStats count the work of a General.
type GeneralStats struct {
	Sat, Unsat, Unknown int
	Clauses             int // that candidates broke
	Work                int // nodes of candidates, times the writes and counts that they were compared with
}

// A spot is where an operation is judged: at a node, at a ghost, or at the end.
type spot struct {
	pos   solver.Node
	at    solver.Lit // it is there
	clock []int32
	id    int32 // of a node n; ^i of ghost i
	end   bool
}

type ghostKey struct {
	thread, seq int32
	kase        int16
}

// NewGeneral makes the formula of a trace. ops gives the operation that the seq-th event of a thread performed, nil
// if that is not known; known what memory holds at the start of an execution. An error says which operation has no
// rule.
func NewGeneral(t *trace.Trace, ops func(thread, seq int32) *event.Op, known func(addr uint64) (byte, bool)) (*General, error) {
	o, err := newObjects(t, ops, known)
	if err != nil {
		return nil, err
	}
	g := &General{objects: o, s: solver.New(), ghosts: map[ghostKey]*spot{}, between: map[[3]int32]solver.Lit{}, before: map[[2]int32]solver.Lit{}}
	for n := range g.nodes {
		g.in = append(g.in, g.s.NewVar())
		g.pos = append(g.pos, g.s.NewNode(g.in[n]))
		g.nodeAt = append(g.nodeAt, int32(n))
		for _, d := range g.nodes[n].before { // MHB1, MHB2
			g.s.AddEdge(g.pos[d], g.pos[n])
			g.s.AddClause(g.in[n].Not(), g.in[d])
		}
		if g.nodes[n].ends { // QEND1
			g.s.AddClause(g.in[n].Not())
		}
	}
	g.where = make([]int32, len(g.nodes))
	return g, nil
}

func (g *General) nodeSpot(n int32) *spot {
	return &spot{pos: g.pos[n], at: g.in[n], clock: g.nodes[n].clock, id: n}
}

// ghost returns the spot where the operation at a place is about to run (NEW1).
func (g *General) ghost(p *place, kase int16) *spot {
	key := ghostKey{p.thread, p.seq, kase}
	if s := g.ghosts[key]; s != nil {
		return s
	}
	s := &spot{at: g.s.NewVar(), id: ^int32(len(g.spots)), clock: make([]int32, len(g.t.Threads))}
	s.pos = g.s.NewNode(s.at)
	g.nodeAt = append(g.nodeAt, s.id)
	var before []int32
	if p.seq > 0 {
		before = append(before, g.places[p.thread][p.seq-1].node)
	} else if sp := g.t.Threads[p.thread].Spawn; sp >= 0 {
		before = append(before, g.of[sp])
	}
	for _, d := range before {
		g.s.AddEdge(g.pos[d], s.pos)
		g.s.AddClause(s.at.Not(), g.in[d])
		for th, c := range g.nodes[d].clock {
			s.clock[th] = max(s.clock[th], c)
		}
	}
	if p.node >= 0 {
		g.s.AddClause(s.at.Not(), g.in[p.node].Not())
	}
	drain(g, p, kase, s)
	g.ghosts[key] = s
	g.spots = append(g.spots, s)
	return s
}

// first reports whether node x must come before a spot.
func (g *General) first(x int32, f *spot) bool {
	e := g.event(x)
	return f.id != x && f.clock[e.Thread] > e.Seq
}

// never reports whether node x cannot come before a spot.
func (g *General) never(x int32, f *spot) bool {
	if f.end {
		return false
	}
	if f.id >= 0 {
		e := g.event(f.id)
		return x == f.id || g.nodes[x].clock[e.Thread] > e.Seq
	}
	return false
}

// A reason is a conjunction; its clause has the negations.
type reason []solver.Lit

// yes adds that node x is before f, which holds.
func (g *General) yes(r *reason, x int32, f *spot) {
	switch {
	case f.end:
		*r = append(*r, g.in[x])
	case !g.first(x, f):
		*r = append(*r, g.in[x], g.s.Before(g.pos[x], f.pos))
	}
}

// no adds that node x is not before f, which holds.
func (g *General) no(r *reason, x int32, f *spot) {
	switch {
	case f.end:
		*r = append(*r, g.in[x].Not())
	case g.never(x, f):
	default:
		*r = append(*r, g.isBefore(x, f).Not())
	}
}

// isBefore is a literal that implies that x is in, and before f.
func (g *General) isBefore(x int32, f *spot) solver.Lit {
	k := [2]int32{x, f.id}
	l, ok := g.before[k]
	if !ok {
		l = g.s.NewVar()
		g.s.AddClause(l.Not(), g.in[x])
		g.s.AddClause(l.Not(), g.s.Before(g.pos[x], f.pos))
		g.before[k] = l
	}
	return l
}

// isBetween is a literal that implies that w is in, after l and before f.
func (g *General) isBetween(l, w int32, f *spot) solver.Lit {
	k := [3]int32{l, w, f.id}
	x, ok := g.between[k]
	if f.end {
		ok = false
	}
	if !ok {
		x = g.s.NewVar()
		g.s.AddClause(x.Not(), g.in[w])
		g.s.AddClause(x.Not(), g.s.Before(g.pos[l], g.pos[w]))
		if !f.end {
			g.s.AddClause(x.Not(), g.s.Before(g.pos[w], f.pos))
			g.between[k] = x
		}
	}
	return x
}

// precedes reports whether node x is before a spot in the candidate.
func (g *General) precedes(x int32, f *spot) bool {
	return g.where[x] >= 0 && (f.end || g.where[x] < g.placeOf(f))
}

func (g *General) placeOf(f *spot) int32 {
	if f.id >= 0 {
		return g.where[f.id]
	}
	for i, n := range g.order {
		if n == f.id {
			return int32(i)
		}
	}
	return int32(len(g.order))
}

// last returns the last write of a cell before a spot, -1 for what was there at first, and what it left.
func (g *General) last(c int32, f *spot) (int32, string) {
	best, left := int32(-1), g.cells[c].start
	g.Stats.Work += len(g.cells[c].writers)
	for _, w := range g.cells[c].writers {
		if g.precedes(w.node, f) && (best < 0 || g.where[w.node] >= g.where[best]) {
			best, left = w.node, w.left
		}
	}
	return best, left
}

// QMEM1, QMAP1: a cell holds what its last write left. holds adds the reason why it holds what it holds at f; if only
// is not nil, it is enough that nothing of that comes between.
func (g *General) holds(r *reason, c int32, f *spot, only func(left string) bool) {
	l, left := g.last(c, f)
	if l >= 0 {
		g.yes(r, l, f)
	}
	for _, w := range g.cells[c].writers {
		if w.node == l || w.left == left || only != nil && !only(w.left) || g.never(w.node, f) {
			continue
		}
		switch {
		case l < 0:
			g.no(r, w.node, f)
		case g.nodes[l].clock[g.event(w.node).Thread] > g.event(w.node).Seq: // it comes before l
		default:
			*r = append(*r, g.isBetween(l, w.node, f).Not())
		}
	}
}

// counts adds the reason why a bound holds at f (less, more: it is at most hi, at least lo), or why it does not.
func (g *General) counts(r *reason, b bound, f *spot) (ok bool) {
	sum := int32(0)
	g.Stats.Work += len(b.of)
	for _, w := range b.of {
		if g.precedes(w.node, f) {
			sum += w.n
		}
	}
	above := func() { // the sum cannot be smaller
		for _, w := range b.of {
			if in := g.precedes(w.node, f); in && w.n > 0 {
				g.yes(r, w.node, f)
			} else if !in && w.n < 0 {
				g.no(r, w.node, f)
			}
		}
	}
	below := func() {
		for _, w := range b.of {
			if in := g.precedes(w.node, f); in && w.n < 0 {
				g.yes(r, w.node, f)
			} else if !in && w.n > 0 {
				g.no(r, w.node, f)
			}
		}
	}
	switch {
	case sum > b.hi:
		above()
		return false
	case sum < b.lo:
		below()
		return false
	}
	if b.hi < most {
		below()
	}
	if b.lo > -most {
		above()
	}
	return true
}

// exact adds that of some nodes just these are before f; with order also in which order.
func (g *General) exact(r *reason, of []int32, f *spot, order bool) (seq []int32) {
	for _, x := range of {
		if g.precedes(x, f) {
			seq = append(seq, x)
			g.yes(r, x, f)
		} else {
			g.no(r, x, f)
		}
	}
	sort.Slice(seq, func(i, j int) bool { return g.where[seq[i]] < g.where[seq[j]] })
	for i := 1; order && i < len(seq); i++ {
		a, b := seq[i-1], seq[i]
		if e := g.event(a); g.nodes[b].clock[e.Thread] <= e.Seq {
			*r = append(*r, g.s.Before(g.pos[a], g.pos[b]))
		}
	}
	return seq
}

// A meeting is what an operation meets in a candidate: nothing if it is blocked.
type meeting struct {
	blocked bool
	what    string
}

// name writes what a cell holds; "" is what nobody knows.
func name(left string) string { return fmt.Sprintf("%x", left) }

// judge says what an operation meets at a spot, and why.
func (g *General) judge(p *place, kase int16, f *spot) (m meeting, r reason) {
	x := g.meets(p, kase)
	switch {
	case x.cells != nil:
		if own := g.ownOf(p); own != nil {
			if b, ok := forwarded(g, &r, p, own, f); ok {
				for _, part := range b {
					m.what += name(part) + "|"
				}
				return m, r
			}
		}
		for _, c := range x.cells {
			_, left := g.last(c, f)
			g.holds(&r, c, f, nil)
			m.what += name(left) + "|"
		}
		return m, r
	case x.ordered:
		m.what = fmt.Sprint(g.exact(&r, x.sequence, f, true))
		return m, r
	}
	for _, o := range x.outcomes {
		var why reason
		ok := true
		for _, b := range o.bounds {
			var one reason
			if !g.counts(&one, b, f) {
				why, ok = one, false
				break
			}
			why = append(why, one...)
		}
		if ok && o.conds != nil {
			ok = g.notified(&why, p, o.conds, f)
		}
		if !ok {
			r = append(r, why...)
			continue
		}
		m.what = fmt.Sprint(o.tag)
		if o.fifo != nil {
			m.what = fmt.Sprint("element ", g.element(&why, o.fifo, f))
		}
		return m, why
	}
	m.blocked = true
	return m, r
}

// notified is QCOND1: tickets are a queue. It reports whether that of a goroutine is not in it any more.
func (g *General) notified(r *reason, p *place, of []int32, f *spot) bool {
	var queue []int32
	for _, n := range g.exact(r, of, f, true) {
		switch e := g.event(n); {
		case e.Kind == event.CondAdd:
			queue = append(queue, e.Thread)
		case e.Kind == event.CondBroadcast:
			queue = nil
		case len(queue) > 0:
			queue = queue[1:]
		}
	}
	return !slices.Contains(queue, p.thread)
}

// element is QCHAN3, first in, first out: the k-th receive gets the k-th send's element.
func (g *General) element(r *reason, c *channel, f *spot) uint64 {
	k := len(g.exact(r, nodesOf(c.recvs), f, false))
	sends := nodesOf(c.sends)
	sends = slices.DeleteFunc(sends, func(n int32) bool { return !g.precedes(n, f) })
	sort.Slice(sends, func(i, j int) bool { return g.where[sends[i]] < g.where[sends[j]] })
	s := sends[k]
	g.yes(r, s, f)
	g.exact(r, nodesOf(c.sends), g.nodeSpot(s), false)
	return g.event(s).Value
}

func nodesOf(ws []weight) (out []int32) {
	for _, w := range ws {
		out = append(out, w.node)
	}
	return out
}

// met is what an event met in the trace, in the terms of judge.
func (g *General) met(p *place, e *event.Event) string {
	x := g.meets(p, p.kase())
	switch {
	case x.cells != nil && p.op.Kind == event.MapRead:
		return g.observed(p, x)
	case x.cells != nil:
		b, out := g.found(e, &p.op), ""
		at := sort.Search(len(g.ranges), func(i int) bool { return g.ranges[i] >= e.Loc.Addr })
		for i := range x.cells {
			lo, hi := g.ranges[at+i], g.ranges[at+i+1]
			out += name(string(b[lo-e.Loc.Addr:hi-e.Loc.Addr])) + "|"
		}
		return out
	case x.ordered:
		return g.observed(p, x)
	}
	tag := uint64(0)
	switch e.Kind {
	case event.TryLock, event.TryRLock, event.Unlock, event.RUnlock, event.OnceBegin, event.ChanClose, event.ChanLen:
		tag = e.Value
	case event.WaitGroupAdd, event.ChanSend:
		if e.Other < 0 {
			tag = 1
		}
	case event.ChanRecv:
		if e.Other >= 0 {
			return fmt.Sprint("element ", e.Value)
		}
		tag = 1
	}
	return fmt.Sprint(tag)
}

// observed is what a read of a map or an object met: which writes came before it in the trace.
func (g *General) observed(p *place, x effect) string {
	if x.cells != nil {
		left, best := g.cells[x.cells[0]].start, int32(-1)
		for _, w := range g.cells[x.cells[0]].writers {
			if w.node < p.node && w.node >= best {
				left, best = w.left, w.node
			}
		}
		return name(left) + "|"
	}
	var seq []int32
	for _, n := range x.sequence {
		if n < p.node {
			seq = append(seq, n)
		}
	}
	slices.Sort(seq)
	return fmt.Sprint(seq)
}

func (p *place) kase() int16 { return max(p.case_, 0) }

// step is a transition as a seed names it.
func (o *objects) step(n int32) seed.Step {
	e := o.event(n)
	s := seed.Step{Thread: o.t.Threads[e.Thread].ID, Case: e.Case, PartnerCase: -1}
	if p := o.nodes[n].partner; p >= 0 {
		r := &o.t.Events[p]
		s.Partner, s.PartnerCase = o.t.Threads[r.Thread].ID, r.Case
	}
	return s
}
