package union

import (
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
)

// This file says who goes on where the default explorer does not end.
//
// Union has three quarters of the limits.
//
//   - Where union has no rule, Systematic goes on until three quarters are used, and then ICB. If Systematic gives up by itself, ICB gets a quarter of
//     the limits.
//   - Where union has used up its share, ICB goes on at once. What remains would show little of all schedules, but those with the fewest preemptions
//     are few, and of these something can be said for sure.
//   - If ICB has not finished a bound after half of the last quarter, or cannot say more, Systematic gets the rest.
//   - In the second regime of time ICB has nothing to say. Systematic gets all that is left.

// usedUp is why union hands over when its share is used up.
const usedUp = "its share of the limits is used up"

// handOver goes on with an exploration that union has given up for a reason.
func handOver(s *explore.Session, reason string) {
	x, rest := new(icb.Explorer).Begin(s), new(systematic.Explorer).Begin(s)
	x.Claim = true
	if s.Timing {
		rest.Run()
		return
	}
	if reason != usedUp {
		s.Share(share, shares)
		rest.Run()
		if !s.Used() {
			if s.Part = (explore.Limits{}); s.Result.Verdict == explore.Incomplete {
				s.Part = explore.Limits{Executions: s.Result.Stats.Executions + s.Limits.Executions/shares, Events: s.Result.Stats.Events + s.Limits.Events/shares, Work: s.Result.Stats.Work + s.Limits.Work/shares}
				x.Run()
			}
			return
		}
	}
	s.Share(2*shares-1, 2*shares)
	x.Run()
	paused := s.Used()
	s.Part = explore.Limits{}
	switch {
	case x.Stuck() || paused && x.Bound == 0:
		rest.Run()
	case paused:
		x.Run()
	}
}
