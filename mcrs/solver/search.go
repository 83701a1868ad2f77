package solver

import "slices"

// This file defines the search: propagate, learn or decide, until all
// variables have a value.

// restartUnit is the number of conflicts that one step of the Luby sequence stands for.
const restartUnit = 64

// Solve implements Solver.
func (s *CDCL) Solve(o Options, assumptions ...Lit) Status {
	s.core = nil
	s.cancel(0)
	s.tidy()
	if o.Fresh {
		s.graph.restore()
	}
	s.quiet = o.Branch != nil
	st := s.search(o, assumptions)
	s.cancel(0)
	s.quiet = false
	return st
}

func (s *CDCL) search(o Options, assumptions []Lit) Status {
	spent := 0 // conflicts and refusals
	restarts, untilRestart := 1, restartUnit*luby(1)
	for !s.dead {
		if conflict := s.propagate(); conflict != nil {
			spent++
			untilRestart--
			s.stats.Conflicts++
			if s.level() == 0 {
				s.dead = true
				break
			}
			s.learn(conflict)
			continue
		}
		switch {
		case o.Limit > 0 && spent >= o.Limit:
			return Unknown
		case untilRestart <= 0:
			restarts++
			untilRestart = restartUnit * luby(restarts)
			s.stats.Restarts++
			s.cancel(0)
			continue
		case len(s.learnts) > s.maxLrn:
			s.dropLearnts()
		}
		if s.level() < len(assumptions) {
			switch p := assumptions[s.level()]; s.valueOf(p) {
			case isFalse:
				s.core = s.blame(p)
				return Unsat
			case isTrue:
				s.push() // an empty level keeps levels and assumptions in step
			default:
				s.push()
				s.enqueue(p, nil)
			}
			continue
		}
		before := s.version
		if o.Branch != nil {
			l := s.ask(o.Branch)
			if s.version != before {
				s.stats.Refined++
			} else if l == 0 {
				s.saveModel()
				return Sat
			}
			continue
		}
		if s.decide() {
			continue
		}
		s.saveModel()
		if o.Refine == nil {
			return Sat
		}
		o.Refine()
		if s.version == before {
			return Sat
		}
		spent++
		s.stats.Refined++
	}
	return Unsat
}

// ask decides what branch says, unless a clause that branch added left something else to do first.
func (s *CDCL) ask(branch func() Lit) Lit {
	level := s.level()
	s.branching = true
	l := branch()
	s.branching = false
	if l != 0 && s.level() == level && s.head == len(s.trail) && !s.dead {
		if s.valueOf(l) != unset {
			panic("solver: Branch wants to decide a literal that has a value")
		}
		s.stats.Decisions++
		s.push()
		s.enqueue(l, nil)
	}
	return l
}

// push opens a decision level.
func (s *CDCL) push() {
	s.trailLim = append(s.trailLim, int32(len(s.trail)))
	s.edgeLim = append(s.edgeLim, int32(len(s.edges)))
}

// cancel undoes all levels above level.
func (s *CDCL) cancel(level int) {
	if s.level() <= level {
		return
	}
	bottom := int(s.edgeLim[level])
	for i := len(s.edges) - 1; i >= bottom; i-- {
		s.graph.pop(s.ends(s.edges[i]))
	}
	s.edges = s.edges[:bottom]
	bottom = int(s.trailLim[level])
	for _, l := range s.trail[bottom:] {
		s.vals[index(l)], s.vals[index(l.Not())] = unset, unset
		s.varOf(l).reason = nil
		if !s.quiet {
			s.heap.push(int32(max(l, -l)))
		}
	}
	s.trail = s.trail[:bottom]
	s.head = min(s.head, bottom)
	s.trailLim, s.edgeLim = s.trailLim[:level], s.edgeLim[:level]
}

// ends returns the edge that the true atom l stands for.
func (s *CDCL) ends(l Lit) (from, to Node) {
	v := s.varOf(l)
	if l > 0 {
		return v.a, v.b
	}
	return v.b, v.a
}

// enqueue makes l true, which must be unset.
func (s *CDCL) enqueue(l Lit, reason *clause) {
	s.vals[index(l)], s.vals[index(l.Not())] = isTrue, isFalse
	v := s.varOf(l)
	v.level, v.reason = int32(s.level()), reason
	s.trail = append(s.trail, l)
}

// decide opens a level with a literal of its choice. It reports whether a variable was left.
func (s *CDCL) decide() bool {
	for len(s.heap.list) > 0 {
		x := s.heap.pop()
		v := &s.vars[x]
		if s.valueOf(Lit(x)) != unset || !v.needed {
			continue
		}
		l := -Lit(x)
		if v.isAtom && s.graph.pos[v.a] < s.graph.pos[v.b] {
			l = Lit(x)
		}
		s.stats.Decisions++
		s.push()
		s.enqueue(l, nil)
		return true
	}
	return false
}

// propagate draws all consequences of the trail. It returns a clause that is false, nil if there is none.
func (s *CDCL) propagate() *clause {
	for s.head < len(s.trail) {
		l := s.trail[s.head]
		s.head++
		s.stats.Propagations++
		if s.varOf(l).isAtom {
			from, to := s.ends(l)
			if cycle, ok := s.graph.add(from, to, l); !ok {
				return &clause{lits: cycle}
			}
			s.edges = append(s.edges, l)
		}
		if c := s.propagateClauses(l.Not()); c != nil {
			return c
		}
	}
	return nil
}

// propagateClauses visits the clauses that watch l, which has become false.
func (s *CDCL) propagateClauses(l Lit) *clause {
	ws := s.watches[index(l)]
	kept := ws[:0]
	var conflict *clause
visit:
	for i, w := range ws {
		if x := s.valueOf(w.blocker); x == isTrue || w.short && x == unset {
			kept = append(kept, w)
			if x == unset {
				s.enqueue(w.blocker, w.c)
			}
			continue
		}
		lits := w.c.lits
		if lits[0] == l {
			lits[0], lits[1] = lits[1], lits[0]
		}
		for k := 2; k < len(lits); k++ {
			if s.valueOf(lits[k]) != isFalse {
				lits[1], lits[k] = lits[k], lits[1]
				s.watches[index(lits[1])] = append(s.watches[index(lits[1])], watch{w.c, lits[0], w.short})
				continue visit
			}
		}
		kept = append(kept, watch{w.c, lits[0], w.short})
		switch s.valueOf(lits[0]) {
		case unset:
			s.enqueue(lits[0], w.c)
		case isFalse:
			conflict = w.c
			kept = append(kept, ws[i+1:]...)
			break visit
		}
	}
	clear(ws[len(kept):])
	s.watches[index(l)] = kept
	return conflict
}

func (s *CDCL) saveModel() {
	s.model = slices.Grow(s.model[:0], len(s.vars))[:len(s.vars)]
	for i := range s.vars {
		v := &s.vars[i]
		x := s.vals[2*i]
		s.model[i] = x == isTrue
		if x == unset && v.isAtom { // nothing needs it; the order says
			s.model[i] = s.graph.pos[v.a] < s.graph.pos[v.b]
		}
	}
	s.order = append(s.order[:0], s.graph.at...)
}

// luby returns the i-th number, from 1, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …
func luby(i int) int {
	for k := 1; ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - (1<<(k-1) - 1))
		}
	}
}
