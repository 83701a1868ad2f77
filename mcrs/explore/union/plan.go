package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file makes an execution show more than it is made for. An operation that only reads may be added anywhere, for nobody else can tell; and
// while a goroutine stands behind an operation whose answer nobody knows, the others may go on as far as they are known.

// Bounds of what is tried for the sake of one execution: moves after the one that it is made for, and reads before it.
const (
	planSteps = 400
	planReads = 4000
)

// A plan is the way to a state, and the reads that are added to it.
type plan struct {
	way    []step
	states []state // before each step, and at the end
	least  []int   // by thread: the steps of the way up to the last that it takes part in and does more than read
	drop   []bool  // by thread: its reads after these are left out
	added  []addition
	seen   []reached
}

// An addition is a move before a step of the way.
type addition struct {
	at int
	m  move
}

// A reached is a node at which a goroutine can be before a step of the way, having only read.
type reached struct {
	addition // the move that leads there
	node     int32
	from     int // in plan.seen, -1 at its start
}

// execution returns the moves of an execution in which a waiting one is made.
func (e *Engine) execution(w waiter) []move {
	p := &e.plan
	p.reset(e, w.at)
	s := e.free.clone(&w.at.s)
	s.setNode(w.m.thread, 0)
	if w.m.partner >= 0 {
		s.setNode(w.m.partner, 0)
	}
	if c := e.clockOf(&s); c.now == e.began.now && c.moves == 0 { // it moves when nothing is enabled
		left := planReads
		p.follow(e)
		for i := int32(1); i < int32(len(s.nodes)) && left > 0; i++ {
			if u := (w.m.thread + i) % int32(len(s.nodes)); s.nodes[u] != 0 && p.reads(e, u, &left) {
				s.setNode(u, 0)
			}
		}
	}
	out := append(p.moves(), w.m)
	if e.onlyReads(w.at.s.node(w.m.thread)) {
		return e.goOn(s, w.m.thread, out)
	}
	e.free.release(s)
	return out
}

// reset makes the way to a state the plan.
func (p *plan) reset(e *Engine, f frame) {
	p.way, p.added = p.way[:0], p.added[:0]
	p.way = slices.AppendSeq(p.way, e.sweep.trail.back(f.last))
	slices.Reverse(p.way)
	threads := len(f.s.nodes)
	p.least, p.drop = append(p.least[:0], make([]int, threads)...), append(p.drop[:0], make([]bool, threads)...)
}

// follow notes the states of the way, on which the clock does not move.
func (p *plan) follow(e *Engine) {
	for len(p.states) <= len(p.way) {
		p.states = append(p.states, state{})
	}
	p.states[0] = e.start()
	for i, st := range p.way {
		s, next := &p.states[i], &p.states[i+1]
		s.copyTo(next)
		id, pid, _ := e.edgesFor(s, st.m)
		if !e.idle(id) {
			p.least[st.m.thread] = i + 1
		}
		if x := &e.edges[id]; x.kind == event.SelectDefault { // those who stand at its channels later are not in its way
			for t := range p.least {
				p.least[t] = i + 1
			}
		}
		e.apply(next, st.m, id, pid)
		if st.m.partner >= 0 {
			p.least[st.m.partner] = i + 1
		}
		for t := range next.nodes {
			if s.node(int32(t)) == 0 {
				p.least[t] = i + 1
			}
		}
	}
}

// idle reports whether an operation changes nothing but the goroutine that makes it.
func (e *Engine) idle(id int32) bool {
	x := &e.edges[id]
	return e.onlyReads(x.from) && x.rest == nil
}

// reads looks for reads of a goroutine that lead to one that would meet something new, and adds them.
func (p *plan) reads(e *Engine, u int32, left *int) bool {
	first := p.least[u]
	p.seen = append(p.seen[:0], reached{node: p.states[first].nodes[u], from: -1})
	for at := first; at <= len(p.way); at++ {
		s := &p.states[at]
		was := s.nodes[u]
		for i := 0; i < len(p.seen) && *left > 0; i++ {
			if *left--; !e.nodes[p.seen[i].node].known || !e.onlyReads(p.seen[i].node) {
				continue
			}
			s.nodes[u] = p.seen[i].node
			m := move{u, -1, -1, -1}
			id, _, missing := e.edgesFor(s, m)
			s.nodes[u] = was
			if missing.node != 0 {
				p.add(reached{addition{at, m}, 0, i})
				return true
			}
			if to := e.edges[id].to; e.idle(id) && !slices.ContainsFunc(p.seen, func(r reached) bool { return r.node == to }) {
				p.seen = append(p.seen, reached{addition{at, m}, to, i})
			}
		}
	}
	return false
}

// add adds a read and those that lead to it.
func (p *plan) add(r reached) {
	p.drop[r.m.thread] = true
	n := len(p.added)
	for ; ; r = p.seen[r.from] {
		if r.from < 0 {
			break
		}
		p.added = append(p.added, r.addition)
	}
	slices.Reverse(p.added[n:])
}

// moves lists the moves of the plan, without those that end the program (see seedOf).
func (p *plan) moves() (out []move) {
	slices.SortStableFunc(p.added, func(a, b addition) int { return a.at - b.at })
	added := p.added
	for i := 0; ; i++ {
		for len(added) > 0 && added[0].at == i {
			out = append(out, added[0].m)
			added = added[1:]
		}
		if i == len(p.way) {
			return out
		}
		if st := p.way[i]; !st.ends && !(p.drop[st.m.thread] && i >= p.least[st.m.thread]) {
			out = append(out, st.m)
		}
	}
}

// goOn appends moves to make in a state after the goroutine who has moved on into the unknown. The others go on, each alone, to where
// they too would meet something new.
func (e *Engine) goOn(s state, who int32, out []move) []move {
	try := e.free.clone(&s)
	left := planSteps
	threads := int32(len(s.nodes))
	for again := true; again; {
		again = false
		for i := int32(1); i < threads && left > 0; i++ {
			u := (who + i) % threads
			if s.nodes[u] == 0 {
				continue
			}
			s.copyTo(&try)
			way, found := e.alone(&try, u, out, &left)
			if !found {
				continue
			}
			out = way
			n := try.nodes[u]
			try.setNode(u, 0)
			s, try = try, s
			if !e.onlyReads(n) {
				left = 0
				break
			}
			again = true
		}
	}
	e.free.release(s)
	e.free.release(try)
	return out
}

// alone lets a goroutine go on until it stands where it would meet something new. It appends the moves, the last of them that.
func (e *Engine) alone(s *state, u int32, way []move, left *int) (out []move, found bool) {
	for ; *left > 0; *left-- {
		moves := e.enabled(s, u, e.planned[:0])
		e.planned = moves
		if len(moves) == 0 || moves[0].partner >= 0 {
			return nil, false
		}
		m := moves[0]
		way = append(way, m)
		id, pid, missing := e.edgesFor(s, m)
		if missing.node != 0 {
			return way, true
		}
		if e.edges[id].kind.EndsThread() {
			return nil, false
		}
		e.apply(s, m, id, pid)
	}
	return nil, false
}

// onlyReads reports whether the operation of a node changes nothing.
func (e *Engine) onlyReads(n int32) bool {
	return e.nodes[n].op.Kind.OnlyReads()
}
