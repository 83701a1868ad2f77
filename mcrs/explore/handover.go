package explore

// This file says who goes on where the default explorer does not end.
//
// Where it has no rule, the systematic explorer goes on, for three quarters of the limits in all, and then ICB; where the systematic explorer gives up by itself, ICB has a quarter
// of the limits. Where union has used up its own share, three quarters, ICB goes on at once: what remains of the limits would show little of what is left, but the schedules
// with the fewest preemptions are few, and of these something can be said for sure. Has it not come to an end with any bound within half of the last quarter, or can
// it not say more, the systematic explorer has the rest. In the second regime of time ICB has nothing to say, and the systematic explorer has all that is left.

// usedUp is why union hands over when its share is used up.
const usedUp = "its share of the limits is used up"

// handOver goes on with an exploration that union has given up for a reason.
func handOver(s *session, reason string) {
	x, rest := new(ICB).begin(s), new(Systematic).begin(s)
	x.claim = true
	if s.timing {
		rest.run()
		return
	}
	if reason != usedUp {
		s.share(share, shares)
		rest.run()
		if !s.used() {
			if s.part = (Limits{}); s.res.Verdict == Incomplete {
				s.part = Limits{Executions: s.res.Stats.Executions + s.lim.Executions/shares, Events: s.res.Stats.Events + s.lim.Events/shares}
				x.run()
			}
			return
		}
	}
	s.share(2*shares-1, 2*shares)
	x.run()
	paused := s.used()
	s.part = Limits{}
	switch {
	case x.stuck() || paused && x.bound == 0:
		rest.run()
	case paused:
		x.run()
	}
}
