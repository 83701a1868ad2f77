package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file makes an execution show more than it is made for. An operation that only reads may be added anywhere, for
// nobody else can tell, unless somebody asks for the stacks of all goroutines (UGO4). And while a goroutine stands
// behind an operation whose answer nobody knows, the others may go on as far as they are known.

// Bounds of what is tried for the sake of one execution: moves after the one that it is made for, and reads before it.
const (
	planSteps = 400
	planReads = 4000
)

// A plan is the way to a state, and the reads that are added to it.
type plan struct {
	way    []spec.Step
	states []spec.State // before each step, and at the end
	least  []int        // by thread: the steps of the way up to the last that it takes part in and does more than read
	drop   []bool       // by thread: its reads after these are left out
	added  []addition
	seen   []reached
}

// An addition is a move before a step of the way.
type addition struct {
	at int
	m  spec.Move
}

// A reached is a node at which a goroutine can be before a step of the way, having only read.
type reached struct {
	addition // the move that leads there
	node     int32
	from     int // in plan.seen, -1 at its start
}

// execution returns the moves of an execution in which a waiting one is made.
func (e *Engine) execution(w waiter) []spec.Move {
	p := &e.plan
	p.reset(e, w.at)
	s := e.free.clone(&w.at.s)
	s.SetNode(w.m.Thread, 0)
	if w.m.Partner >= 0 {
		s.SetNode(w.m.Partner, 0)
	}
	e.Restless = true // who is left out may keep its bubble from coming to rest
	defer func() { e.Restless = false }()
	spec.Settle(&e.Rules, &s)
	if c := e.ClockOf(&s); !e.Looked && (e.Timing || c.Now == e.Began.Now && c.Moves == 0) && p.follow(e) { // it moves when nothing is enabled
		left := planReads
		for i := int32(1); i < int32(len(s.Nodes)) && left > 0; i++ {
			if u := (w.m.Thread + i) % int32(len(s.Nodes)); s.Nodes[u] != 0 && p.reads(e, u, &left) {
				s.SetNode(u, 0)
			}
		}
	}
	out := append(p.moves(), w.m)
	if e.onlyReads(w.at.s.Node(w.m.Thread)) {
		return e.goOn(s, w.m.Thread, out)
	}
	e.free.release(s)
	return out
}

// reset makes the way to a state the plan.
func (p *plan) reset(e *Engine, f frame) {
	p.way, p.added = p.way[:0], p.added[:0]
	p.way = slices.AppendSeq(p.way, e.sweep.trail.Back(f.last))
	slices.Reverse(p.way)
	threads := len(f.s.Nodes)
	p.least, p.drop = append(p.least[:0], make([]int, threads)...), append(p.drop[:0], make([]bool, threads)...)
}

// follow notes the states of the way. It returns false if the clock moves on it because nothing is enabled, or a bubble
// comes to rest: an added operation would keep it from that.
func (p *plan) follow(e *Engine) bool {
	e.Restless = false
	defer func() { e.Restless = true }()
	for len(p.states) <= len(p.way) {
		p.states = append(p.states, spec.State{})
	}
	p.states[0] = e.Start()
	for i, st := range p.way {
		s, next := &p.states[i], &p.states[i+1]
		s.CopyTo(next)
		if e.Timing {
			if e.planned = e.Enabled(s, st.Move.Thread, e.planned[:0]); !slices.Contains(e.planned, st.Move) {
				return false
			}
		}
		id, pid, missing := e.EdgesFor(s, st.Move)
		if missing.Node != 0 { // it would meet what no execution has shown: nothing is added
			return false
		}
		if !e.idle(id) {
			p.least[st.Move.Thread] = i + 1
		}
		if x := &e.Edges[id]; x.Kind == event.SelectDefault { // those who stand at its channels later are not in its way
			for t := range p.least {
				p.least[t] = i + 1
			}
		}
		e.Apply(next, st.Move, id, pid)
		if e.Edges[id].Kind == event.Quiesce || spec.BubbleMoved(&e.Rules, next) {
			return false
		}
		if st.Move.Partner >= 0 {
			p.least[st.Move.Partner] = i + 1
		}
		for t := range next.Nodes {
			if s.Node(int32(t)) == 0 {
				p.least[t] = i + 1
			}
		}
	}
	return true
}

