package union

import (
	"regexp"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/delay"
	"github.com/heddle-go/heddle/mcrs/explore/icb"
	"github.com/heddle-go/heddle/mcrs/explore/predict"
	"github.com/heddle-go/heddle/mcrs/explore/sample"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
)

// This file says who goes on where the default explorer does not end. How large the shares are says
// mcrs/explore/share.go.
//
//   - Where no execution has room, the first one was cut off. Half of what is left goes to a bound of the beginning,
//     and the rest to samples of it; what they guarantee speaks of the beginning alone (package sample).
//   - Where union has no rule, systematic goes on in its share.
//   - Who has not ended then leaves the most schedules out, in whichever order. Now delay goes through its bounds, as
//     many as it has room for: of these something can be said for sure, however many goroutines come to one lock.
//   - Where not even one delay has room, delay goes through the beginning, up to where it has, with a quarter of the
//     limit.
//   - If delay has executed all schedules that there are, that is all. Some may have ended at what the machine lacks.
//   - Then icb gets half of what is left, and may say more where few do.
//   - If icb has finished bounds by then, and not all, it gets half of what is left again.
//   - Else schedules are sampled with a quarter of what is left, for what nobody has come to, and systematic gets a
//     third of what is left then. Each sample is asked for races and deadlocks that it does not show itself
//     (mcrs/explore/predict).
//   - Then union gets half of the rest, if it only waits (resume.go).
//   - More is sampled with the rest.
//   - If a default limit of executions or events ends that, union goes on with the work that is left.
//   - In the second regime of time bounds have nothing to say: it goes on as above, without delay and icb.

// Why union hands over when it comes to a limit.
const (
	usedUp    = "its share of the limits is used up"
	allStates = "limit of states reached"
	cutOff    = "an execution was cut off" // the other explorer says the same of it
)

// WithoutSites is why an explorer hands over, as a result has it.
func WithoutSites(reason string) string { return siteNumber.ReplaceAllString(reason, "") }

// siteNumber is what a reason says of a site. Its number depends on what was executed before in the process, other
// entries with it; so it is no part of a result.
var siteNumber = regexp.MustCompile(`,? at site \d+`)

// handOver goes on with an exploration that union has given up for a reason, or that has to wait.
func (u *unite) handOver(reason string) {
	s := u.Session
	u.until = 0
	s.Room.Free()
	if _, ended := s.Room.Dearest(); u.huge && !ended {
		if !s.Timing {
			s.Lifted(1, 2, func() { delay.Within(s) })
		}
		s.Lifted(1, 1, u.samples().Run)
		return
	}
	rest := new(systematic.Explorer).Begin(s)
	if s.Timing {
		u.sampled(rest.Run)
		u.resumeLast()
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
	if s.Result.Delays <= 1 {
		s.Beginning(func() { delay.Within(s) })
	}
	u.byPreemptions(rest)
	u.resumeLast()
}

// byDelays goes through the bounds of delays. It reports whether every schedule was executed.
func byDelays(s *explore.Session) bool {
	x := new(delay.Explorer).Begin(s)
	x.Fit = true
	s.Bounded(x.Run)
	return x.All()
}

// samples returns what samples.
func (u *unite) samples() *sample.Sampling {
	return (&sample.Explorer{Both: true, Then: predict.New(u.Session).Look}).Begin(u.Session)
}

// sampled samples with a quarter of what is left, and then f, which may say all, gets a third of what is left.
func (u *unite) sampled(f func()) {
	x := u.samples()
	u.More(1, 4)
	x.Run()
	u.All()
	u.goOnBy(f, 3, x)
}

// byPreemptions goes on with the schedules that have the fewest preemptions, and then with the rest.
func (u *unite) byPreemptions(rest *systematic.Search) {
	s := u.Session
	x := new(icb.Explorer).Begin(s)
	x.Claim = true
	s.More(1, 2)
	x.Run()
	paused := s.Used()
	s.All()
	switch {
	case x.Stuck() || paused && x.Bound == 0:
		u.sampled(rest.Run)
	case paused:
		u.goOnBy(x.Run, 2, u.samples())
	}
}

// goOnBy calls f with a part of what is left. If f does not end by itself, which says all, union gets half of the rest,
// if it only waits, and more is sampled with what is left then.
func (u *unite) goOnBy(f func(), of int, samples *sample.Sampling) {
	s := u.Session
	s.More(1, of)
	f()
	used := s.Used()
	s.All()
	if !used && s.Result.Verdict != explore.Incomplete || u.known && u.resume(1, 2) {
		return
	}
	samples.Run()
}
