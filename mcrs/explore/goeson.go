package explore

import "github.com/heddle-go/heddle/mcrs/trace"

// This file is about executions that leave out only what goes on after the entry's end (trace.Clockwork.GoesOn). Each
// for itself leaves something out. An explorer that knows all states may know that nothing new follows.

// unseenBy notes what an execution has left out.
func (s *Session) unseenBy(t *trace.Trace) {
	if t.Unseen == "" || t.Dropped {
		return
	}
	if t.GoesOn && s.Patient {
		if s.goesOn == nil {
			s.goesOn = t
		}
		return
	}
	if s.Result.Reason == "" {
		s.Result.ReasonSite = t.UnseenSite
	}
	s.Incomplete(t.Unseen)
	s.unseen, s.leftOut = true, s.leftOut || !t.GoesOn
}

// LeftOut reports whether an execution has left out more than what goes on after the entry's end. Then the entry is not
// exhausted, whatever is executed besides.
func LeftOut(s *Session) bool { return s.leftOut || s.Result.NotSupported }

// Judge ends the patience of a session. Closed says that nothing new follows where executions that go on were cut off.
func (s *Session) Judge(closed bool) {
	t := s.goesOn
	s.Patient, s.goesOn = false, nil
	if t != nil && !closed {
		s.unseenBy(t)
	}
}
