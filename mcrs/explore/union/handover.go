package union

import (
	"regexp"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/delay"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/sample"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
)

// This file says who goes on where the default explorer does not end. How large the shares are says mcrs/explore/share.go.
//
//   - Where union has no rule, systematic goes on in its share.
//   - Who has not ended then leaves the most schedules out, in whichever order. Now delay goes through its bounds, as many as it has room for: of these
//     something can be said for sure, however many goroutines come to one lock.
//   - If delay has executed all schedules that there are, that is all. Some may have ended at what the machine lacks.
//   - Then icb gets half of what is left, and may say more where few do.
//   - If icb has not finished a bound by then, or cannot say more, systematic gets half of what is left, else icb does.
//   - The rest is sampled, for what nobody has come to.
//   - In the second regime of time bounds have nothing to say. Systematic gets half of what is left, and the rest is sampled.

// usedUp is why union hands over when its share is used up.
const usedUp = "its share of the limits is used up"

// siteNumber is what a reason says of a site. Its number depends on what was executed before in the process, other
// entries with it; so it is no part of a result.
var siteNumber = regexp.MustCompile(`,? at site \d+`)

// handOver goes on with an exploration that union has given up for a reason.
func handOver(s *explore.Session, reason string) {
	rest := new(systematic.Explorer).Begin(s)
	if s.Timing {
		sampled(s, rest.Run)
		return
	}
	if reason != usedUp {
		s.First()
		rest.Run()
		if used := s.Used(); !used && s.Result.Verdict == explore.Exhausted {
			s.All()
			return
		}
	}
	if byDelays(s) {
		return
	}
	byPreemptions(s, rest)
}

// byDelays goes through the bounds of delays. It reports whether every schedule was executed.
func byDelays(s *explore.Session) bool {
	x := new(delay.Explorer).Begin(s)
	x.Fit = true
	s.Bounded(x.Run)
	return x.All()
}

// byPreemptions goes on with the schedules that have the fewest preemptions, and then with the rest.
func byPreemptions(s *explore.Session, rest *systematic.Search) {
	x := new(icb.Explorer).Begin(s)
	x.Claim = true
	s.More(1, 2)
	x.Run()
	paused := s.Used()
	s.All()
	switch {
	case x.Stuck() || paused && x.Bound == 0:
		sampled(s, rest.Run)
	case paused:
		sampled(s, x.Run)
	}
}

// sampled calls f with half of what is left, and samples the rest. If f has ended by itself it has said all.
func sampled(s *explore.Session, f func()) {
	s.More(1, 2)
	f()
	used := s.Used()
	s.All()
	if used || s.Result.Verdict == explore.Incomplete {
		(&sample.Explorer{Both: true}).Continue(s)
	}
}
