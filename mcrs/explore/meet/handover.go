package meet

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// This file asks what two tests do to memory that one of them has made and the other comes to by an object: what a Once
// has made, what is in a sync.Map or behind an atomic pointer, what was sent. Each alone has such memory of its own, so
// no address is known before. One test operates on the object and waits; the other goes on as far as it can; then the
// first does.

// A handover is the scheduler of one object.
type handover struct {
	rendezvous
	object uint64
	chosen int32 // thread + 1 that was chosen to operate on the object
	over   bool
}

// Next implements sched.Scheduler.
func (x *handover) Next(s *sched.State) int {
	if x.over {
		return x.then.Next(s)
	}
	if t := x.chosen - 1; x.held == 0 && t >= 0 && !x.standsAt(s.Threads[t].Op) {
		x.held = t + 1
	}
	before := x.held
	n := x.goOn(s)
	if x.over = x.held != before; x.over {
		return n
	}
	if t := s.Enabled[n].Thread; x.of(s, t) == x.first && x.standsAt(s.Threads[t].Op) && s.Threads[t].Op.Kind != event.OnceBegin {
		x.chosen = t + 1
	}
	return n
}

// standsAt reports whether an operation is one on the object.
func (x *handover) standsAt(o *event.Op) bool {
	return o.Loc.Addr == x.object || slices.ContainsFunc(o.Cases, func(c event.Case) bool { return c.Chan == x.object })
}

// Hands reports whether what is behind an object may come to another goroutine by an operation. Not so by a lock: then
// there is a variable as well.
func Hands(k event.Kind) bool {
	return k.IsAtomic() || k.IsComm() || k == event.OnceBegin || k == event.OnceEnd || k == event.ObjectRead || k == event.ObjectWrite || k == event.FileRead || k == event.FileWrite
}

// between reports whether a finding is a race of one test with the other.
func between(f *report.Finding, tests []event.ThreadID) bool {
	x := rendezvous{tests: tests}
	test := func(i int) int { return x.ofID(f.Witness.Threads[f.Threads[i]].ID) }
	return f.Category == report.DataRace && len(f.Threads) > 1 && test(0) >= 0 && test(1) >= 0 && test(0) != test(1)
}

// askHandovers asks about the objects.
func (x *Explorer) askHandovers(s *explore.Session) {
	for _, object := range x.Objects {
		for first := range 2 {
			if s.Exhausted() {
				return
			}
			x.Asked += 1 - first
			s.Execute(&handover{rendezvous: rendezvous{tests: x.tests, first: first}, object: object})
		}
	}
}
