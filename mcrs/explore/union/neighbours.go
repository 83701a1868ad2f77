package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says which neighbouring transitions of an execution the reduction takes to be independent. It is for whoever checks the reduction.

// Independent lists the transitions of an execution, by their numbers (those of the steps of sched.SeedOf), of which the next one is another goroutine's, could come
// first, and does not concern it, or it does not concern the next one: either is what the reduction relies on (RED1). It goes as far as the execution is known.
func (e *Engine) Independent(t *trace.Trace) (steps []int) {
	moves := e.movesOf(t)
	s := e.start()
	for n, m := range moves {
		all := e.enabledMoves(&s)
		if !slices.Contains(all, m) {
			return steps
		}
		if n+1 < len(moves) && slices.Contains(all, moves[n+1]) && apart(m, moves[n+1]) && !e.ended(&s, m, moves[n+1]) &&
			!(e.concerns(&s, m, moves[n+1]) && e.concerns(&s, moves[n+1], m)) {
			steps = append(steps, n)
		}
		id, pid, missing := e.edgesFor(&s, m)
		if missing.node != 0 {
			return steps
		}
		e.apply(&s, m, id, pid)
	}
	return steps
}

// movesOf returns the moves of an execution, as far as their goroutines are known.
func (e *Engine) movesOf(t *trace.Trace) (moves []move) {
	for i := range t.Events {
		st, ok := sched.StepAt(t, i)
		if !ok {
			continue
		}
		who, known := e.threads[st.Thread]
		m := move{who, -1, st.Case, -1}
		if st.Partner != "" && known {
			m.partner, known = e.threads[st.Partner]
			m.pcase = st.PartnerCase
		}
		if !known {
			break
		}
		moves = append(moves, m)
	}
	return moves
}

// enabledMoves returns the moves of a state, after a move of the clock if there are none without.
func (e *Engine) enabledMoves(s *state) (all []move) {
	for {
		for t := range s.nodes {
			all = e.enabled(s, int32(t), all)
		}
		if len(all) > 0 || !e.tick(s) {
			return all
		}
	}
}

// apart reports whether two moves are of different goroutines.
func apart(a, b move) bool {
	return a.thread != b.thread && a.thread != b.partner && (a.partner < 0 || a.partner != b.thread && a.partner != b.partner)
}

// ended reports whether one of two moves ends the program (UEND1).
func (e *Engine) ended(s *state, ms ...move) bool {
	return slices.ContainsFunc(ms, func(m move) bool {
		return e.nodes[s.node(m.thread)].op.Kind.EndsProgram()
	})
}

// concerns reports whether the operation of one move may be dependent with that of another one, as choose sees it.
func (e *Engine) concerns(s *state, a, b move) bool {
	e.own.reset(len(s.nodes))
	for _, t := range []int32{a.thread, a.partner} {
		if t < 0 || e.touchesNothing(s.nodes[t]) {
			continue
		}
		mask, ofLock := e.conflictsOf(s, t)
		for _, u := range []int32{b.thread, b.partner} {
			if u < 0 {
				continue
			}
			own := e.touches(s.nodes[u])
			if own.meets(mask) || ofLock && e.lockConcerns(s, t, u, own) {
				return true
			}
		}
	}
	return false
}
