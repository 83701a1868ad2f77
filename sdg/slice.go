package sdg

import "slices"

// This file computes context-sensitive slices: Horwitz, Reps and Binkley 1990, section 4. A walk backwards first goes
// up to callers, and over calls by their summary edges. Then it goes down into what was called, and never up again. A
// walk through memory starts anew, for what wrote there may have been called from anywhere.

// A state is how a walk has come to a node.
type state uint8

const (
	descended state = 1 << iota // only down from here; else also up
	valueOnly                   // what decides the value, not whether it is computed
)

// A visited set has a bit for each state at each node.
type walk struct {
	s    *System
	seen []uint8
	work []step
}

type step struct {
	node NodeID
	as   state
}

func (w *walk) visit(n NodeID, as state) {
	// A state with fewer bits goes wherever one with more does.
	for covers := as; ; covers = (covers - 1) & as {
		if w.seen[n]&(1<<covers) != 0 {
			return
		}
		if covers == 0 {
			break
		}
	}
	w.seen[n] |= 1 << as
	w.work = append(w.work, step{n, as})
}

func (w *walk) nodes() []NodeID {
	var out []NodeID
	for n, bits := range w.seen {
		if bits != 0 {
			out = append(out, NodeID(n))
		}
	}
	return out
}

func (s *System) newWalk() *walk { return &walk{s: s, seen: make([]uint8, s.nodes)} }

// Backward returns all that the nodes of from depend on: whether they execute, and what they compute. The
// result has the nodes themselves and is in ascending order.
func (s *System) Backward(from ...NodeID) []NodeID {
	w := s.newWalk()
	for _, n := range from {
		w.visit(n, 0)
	}
	return w.backward()
}

// BackwardValue returns what the values that the nodes of from use depend on, given that they execute.
func (s *System) BackwardValue(from ...NodeID) []NodeID {
	w := s.newWalk()
	for _, n := range from {
		w.visit(n, valueOnly)
	}
	return w.backward()
}

// BackwardExecution returns what decides whether the nodes of from execute (rule 1 of the dissertation, section
// 4.2.2.1): all that leads to them by a last Control or Call edge.
func (s *System) BackwardExecution(from ...NodeID) []NodeID {
	w := s.newWalk()
	for _, n := range from {
		for _, e := range s.In(n) {
			if e.Kind&(Control|Call) != 0 {
				w.visit(e.From, 0)
			}
		}
	}
	return w.backward()
}

func (w *walk) backward() []NodeID { return w.backwardBy(func(Edge) bool { return true }) }

// backwardBy walks along the edges that may be followed.
func (w *walk) backwardBy(may func(Edge) bool) []NodeID {
	for len(w.work) > 0 {
		at := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		for _, e := range w.s.In(at.node) {
			if !may(e) {
				continue
			}
			switch e.Kind {
			case Data, Gate, SummaryValue:
				w.visit(e.From, at.as)
			case Control, Summary:
				if at.as&valueOnly == 0 {
					w.visit(e.From, at.as)
				}
			case ParamIn:
				if at.as&descended == 0 {
					w.visit(e.From, at.as)
				}
			case Call:
				if at.as == 0 {
					w.visit(e.From, 0)
				}
			case ParamOut:
				w.visit(e.From, at.as|descended)
			case Memory: // what is there depends on whether it was written
				w.visit(e.From, 0)
			}
		}
	}
	return w.nodes()
}

// BackwardWhere is Backward along those edges that may be followed.
func (s *System) BackwardWhere(may func(Edge) bool, from ...NodeID) []NodeID {
	w := s.newWalk()
	for _, n := range from {
		w.visit(n, 0)
	}
	return w.backwardBy(may)
}

// Forward returns all that depends on the nodes of from, with them, in ascending order.
func (s *System) Forward(from ...NodeID) []NodeID {
	return s.ForwardWhere(func(Edge) bool { return true }, from...)
}

// ForwardWhere is Forward along those edges that may be followed.
func (s *System) ForwardWhere(may func(Edge) bool, from ...NodeID) []NodeID {
	w := s.newWalk()
	for _, n := range from {
		w.visit(n, 0)
	}
	for len(w.work) > 0 {
		at := w.work[len(w.work)-1]
		w.work = w.work[:len(w.work)-1]
		for _, e := range s.Out(at.node) {
			if !may(e) {
				continue
			}
			switch e.Kind {
			case Data, Gate, Control, Summary, SummaryValue:
				w.visit(e.To, at.as)
			case ParamOut: // here "descended" means that the walk went into a call, and does not return from it
				if at.as == 0 {
					w.visit(e.To, 0)
				}
			case ParamIn, Call:
				w.visit(e.To, descended)
			case Memory:
				w.visit(e.To, 0)
			}
		}
	}
	return w.nodes()
}

// Contains reports whether a slice has n.
func Contains(slice []NodeID, n NodeID) bool {
	_, ok := slices.BinarySearch(slice, n)
	return ok
}
