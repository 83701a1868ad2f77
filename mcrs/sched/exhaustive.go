package sched

// Exhaustive walks the tree of all schedules, depth first, one path per
// execution (stateless search: Godefroid, "Model Checking for Programming
// Languages using VeriSoft", POPL 1997). Unlike other schedulers it is used for
// many executions, with Advance between them:
//
//	for x := new(sched.Exhaustive); ; {
//		m.Run(x, o)
//		if !x.Advance() {
//			break
//		}
//	}
type Exhaustive struct {
	path  []branch
	depth int
}

// A branch is a decision: the one taken, of how many.
type branch struct{ taken, of int }

// Next implements Scheduler: it repeats the path, and takes the first transition beyond it.
func (x *Exhaustive) Next(s *State) int {
	if x.depth == len(x.path) {
		x.path = append(x.path, branch{0, len(s.Enabled)})
	}
	b := x.path[x.depth]
	if b.of != len(s.Enabled) {
		panic("sched: the machine is not deterministic")
	}
	x.depth++
	return b.taken
}

// AtEnd reports whether the next decision is beyond the path: it has not been taken before.
func (x *Exhaustive) AtEnd() bool { return x.depth == len(x.path) }

// Advance moves to the next path. It returns false when there is none.
func (x *Exhaustive) Advance() bool {
	x.path = x.path[:x.depth] // an execution may have ended earlier than the one before
	x.depth = 0
	for n := len(x.path); n > 0; n = len(x.path) {
		last := &x.path[n-1]
		if last.taken++; last.taken < last.of {
			return true
		}
		x.path = x.path[:n-1]
	}
	return false
}
