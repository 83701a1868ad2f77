package union

import "github.com/heddle-go/heddle/mcrs/event"

// This file makes an execution show more than it is made for.

// planSteps bounds the moves that are tried for the sake of one execution.
const planSteps = 400

// plan returns moves to make after a move whose edge is missing. While the mover stands there, other goroutines go on, each alone, to where
// they too would meet something new. A mover that has only read leaves the state as it is.
func (e *Engine) plan(f frame, m move) (out []move) {
	if !e.onlyReads(f.s.node(m.thread)) {
		return nil
	}
	s, try := e.sweep.clone(&f.s), e.sweep.clone(&f.s)
	s.setNode(m.thread, 0)
	left := planSteps
	threads := int32(len(s.nodes))
	for again := true; again; {
		again = false
		for i := int32(1); i < threads && left > 0; i++ {
			u := (m.thread + i) % threads
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
	e.sweep.free = append(e.sweep.free, s, try)
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
		if ends(e.edges[id].kind) {
			return nil, false
		}
		e.apply(s, m, id, pid)
	}
	return nil, false
}

// onlyReads reports whether the operation of a node changes nothing.
func (e *Engine) onlyReads(n int32) bool {
	switch e.nodes[n].op.Kind {
	case event.Read, event.AtomicLoad, event.MapRead, event.ObjectRead, event.ChanLen:
		return true
	}
	return false
}
