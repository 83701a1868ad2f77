package constraint

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/solver"
)

// This file defines the rules that are stated lazily: a candidate order is
// executed, and what goes wrong adds the instance of LOCK1, LOCK2 or VAL3 that forbids it.

// candidate returns the nodes of the solver's order, as far as the ghost of q (which is ^read); all if q is nil.
func (e *Encoding) candidate(q *question) []int32 {
	var out []int32
	for _, p := range e.s.Order(nil) {
		n := e.nodeAt[p]
		if n >= 0 {
			out = append(out, n)
		} else if q != nil && ^n == q.read {
			return append(out, n)
		}
	}
	return out
}

// refine executes a candidate for q and states what it breaks.
func (e *Encoding) refine(q *question) {
	last := make(map[int32]int32) // by variable: its last write
	held := make(map[event.Location]int32)
	for _, n := range e.candidate(q) {
		if n < 0 {
			if w := lastOf(last, e.varOf[q.read]); !e.offers(w, q.goal) {
				for _, s := range q.from {
					e.shield(s, e.ghost[q.read].pos, w)
				}
			}
			continue
		}
		switch ev := e.at(n); {
		case !e.nodes[n].free:
		case ev.Kind == event.Lock:
			if l, ok := held[ev.Loc]; ok {
				e.exclude(e.sections[l], e.sections[n])
			}
			held[ev.Loc] = n
		case ev.Kind == event.Unlock:
			if s := e.sections[held[ev.Loc]]; s.unlock == n {
				delete(held, ev.Loc)
			}
		case ev.Kind.IsWrite():
			last[e.varOf[n]] = n
		case e.rf[n] != nil:
			w := lastOf(last, e.varOf[n])
			if e.offers(w, goal{read: n, value: ev.Value}) {
				continue
			}
			for _, s := range e.rf[n] {
				e.shield(s, e.pos[n], w)
			}
		}
	}
}

func lastOf(last map[int32]int32, v int32) int32 {
	if w, ok := last[v]; ok {
		return w
	}
	return initially
}

// offers reports whether the write w, or initially, gives the read of g what g wants.
func (e *Encoding) offers(w int32, g goal) bool {
	if w != initially {
		return !g.initial && e.at(w).Value == g.value
	}
	v := &e.vars[e.varOf[g.read]]
	return g.initial || v.initialKnown && v.initial == g.value
}

// shield states VAL3 of a read at pos that has chosen the source s, against the write w.
func (e *Encoding) shield(s source, pos solver.Node, w int32) {
	if !e.s.Value(s.rf) || s.write == w {
		return
	}
	e.stats.Lazy++
	clause := []solver.Lit{s.rf.Not(), e.in[w].Not(), e.s.Before(pos, e.pos[w])}
	if s.write != initially {
		clause = append(clause, e.s.Before(e.pos[w], e.pos[s.write]))
	}
	e.s.AddClause(clause...)
}

// exclude states LOCK1 and LOCK2 of two critical sections.
func (e *Encoding) exclude(a, b section) {
	e.stats.Lazy++
	clause := []solver.Lit{e.in[a.lock].Not(), e.in[b.lock].Not()}
	for _, p := range [][2]section{{a, b}, {b, a}} {
		first, second := p[0], p[1]
		if first.unlock < 0 {
			continue
		}
		l := e.s.Before(e.pos[first.unlock], e.pos[second.lock])
		clause = append(clause, l)
		e.s.AddClause(l.Not(), e.in[second.lock].Not(), e.in[first.unlock]) // LOCK2
	}
	e.s.AddClause(clause...) // LOCK1
}
