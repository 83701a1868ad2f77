package solver

import "slices"

// This file defines what is learnt from a conflict, and who is to blame for one.

// learn turns a clause that is false into one that would have prevented it (the
// first unique implication point), jumps back to where that is not false, and propagates it.
func (s *CDCL) learn(conflict *clause) {
	lits, back := s.analyze(conflict)
	s.inc /= 0.95
	s.stats.Learnt++
	if len(lits) == 1 {
		s.cancel(0)
		s.enqueue(lits[0], nil)
		return
	}
	c := &clause{lits: lits, learnt: true, levels: s.countLevels(lits)}
	s.cancel(back)
	s.learnts = append(s.learnts, c)
	s.attach(c)
	s.enqueue(lits[0], c)
}

// analyze resolves the conflict backwards along the trail until one literal
// of the current level is left: that literal's negation comes first in the
// clause, a literal of the level to jump back to second.
func (s *CDCL) analyze(conflict *clause) (lits []Lit, back int) {
	lits = []Lit{0}
	open := 0 // literals of the current level still to be resolved
	mark := func(l Lit) {
		v := s.varOf(l)
		if v.seen || v.level == 0 {
			return
		}
		v.seen = true
		if s.heap.bump(int32(max(l, -l)), s.inc) {
			const down = 1.0 / (1 << 300)
			s.heap.rescale(down)
			s.inc *= down
		}
		if int(v.level) == s.level() {
			open++
		} else {
			lits = append(lits, l)
		}
	}
	for _, l := range conflict.lits {
		mark(l)
	}
	at := len(s.trail) - 1
	for {
		for !s.varOf(s.trail[at]).seen {
			at--
		}
		l := s.trail[at]
		at--
		s.varOf(l).seen = false
		open--
		if open == 0 {
			lits[0] = l.Not()
			break
		}
		for _, m := range s.varOf(l).reason.lits {
			if m != l {
				mark(m)
			}
		}
	}
	marked := slices.Clone(lits[1:])
	lits = slices.DeleteFunc(lits, func(l Lit) bool { return l != lits[0] && s.implied(l) })
	for _, l := range marked {
		s.varOf(l).seen = false
	}
	for i, l := range lits[1:] {
		if lv := int(s.varOf(l).level); lv > back {
			back = lv
			lits[1], lits[i+1] = l, lits[1]
		}
	}
	return lits, back
}

// implied reports whether the other marked literals of the clause make l superfluous.
func (s *CDCL) implied(l Lit) bool {
	reason := s.varOf(l).reason
	if reason == nil {
		return false
	}
	for _, m := range reason.lits {
		if v := s.varOf(m); m != l.Not() && !v.seen && v.level > 0 {
			return false
		}
	}
	return true
}

func (s *CDCL) countLevels(lits []Lit) int32 {
	var levels []int32
	for _, l := range lits {
		levels = append(levels, s.varOf(l).level)
	}
	slices.Sort(levels)
	return int32(len(slices.Compact(levels)))
}

// blame returns the assumptions that make the assumption p false, and p. All levels
// are assumptions when it is called.
func (s *CDCL) blame(p Lit) []Lit {
	core := []Lit{p}
	if s.varOf(p).level == 0 {
		return core
	}
	s.varOf(p).seen = true
	for i := len(s.trail) - 1; i >= int(s.trailLim[0]); i-- {
		l := s.trail[i]
		v := s.varOf(l)
		if !v.seen {
			continue
		}
		v.seen = false
		if v.reason == nil {
			core = append(core, l)
			continue
		}
		for _, m := range v.reason.lits {
			if w := s.varOf(m); m != l && w.level > 0 {
				w.seen = true
			}
		}
	}
	return core
}
