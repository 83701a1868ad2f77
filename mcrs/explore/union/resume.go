package union

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
)

// This file lets an exploration by union go on that had to wait because its share was used up. What it knows is kept
// while bounds are explored, and it goes on where it waited: nothing is executed or swept again. So an entry may still
// be exhausted with what bounds and samples have left.
//
// What others have executed in between is no part of what it knows, and need not be: it comes to the end when its own
// knowledge is complete.

// maxKept bounds the bytes of what is kept, by and large.
const maxKept = 1 << 30

// What a state of a sweep takes, and an event of an execution that was learnt.
const (
	stateBytes = 400
	eventBytes = 200
)

// keeps reports whether what union knows is kept for later.
func (u *unite) keeps(reason string) bool {
	return reason == usedUp && !u.large && int64(u.e.Stats.States)*stateBytes+int64(u.Result.Stats.Events)*eventBytes <= maxKept
}

// resume goes on with so many parts of what is left, of so many. It reports whether nothing is left to do. If something
// is, the next explorer comes to a limit, and says so.
func (u *unite) resume(n, of int) (done bool) {
	s := u.Session
	if s.OfWork(s.WorkLeft() == 0) || explore.LeftOut(s) || s.Interrupted() { // ANSWER2
		return false
	}
	before := *s.Result
	s.Result.Verdict, s.Result.Reason, s.Result.ReasonSite = explore.Exhausted, "", 0
	reason := ""
	s.Patient = true
	s.Lifted(n, of, func() {
		u.begin()
		if task := u.left; task != nil {
			u.left = nil
			u.ask(*task)
		}
		reason = u.search()
		u.end()
	})
	s.Judge(reason == "" && closed(u.e))
	observed := event.Site(0)
	if reason == "" && s.Result.Verdict == explore.Exhausted {
		reason, observed = u.conclude()
		done = reason == "" || observed != 0
	}
	u.count(reason)
	switch {
	case done:
		s.Result.HandOver = ""
		if reason != "" {
			s.Incomplete(reason)
			LookedBehind(s, observed)
		}
	case before.Verdict == explore.Incomplete && !s.Result.Interrupted:
		s.Result.Verdict, s.Result.Reason, s.Result.ReasonSite = before.Verdict, before.Reason, before.ReasonSite
	}
	u.known = u.known && reason == usedUp && !u.large
	return done
}

// resumeLast goes on with all that is left, if nobody has set what has ended the samples.
func (u *unite) resumeLast() {
	if u.known && u.Liftable() && u.Result.Verdict == explore.Incomplete {
		u.resume(1, 1)
	}
}
