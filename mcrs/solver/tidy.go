package solver

import (
	"cmp"
	"slices"
)

// This file defines how the solver stays small: it forgets learnt clauses, and whatever
// facts have made superfluous.

// dropLearnts forgets the half of the learnt clauses that spans most levels, the oldest
// first, and lets their number grow. Clauses of at most two levels stay. (One that is a reason
// now may go: the variable still refers to it.)
func (s *CDCL) dropLearnts() {
	byWorth := slices.Clone(s.learnts)
	slices.Reverse(byWorth)
	slices.SortStableFunc(byWorth, func(a, b *clause) int { return cmp.Compare(a.levels, b.levels) })
	for _, c := range byWorth[len(byWorth)/2:] {
		if c.levels > 2 {
			c.gone = true
			s.stats.Dropped++
		}
	}
	s.sweep()
	s.maxLrn += s.maxLrn / 10
}

// tidy drops, at level 0 and once enough facts are new, the clauses that they satisfy. A variable that
// was only in those is decided no more: whoever asks many questions can make the
// variables of one cost nothing by adding the negation of its literals as clauses.
func (s *CDCL) tidy() {
	if s.dead || len(s.trail)-s.facts < 16+len(s.vars)/64 {
		return
	}
	if s.propagate() != nil {
		s.dead = true
		return
	}
	s.facts = len(s.trail)
	for i := range s.vars {
		s.vars[i].needed = false
	}
	for _, c := range s.clauses {
		if s.satisfied(c) {
			c.gone = true
			s.stats.Satisfied++
			continue
		}
		for _, l := range c.lits {
			s.varOf(l).needed = true
		}
	}
	for _, c := range s.learnts {
		c.gone = s.satisfied(c)
	}
	s.sweep()
}

// satisfied reports, at level 0, whether a fact makes c true.
func (s *CDCL) satisfied(c *clause) bool {
	return slices.ContainsFunc(c.lits, func(l Lit) bool { return s.valueOf(l) == isTrue })
}

// sweep removes the clauses that are gone.
func (s *CDCL) sweep() {
	gone := func(c *clause) bool { return c.gone }
	s.clauses = slices.DeleteFunc(s.clauses, gone)
	s.learnts = slices.DeleteFunc(s.learnts, gone)
	for i := range s.watches {
		s.watches[i] = slices.DeleteFunc(s.watches[i], func(w watch) bool { return w.c.gone })
	}
}
