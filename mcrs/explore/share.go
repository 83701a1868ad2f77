package explore

import "math"

// This file deals the limits of an entry among explorers that take turns.
//
//   - The unbounded search comes first. It has three quarters of the executions and of the events, and three eighths of
//     the work. In the second regime of time, where no bounds come next, it has three quarters of the work, too. It may
//     take an eighth more to end what it is at, and to end the search (mayEnd of package union).
//   - Bounds come next (package delay), with half of the work. A limit of executions or events that somebody has set
//     counts for them too, and they get half of what is left of it. A default limit does not: it is there for searches
//     that would go on for ever, and a bound ends.
//   - Where no bound of one delay has room, bounds of the beginning have a quarter of the work.
//   - What is left goes to the explorers that may show something yet.
//
// The end of a share is no limit, and notes nothing in the result. So whoever stops for it says himself that he has not
// come to the end:
//
//	ANSWER1  A search that goes on beyond its share asks for the limits alone (Limited), and nothing is exhausted
//	        unless the explorer has seen that no question is left.
//	ANSWER2 What an execution has left out (LeftOut) is left out whoever goes on. An explorer that begins its answer
//	        anew does not, where there is such a thing.

// First has the explorer at work go as far as the unbounded search may.
func (s *Session) First() {
	s.Part = Limits{Executions: share(s.Limits.Executions, 3, 4), Events: share(s.Limits.Events, 3, 4), Work: s.Limits.Work / 8 * 3}
	if s.Limits.noBounds {
		s.Part.Work *= 2
	}
}

// FirstEnds is the work up to which the unbounded search may go on with what it is at when its share is used up, and
// with the last sweep if it may be at that: a little more than the share.
func (s *Session) FirstEnds() int64 { return s.Part.Work + s.Limits.Work/8 }

// share is n parts of something, of so many.
func share(all, n, of int) int { return all/of*n + all%of*n/of }

// OneRegime reports whether no other regime of time is explored after this one.
func (s *Session) OneRegime() bool { return !s.Limits.timersLater }

// More has it take so many parts of what is left, of so many.
func (s *Session) More(n, of int) {
	st := &s.Result.Stats
	s.Part = Limits{Executions: st.Executions + share(max(0, s.Limits.Executions-st.Executions), n, of), Events: st.Shared + share(max(0, s.Limits.Events-st.Shared), n, of),
		Work: st.Work + s.WorkLeft()/int64(of)*int64(n)}
}

// All has it take what is left.
func (s *Session) All() { s.Part = Limits{} }

// Used reports whether the share is used up.
func (s *Session) Used() bool { return s.UsedWith(0) }

// UsedWith reports whether so many more executions use up the share.
func (s *Session) UsedWith(more int) bool {
	return s.UsedButWork(more) || s.OfWork(s.Part.Work > 0 && s.Result.Stats.Work >= s.Part.Work)
}

// UsedButWork is UsedWith for all but work.
func (s *Session) UsedButWork(more int) bool {
	return s.Part.Executions > 0 && s.Result.Stats.Executions+more >= s.Part.Executions || s.Part.Events > 0 && s.Result.Stats.Shared >= s.Part.Events
}

// OfWork notes that a bound on work has a say, if it has. Whoever compares with such a bound tells it: where it was not
// told, the result is that of any larger limit (TURN1 of package exploration).
func (s *Session) OfWork(is bool) bool {
	s.Result.OfWork = s.Result.OfWork || is
	return is
}

// Bounded calls f, which runs an explorer of bounds.
func (s *Session) Bounded(f func()) {
	s.More(1, 2)
	s.Part.Work = s.Result.Stats.Work + s.Limits.Work/2
	s.lifted(f)
}

// Beginning calls f, which runs an explorer of bounds of the beginning, where those of the whole had no room.
func (s *Session) Beginning(f func()) {
	s.More(1, 2)
	s.Part.Work = s.Result.Stats.Work + s.Limits.Work/4
	s.lifted(f)
}

// Lifted calls f, which runs a search that may take so many parts of what is left, of so many, and as many executions
// and events as that has room for, if nobody has set a limit of these.
func (s *Session) Lifted(n, of int, f func()) {
	s.More(n, of)
	s.lifted(f)
}

// Liftable reports whether nobody has set a limit of executions or events.
func (s *Session) Liftable() bool { return s.Limits.anyExecutions && s.Limits.anyEvents }

// lifted calls f without limits that nobody has set.
func (s *Session) lifted(f func()) {
	st := &s.Result.Stats
	executions, events := st.Executions, st.Shared
	lim := s.Limits
	if lim.anyExecutions {
		s.Limits.Executions, s.Part.Executions = math.MaxInt, 0
	}
	if lim.anyEvents {
		s.Limits.Events, s.Part.Events = math.MaxInt, 0
	}
	f()
	s.All()
	s.Limits = lim
	if lim.anyExecutions {
		s.Limits.Executions += st.Executions - executions
	}
	if lim.anyEvents {
		s.Limits.Events += st.Shared - events
	}
}

// Fits reports whether so many executions have room in what is left of the share, and of the limits, if each takes what
// those since then took.
func (s *Session) Fits(n int, since Stats) bool {
	st, lim := &s.Result.Stats, s.Limits
	if s.Part.Executions > 0 {
		lim.Executions = min(lim.Executions, s.Part.Executions)
	}
	if s.Part.Events > 0 {
		lim.Events = min(lim.Events, s.Part.Events)
	}
	if s.Part.Work > 0 {
		lim.Work = min(lim.Work, s.Part.Work)
	}
	made := st.Executions - since.Executions
	if made == 0 {
		return true
	}
	work, events := (st.Work-since.Work)/int64(made), (st.Shared-since.Shared)/made
	return n < lim.Executions-st.Executions && n <= (lim.Events-st.Shared)/max(1, events) && !s.OfWork(int64(n) > (lim.Work-st.Work)/max(1, work))
}
