package sdg

import "golang.org/x/tools/go/ssa"

// An Effect says how a function's outcomes depend on its parameters: what a caller has to know of a function whose body
// it does not see. The receiver is the first parameter.
type Effect struct {
	// Flows has, for each result and then for whether the function returns, the set of the
	// parameters that decide it; Values of those that decide its value where it returns. Bit j stands for
	// parameter j, the last bit also for all beyond it.
	Flows, Values []uint64
	// Memory says that the function, or one that it calls, reads or writes memory that others can reach.
	Memory bool
}

func (e *Effect) flow(outcome, param int) bool  { return has(e.Flows, outcome, param) }
func (e *Effect) value(outcome, param int) bool { return has(e.Values, outcome, param) }

func has(sets []uint64, outcome, param int) bool {
	return outcome >= len(sets) || sets[outcome]&(1<<min(param, maxOutcomes-1)) != 0
}

// Effect returns the effect of a function of the graph.
func (s *System) Effect(fn *ssa.Function) (Effect, bool) {
	i, ok := s.number[fn]
	if !ok {
		return Effect{}, false
	}
	var e Effect
	for k := range outcomes(fn.Signature) {
		out := s.results[i] + NodeID(k)
		e.Flows = append(e.Flows, s.params(i, s.inside(out, 0)))
		e.Values = append(e.Values, s.params(i, s.inside(out, valueOnly)))
	}
	e.Memory = s.touchesMemory(i)
	return e, true
}

// inside is a slice that stays in a function, the function literals in it, and the variables that they keep to
// themselves; over its calls it goes by their summaries.
func (s *System) inside(n NodeID, as state) []NodeID {
	w := s.newWalk()
	w.visit(n, as)
	of := outermost(s.Function(n))
	return w.backwardBy(func(e Edge) bool {
		if e.Kind == Memory && s.Function(e.From) == nil {
			return s.isPrivate(e.From)
		}
		return outermost(s.Function(e.From)) == of
	})
}

func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

func (s *System) params(i int32, slice []NodeID) (set uint64) {
	for j := range s.Procedures[i].params {
		if Contains(slice, s.base[i]+1+NodeID(j)) {
			set |= 1 << min(j, maxOutcomes-1)
		}
	}
	return set
}

// touchesMemory reports whether procedure i, or one it may call, has a Memory edge to a class that is not a private
// variable's.
func (s *System) touchesMemory(i int32) bool {
	seen := map[int32]bool{i: true}
	for work := []int32{i}; len(work) > 0; {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		for id := range s.Procedures[k].Nodes {
			n := s.base[k] + NodeID(id)
			for _, e := range s.In(n) {
				if e.Kind == Memory && !s.isPrivate(e.From) {
					return true
				}
			}
			for _, e := range s.Out(n) {
				if e.Kind == Memory && !s.isPrivate(e.To) {
					return true
				}
				if e.Kind == Call {
					if callee, _ := s.procedureOf(e.To); !seen[int32(callee)] {
						seen[int32(callee)] = true
						work = append(work, int32(callee))
					}
				}
			}
		}
		for j := range s.sites { // a call of what nobody knows
			if s.sites[j].proc == k && s.sites[j].unknown {
				return true
			}
		}
	}
	return false
}

// isPrivate reports whether a class is a variable that a function declares and keeps.
func (s *System) isPrivate(n NodeID) bool {
	key := s.mem.keys[n-s.hubs]
	_, isLocal := key.obj.(*ssa.Alloc)
	return key.kind == objectHub && isLocal
}