// idle reports whether an operation changes nothing but the goroutine that makes it.
func (e *Engine) idle(id int32) bool {
	x := &e.Edges[id]
	return e.onlyReads(x.From) && x.Rest == nil
}

// reads looks for reads of a goroutine that lead to one that would meet something new, and adds them.
func (p *plan) reads(e *Engine, u int32, left *int) bool {
	first := p.least[u]
	p.seen = append(p.seen[:0], reached{node: p.states[first].Nodes[u], from: -1})
	for at := first; at <= len(p.way); at++ {
		s := &p.states[at]
		was := s.Nodes[u]
		for i := 0; i < len(p.seen) && *left > 0; i++ {
			if *left--; !e.Nodes[p.seen[i].node].Known || !e.onlyReads(p.seen[i].node) {
				continue
			}
			s.Nodes[u] = p.seen[i].node
			m := spec.Move{Thread: u, Partner: -1, Case: -1, PartnerCase: -1}
			id, _, missing := e.EdgesFor(s, m)
			waits := e.Relaxed() && spec.BufferingIn(&e.Rules, s).Awaits(u) >= spec.Waits
			if s.Nodes[u] = was; waits {
				continue
			}
			if missing.Node != 0 {
				p.add(reached{addition{at, m}, 0, i})
				return true
			}
			if to := e.Edges[id].To; e.idle(id) && !slices.ContainsFunc(p.seen, func(r reached) bool { return r.node == to }) {
				p.seen = append(p.seen, reached{addition{at, m}, to, i})
			}
		}
	}
	return false
}

// add adds a read and those that lead to it.
func (p *plan) add(r reached) {
	p.drop[r.m.Thread] = true
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
func (p *plan) moves() (out []spec.Move) {
	slices.SortStableFunc(p.added, func(a, b addition) int { return a.at - b.at })
	added := p.added
	out = make([]spec.Move, 0, len(p.way)+len(added)+1) // one more is added behind them
	for i := 0; ; i++ {
		for len(added) > 0 && added[0].at == i {
			out = append(out, added[0].m)
			added = added[1:]
		}
		if i == len(p.way) {
			return out
		}
		if st := p.way[i]; !st.Ends && !(p.drop[st.Move.Thread] && i >= p.least[st.Move.Thread]) {
			out = append(out, st.Move)
		}
	}
}

// goOn appends moves to make in a state after the goroutine who has moved on into the unknown. The others go on, each
// alone, to where they too would meet something new.
func (e *Engine) goOn(s spec.State, who int32, out []spec.Move) []spec.Move {
	try := e.free.clone(&s)
	left := planSteps
	threads := int32(len(s.Nodes))
	for again := true; again; {
		again = false
		for i := int32(1); i < threads && left > 0; i++ {
			u := (who + i) % threads
			if s.Nodes[u] == 0 {
				continue
			}
			s.CopyTo(&try)
			way, found := e.alone(&try, u, out, &left)
			if !found {
				continue
			}
			out = way
			n := try.Nodes[u]
			try.SetNode(u, 0)
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

// alone lets a goroutine go on until it stands where it would meet something new. It appends the moves, that one as the
// last.
func (e *Engine) alone(s *spec.State, u int32, way []spec.Move, left *int) (out []spec.Move, found bool) {
	for ; *left > 0; *left-- {
		moves := e.Enabled(s, u, e.planned[:0])
		e.planned = moves
		if len(moves) == 0 || moves[0].Partner >= 0 || e.Nodes[s.Nodes[u]].Op.Kind == event.Goroutines { // it sees who is left out
			return nil, false
		}
		m := moves[0]
		way = append(way, m)
		id, pid, missing := e.EdgesFor(s, m)
		if missing.Node != 0 {
			return way, true
		}
		if e.Edges[id].Kind.EndsThread() {
			return nil, false
		}
		e.Apply(s, m, id, pid)
	}
	return nil, false
}

// onlyReads reports whether the operation of a node changes nothing. A goroutine that reads the clock may begin to
// sleep.
func (e *Engine) onlyReads(n int32) bool {
	op := &e.Nodes[n].Op
	return op.Kind.OnlyReads() && !(e.Timing && spec.ReadsClock(op))
}
