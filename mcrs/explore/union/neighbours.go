package union

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says which neighbouring transitions of an execution the reduction takes to be independent. It serves those
// who check the reduction.

// Independent lists transitions of an execution, by their numbers (those of the steps of sched.SeedOf). The next
// transition is another goroutine's and could come first, and one of the two does not concern the other. The reduction
// relies on either (RED1). The list goes as far as the execution is known.
func (e *Engine) Independent(t *trace.Trace) (steps []int) {
	moves := e.movesOf(t)
	s := e.Start()
	for n, m := range moves {
		all := e.enabledMoves(&s)
		if !slices.Contains(all, m) {
			return steps
		}
		if n+1 < len(moves) && slices.Contains(all, moves[n+1]) && apart(m, moves[n+1]) && !e.ended(&s, m, moves[n+1]) &&
			!(e.concerns(&s, m, moves[n+1]) && e.concerns(&s, moves[n+1], m)) {
			steps = append(steps, n)
		}
		id, pid, missing := e.EdgesFor(&s, m)
		if missing.Node != 0 {
			return steps
		}
		e.Apply(&s, m, id, pid)
	}
	return steps
}

// movesOf returns the moves of an execution, as far as their goroutines are known.
func (e *Engine) movesOf(t *trace.Trace) (moves []spec.Move) {
	for i := range t.Events {
		st, ok := sched.StepAt(t, i)
		if !ok {
			continue
		}
		who, known := e.Threads[st.Thread]
		m := spec.Move{Thread: who, Partner: -1, Case: st.Case, PartnerCase: -1}
		if st.Partner != "" && known {
			m.Partner, known = e.Threads[st.Partner]
			m.PartnerCase = st.PartnerCase
		}
		if !known {
			break
		}
		moves = append(moves, m)
	}
	return moves
}

// enabledMoves returns the moves of a state, after a move of the clock if there are none without.
func (e *Engine) enabledMoves(s *spec.State) (all []spec.Move) {
	for {
		for t := range s.Nodes {
			all = e.Enabled(s, int32(t), all)
		}
		if len(all) > 0 || !e.Tick(s) {
			return all
		}
	}
}

// apart reports whether two moves are of different goroutines.
func apart(a, b spec.Move) bool {
	return a.Thread != b.Thread && a.Thread != b.Partner && (a.Partner < 0 || a.Partner != b.Thread && a.Partner != b.Partner)
}

// ended reports whether one of two moves ends the program (UEND1).
func (e *Engine) ended(s *spec.State, ms ...spec.Move) bool {
	return slices.ContainsFunc(ms, func(m spec.Move) bool {
		return e.Nodes[s.Node(m.Thread)].Op.Kind.EndsProgram()
	})
}

// concerns reports whether the operation of one move may be dependent with that of another one, as choose sees it.
func (e *Engine) concerns(s *spec.State, a, b spec.Move) bool {
	e.Scratch.Reset(len(s.Nodes))
	for _, t := range []int32{a.Thread, a.Partner} {
		if t < 0 || e.TouchesNothing(s.Nodes[t]) {
			continue
		}
		mask, ofLock := e.ConflictsOf(s, t)
		for _, u := range []int32{b.Thread, b.Partner} {
			if u < 0 {
				continue
			}
			own := e.Touches(s.Nodes[u])
			if own.Meets(mask) || ofLock && e.LockConcerns(s, t, u, own) {
				return true
			}
		}
	}
	return false
}
