package sched

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// SeedOf returns the complete schedule of a trace: replaying it gives the same
// trace. A rendezvous is two events, the send and then the receive, and one step.
func SeedOf(t *trace.Trace) seed.Seed {
	s := make(seed.Seed, 0, len(t.Events))
	for i := range t.Events {
		if step, ok := StepAt(t, i); ok {
			s = append(s, step)
		}
	}
	return s
}

// SeedOfEvents returns the schedule of some events of a trace, in the order given.
func SeedOfEvents(t *trace.Trace, events []int32) seed.Seed {
	s := make(seed.Seed, 0, len(events))
	for _, i := range events {
		if step, ok := StepAt(t, int(i)); ok {
			s = append(s, step)
		}
	}
	return s
}

// StepAt returns the step that performed event i of a trace; ok is false for the
// receiving half of a rendezvous, which its sender's step performed.
func StepAt(t *trace.Trace, i int) (step seed.Step, ok bool) {
	e := &t.Events[i]
	step = seed.Step{Thread: t.Threads[e.Thread].ID, Case: e.Case, PartnerCase: -1}
	if !OwnStep(e) {
		return step, false
	}
	if e.Partner < 0 {
		return step, true
	}
	partner := &t.Events[e.Partner]
	step.Partner = t.Threads[partner.Thread].ID
	step.PartnerCase = partner.Case
	return step, true
}

// OwnStep reports whether an event has a step of its own. The receiving half of a rendezvous has none.
func OwnStep(e *event.Event) bool { return e.Partner < 0 || e.Kind != event.ChanRecv }
