package constraint

import (
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// This file asks a General what its trace does not show.

// A Lead is a prefix that leads to what the trace does not show: its last step meets something new, or nothing can
// move after it.
type Lead struct {
	Seed    seed.Seed
	Blocked bool
}

// A query is a question that is being asked.
type query struct {
	lit  solver.Lit
	spot *spot // where it is about something; nil: at the end
	// meets judges the candidate there. refused is why it is no answer, nil if it is one.
	meets func() (what string, refused reason)
	what  string // of the last answer
}

// All calls each for every lead, of the longest prefixes, and reports whether these are all: a limit may have struck.
func (g *General) All(each func(Lead)) (complete bool) {
	unknown := g.Stats.Unknown
	for _, ps := range g.places {
		for i := range ps {
			p := &ps[i]
			if g.t.Threads[p.thread].Buffers > 0 {
				break // it meets nothing
			}
			if !p.op.IsSelect() {
				g.departures(p, 0, each)
				continue
			}
			for k := range len(p.op.Cases) + 1 {
				if k < len(p.op.Cases) || p.op.HasDefault {
					g.departures(p, int16(k), each)
				}
			}
		}
	}
	g.pairs(func(s, r *place, ks, kr int16) { g.meeting(s, r, ks, kr, each) })
	g.stuck(each)
	return g.Stats.Unknown == unknown
}

// departures asks for all that an operation can meet, and the trace does not show.
func (g *General) departures(p *place, kase int16, each func(Lead)) {
	// It was performed, and not as a half of a rendezvous: of that no outcome says.
	alone := p.node >= 0 && g.nodes[p.node].partner < 0 && (!p.op.IsSelect() || kase == p.case_)
	if x := g.meets(p, kase); x.cells == nil && !x.ordered && len(x.outcomes) == 0 {
		return // a nil channel
	} else if alone && x.cells == nil && !x.ordered && len(x.outcomes) == 1 {
		return // it can meet one thing only
	}
	known := make(map[string]bool)
	if alone {
		known[g.expect(p)] = true
	}
	f := g.ghost(p, kase)
	step := seed.Step{Thread: g.t.Threads[p.thread].ID, Case: -1, PartnerCase: -1}
	if p.op.IsSelect() {
		step.Case = kase
	}
	other := g.query(f, func() (string, reason) {
		m, r := g.judge(p, kase, f)
		if m.blocked || known[m.what] {
			return "", append(reason{}, r...)
		}
		return m.what, nil
	})
	for g.solve(other) {
		x := other.what
		g.cuts(g.query(f, func() (string, reason) {
			if e := g.meets(p, kase); e.cells != nil {
				return x, g.wanted(p, e.cells, f, x)
			}
			m, r := g.judge(p, kase, f)
			if m.blocked || m.what != x {
				return "", append(reason{}, r...)
			}
			return x, nil
		}), step, each)
		known[x] = true
	}
	g.close(other)
}

// wanted says why cells do not hold at f what they are to hold, nil if they do.
func (g *General) wanted(p *place, cells []int32, f *spot, want string) reason {
	r := make(reason, 0, 8)
	targets := strings.Split(want, "|")[:len(cells)]
	if own := g.ownOf(p); own != nil {
		if b, ok := forwarded(g, &r, p, own, f); ok {
			for i, target := range targets {
				if name(b[i]) != target {
					return r
				}
			}
			return nil
		}
	}
	for i, target := range targets {
		if _, left := g.last(cells[i], f); name(left) != target {
			g.holds(&r, cells[i], f, func(left string) bool { return name(left) == target })
			return r
		}
	}
	return nil
}

func (g *General) query(f *spot, meets func() (string, reason)) *query {
	q := &query{lit: g.s.NewVar(), spot: f, meets: meets}
	if f != nil {
		g.s.AddClause(q.lit.Not(), f.at)
	}
	return q
}

func (g *General) close(q *query) { g.s.AddClause(q.lit.Not()) }

// cuts gives all longest prefixes that answer a query.
func (g *General) cuts(q *query, then seed.Step, each func(Lead)) {
	for g.solve(q) {
		for {
			order, next, all := g.cut(q.spot)
			if len(next) == 0 {
				each(Lead{Seed: g.seed(order, then)})
				g.close(q)
				return
			}
			longer := g.s.NewVar()
			g.s.AddClause(append(slices.Clone(next), longer.Not())...)
			if !g.solve(q, append(all, longer)...) {
				g.s.AddClause(longer.Not())
				each(Lead{Seed: g.seed(order, then)})
				g.s.AddClause(append(next, q.lit.Not())...) // another one has something that this has not
				break
			}
			g.s.AddClause(longer.Not())
		}
	}
	g.close(q)
}

// cut returns the prefix of the last answer; that one of these is in, makes it longer; that all of those are, keeps
// what it has.
func (g *General) cut(f *spot) (order []int32, next, all []solver.Lit) {
	count := make([]int32, len(g.t.Threads))
	for _, n := range g.order {
		if n == f.id {
			break
		}
		if n < 0 {
			continue
		}
		order = append(order, n)
		count[g.event(n).Thread]++
		if p := g.nodes[n].partner; p >= 0 {
			count[g.t.Events[p].Thread]++
		}
	}
	for th, c := range count {
		if c > 0 {
			if x := g.places[th][c-1].node; !g.first(x, f) {
				all = append(all, g.isBefore(x, f))
			}
		}
		if int(c) < len(g.places[th]) {
			if n := g.places[th][c].node; n >= 0 && !g.nodes[n].ends {
				next = append(next, g.isBefore(n, f))
			}
		}
	}
	return order, next, all
}

func (g *General) seed(order []int32, then ...seed.Step) (out seed.Seed) {
	for _, n := range order {
		out = append(out, g.step(n))
	}
	return append(out, then...)
}

// expect is what the operation at a place met.
func (g *General) expect(p *place) string {
	e := g.event(p.node)
	if h := g.nodes[p.node].partner; h >= 0 && e.Thread != p.thread {
		e = &g.t.Events[h]
	}
	return g.met(p, e)
}

// solve looks for an answer to a query.
func (g *General) solve(q *query, assume ...solver.Lit) bool {
	if g.Work > 0 && g.Stats.Work > g.Work {
		g.Stats.Unknown++
		return false
	}
	st := g.s.Solve(solver.Options{Limit: g.Conflicts, Refine: func() { g.refine(q) }}, append([]solver.Lit{q.lit}, assume...)...)
	switch st {
	case solver.Sat:
		g.Stats.Sat++
	case solver.Unsat:
		g.Stats.Unsat++
	default:
		g.Stats.Unknown++
	}
	return st == solver.Sat
}

// refine executes a candidate, and states what it breaks.
func (g *General) refine(q *query) {
	for i := range g.where {
		g.where[i] = -1
	}
	g.order = g.order[:0]
	for _, p := range g.s.Order(nil) {
		n := g.nodeAt[p]
		if n >= 0 {
			g.where[n] = int32(len(g.order))
		} else if q.spot == nil || n != q.spot.id {
			continue
		}
		g.order = append(g.order, n)
		if n < 0 {
			break
		}
	}
	g.Stats.Work += len(g.where)
	for _, n := range g.order {
		if n >= 0 {
			g.check(n)
		}
	}
	what, r := q.meets()
	if q.what = what; r != nil {
		g.state(q.lit, r)
	}
}

// state adds the clause that lit cannot be for a reason.
func (g *General) state(lit solver.Lit, r reason) {
	g.Stats.Clauses++
	clause := []solver.Lit{lit.Not()}
	for _, l := range r {
		clause = append(clause, l.Not())
	}
	g.s.AddClause(clause...)
}

// check states what a node breaks in the candidate: it must meet what it met in the trace.
func (g *General) check(n int32) {
	e, f := g.event(n), g.nodeSpot(n)
	p := &g.places[e.Thread][e.Seq]
	if g.nodes[n].partner >= 0 { // QCHAN4
		var r reason
		if !g.counts(&r, g.channel(e.Loc.Addr).open(), f) {
			g.state(g.in[n], r)
		}
		return
	}
	x := g.meets(p, p.kase())
	want := g.expect(p)
	if x.cells != nil {
		if r := g.wanted(p, x.cells, f, want); r != nil {
			g.state(g.in[n], r)
		}
		return
	}
	if m, r := g.judge(p, p.kase(), f); m.blocked || m.what != want {
		g.state(g.in[n], r)
	}
}

// pairs lists the sends and receives that can be a rendezvous, and are none in the trace.
func (g *General) pairs(each func(s, r *place, ks, kr int16)) {
	type end struct {
		p    *place
		kase int16
		ch   uint64
	}
	var sends, recvs []end
	for _, ps := range g.places {
		for i := range ps {
			p := &ps[i]
			add := func(send bool, ch uint64, kase int16) {
				if ch == 0 || g.channel(ch).cap != 0 {
					return
				}
				if send {
					sends = append(sends, end{p, kase, ch})
				} else {
					recvs = append(recvs, end{p, kase, ch})
				}
			}
			for k, c := range p.op.Cases {
				add(c.Kind == event.ChanSend, c.Chan, int16(k))
			}
			if p.op.Kind.IsComm() {
				add(p.op.Kind == event.ChanSend, p.op.Loc.Addr, -1)
			}
		}
	}
	for _, s := range sends {
		for _, r := range recvs {
			if s.ch == r.ch && s.p.thread != r.p.thread {
				each(s.p, r.p, s.kase, r.kase)
			}
		}
	}
}

// both returns the spot where two operations are about to run (ADJ1), nil if there is none.
func (g *General) both(a, b *place) *spot {
	if x := g.ghost(a, -2); x.clock[b.thread] > b.seq {
		return nil
	}
	if x := g.ghost(b, -2); x.clock[a.thread] > a.seq {
		return nil
	}
	s := &spot{at: g.s.NewVar(), id: ^int32(len(g.spots)), clock: make([]int32, len(g.t.Threads))}
	s.pos = g.s.NewNode(s.at)
	g.nodeAt = append(g.nodeAt, s.id)
	g.spots = append(g.spots, s)
	for _, p := range []*place{a, b} {
		x := g.ghost(p, -2)
		g.s.AddClause(s.at.Not(), x.at)
		g.s.AddEdge(x.pos, s.pos)
		for th, c := range x.clock {
			s.clock[th] = max(s.clock[th], c)
		}
	}
	return s
}

// meeting asks whether a send and a receive can be a rendezvous.
func (g *General) meeting(s, r *place, ks, kr int16, each func(Lead)) {
	if s.node >= 0 && s.node == r.node && s.case_ == ks && r.case_ == kr {
		return
	}
	f := g.both(s, r)
	if f == nil {
		return
	}
	ch := s.op.Loc.Addr
	if s.op.IsSelect() {
		ch = s.op.Cases[ks].Chan
	}
	then := seed.Step{Thread: g.t.Threads[s.thread].ID, Case: ks, Partner: g.t.Threads[r.thread].ID, PartnerCase: kr}
	g.cuts(g.query(f, func() (string, reason) {
		var why reason
		if !g.counts(&why, g.channel(ch).open(), f) {
			return "", append(reason{}, why...)
		}
		return "", nil
	}), then, each)
}

// stuck asks for all prefixes after which nothing can move, and that are not the whole trace.
func (g *General) stuck(each func(Lead)) {
	end := &spot{end: true, id: -1 << 30}
	q := &query{lit: g.s.NewVar()}
	var waits []*place // what can be blocked
	less := []solver.Lit{q.lit.Not()}
	for th := range g.places {
		for i := range g.places[th] {
			p := &g.places[th][i]
			if b := movedBuffer(g, p); b != nil {
				g.s.AddClause(append(b, q.lit.Not())...)
			} else if p.canBlock() {
				waits = append(waits, p)
			} else {
				g.s.AddClause(append(g.moved(p), q.lit.Not())...)
			}
		}
		if n := len(g.places[th]); n > 0 {
			if p := &g.places[th][n-1]; p.node >= 0 {
				less = append(less, g.in[p.node].Not())
			} else if n > 1 {
				less = append(less, g.in[g.places[th][n-2].node].Not())
			}
		}
	}
	g.s.AddClause(less...)
	q.meets = func() (string, reason) {
		for _, p := range waits {
			if !g.standing(p) {
				continue
			}
			n := 1
			if p.op.IsSelect() {
				n = len(p.op.Cases)
			}
			for k := range n {
				if m, r := g.judge(p, int16(k), end); !m.blocked {
					return "", append(r, negate(g.moved(p))...)
				}
			}
		}
		var why reason
		g.pairs(func(s, r *place, ks, kr int16) {
			if why != nil || !g.standing(s) || !g.standing(r) {
				return
			}
			ch := s.op.Loc.Addr
			if s.op.IsSelect() {
				ch = s.op.Cases[ks].Chan
			}
			var x reason
			if g.counts(&x, g.channel(ch).open(), end) {
				why = append(append(append(reason{}, x...), negate(g.moved(s))...), negate(g.moved(r))...)
			}
		})
		return "", why
	}
	for g.solve(q) {
		each(Lead{Seed: g.seed(g.order), Blocked: true})
		differs := []solver.Lit{q.lit.Not()}
		for th := range g.places {
			for i := range g.places[th] {
				if n := g.places[th][i].node; n >= 0 {
					if g.where[n] >= 0 {
						differs = append(differs, g.in[n].Not())
					} else {
						differs = append(differs, g.in[n])
						break
					}
				}
			}
		}
		g.s.AddClause(differs...)
	}
	g.close(q)
}

func negate(ls []solver.Lit) (out reason) {
	for _, l := range ls {
		out = append(out, l.Not())
	}
	return out
}

// moved is the clause that a goroutine does not stand at a place.
func (g *General) moved(p *place) (out []solver.Lit) {
	if p.node >= 0 {
		out = append(out, g.in[p.node])
	}
	if p.seq > 0 {
		return append(out, g.in[g.places[p.thread][p.seq-1].node].Not())
	}
	if s := g.t.Threads[p.thread].Spawn; s >= 0 {
		out = append(out, g.in[g.of[s]].Not())
	}
	return out
}

// standing reports whether a goroutine stands at a place at the end of the candidate.
func (g *General) standing(p *place) bool {
	if p.node >= 0 && g.where[p.node] >= 0 {
		return false
	}
	if p.seq > 0 {
		return g.where[g.places[p.thread][p.seq-1].node] >= 0
	}
	s := g.t.Threads[p.thread].Spawn
	return s < 0 || g.where[g.of[s]] >= 0
}

// canBlock reports whether an operation is one that can be blocked.
func (p *place) canBlock() bool {
	if p.op.IsSelect() {
		return !p.op.HasDefault
	}
	return p.op.Kind.CanWait() && !p.op.Kind.WaitsForClock() // of those that wait for the clock newObjects has no rule
}

// Races calls each with two operations that race by prediction: they are both next after a prefix, and the seed ends
// with them. done says that a pair of sites needs no further prediction. It reports whether all were asked for.
func (g *General) Races(done func(a, b event.Site) bool, each func(a, b event.Site, s seed.Seed)) (complete bool) {
	unknown := g.Stats.Unknown
	var all []*place
	for _, ps := range g.places {
		for i := range ps {
			switch k := ps[i].op.Kind; {
			case k.CanRace(), k.Object() == event.WaitGroup:
				all = append(all, &ps[i])
			}
		}
	}
	for i := range all {
		for _, b := range all[i+1:] {
			a := all[i]
			if b.op.Kind == event.WaitGroupWait {
				a, b = b, a
			}
			if a.thread == b.thread || !conflict(&a.op, &b.op) || done(a.op.Site, b.op.Site) {
				continue
			}
			f := g.both(a, b)
			if f == nil {
				continue
			}
			q := g.query(f, func() (string, reason) {
				if a.op.Kind == event.WaitGroupWait {
					if m, r := g.judge(a, 0, f); m.blocked {
						return "", append(reason{}, r...)
					}
				}
				return "", nil
			})
			if g.solve(q) {
				order, _, _ := g.cut(f)
				step := func(p *place) seed.Step {
					return seed.Step{Thread: g.t.Threads[p.thread].ID, Case: -1, PartnerCase: -1}
				}
				each(a.op.Site, b.op.Site, g.seed(order, step(a), step(b)))
			}
			g.close(q)
		}
	}
	return g.Stats.Unknown == unknown
}

// conflict reports whether two operations of different goroutines race when both are next; of a wait group the Wait
// comes first.
func conflict(a, b *event.Op) bool {
	if a.Kind == event.WaitGroupWait || b.Kind == event.WaitGroupAdd {
		return a.Kind == event.WaitGroupWait && b.Kind == event.WaitGroupAdd && int64(b.Key) > 0 && a.Loc == b.Loc
	}
	return a.Loc.Overlaps(b.Loc) && a.Kind.IsAccess() == b.Kind.IsAccess() && !(a.Kind.IsAtomic() && b.Kind.IsAtomic()) &&
		(a.Kind.IsWrite() || b.Kind.IsWrite())
}
