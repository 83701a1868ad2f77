package causality

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines how an execution is kept: as its steps, of which a cut takes some.

// A Schedule is an execution as it is kept: its steps, in runs of one thread.
type Schedule struct {
	IDs   []event.ThreadID
	Steps []KeptStep
	runs  []keptRun
}

// A KeptStep is a transition.
type KeptStep struct {
	At          Ref
	Partner     int32 // thread, -1 if none
	caseNum     int16
	partnerCase int16
}

// A keptRun is a maximal sequence of steps of one thread. preempted says that the
// thread could have gone on.
type keptRun struct {
	thread    int32
	lo, hi    int32 // events of the thread
	preempted bool
}

// Keep keeps an execution; preempted says before which of its steps another thread was preempted.
func Keep(t *trace.Trace, preempted map[int]bool) *Schedule {
	s := &Schedule{IDs: make([]event.ThreadID, len(t.Threads))}
	for i := range t.Threads {
		s.IDs[i] = t.Threads[i].ID
	}
	for i := range t.Events {
		e := &t.Events[i]
		k := KeptStep{Ref{e.Thread, e.Seq}, -1, e.Case, -1}
		if e.Partner >= 0 {
			if e.Kind == event.ChanRecv {
				continue
			}
			k.Partner, k.partnerCase = t.Events[e.Partner].Thread, t.Events[e.Partner].Case
		}
		n := len(s.runs)
		if n == 0 || s.runs[n-1].thread != e.Thread {
			if n > 0 {
				s.runs[n-1].preempted = preempted[len(s.Steps)]
			}
			s.runs = append(s.runs, keptRun{thread: e.Thread, lo: e.Seq})
			n++
		}
		s.runs[n-1].hi = e.Seq + 1
		s.Steps = append(s.Steps, k)
	}
	return s
}

// Preemptions counts the preemptive switches of the part of the schedule in k, and
// then to thread next.
func (s *Schedule) Preemptions(k Cut, next int32) int {
	n := 0
	last, could := int32(-1), false
	for _, r := range s.runs {
		if k[r.thread] <= r.lo {
			continue
		}
		if last >= 0 && last != r.thread && could {
			n++
		}
		last, could = r.thread, r.preempted || k[r.thread] < r.hi
	}
	if last >= 0 && last != next && could {
		n++
	}
	return n
}

// Seed returns the part of the schedule in k, in its order.
func (s *Schedule) Seed(k Cut) seed.Seed {
	var out seed.Seed
	for _, st := range s.Steps {
		if !k.Has(st.At) {
			continue
		}
		out = append(out, s.SeedStep(st))
	}
	return out
}

// Whole returns all of the schedule.
func (s *Schedule) Whole() seed.Seed {
	out := make(seed.Seed, len(s.Steps))
	for i, st := range s.Steps {
		out[i] = s.SeedStep(st)
	}
	return out
}

// SeedStep returns a transition as a step of a seed.
func (s *Schedule) SeedStep(st KeptStep) seed.Step {
	step := seed.Step{Thread: s.IDs[st.At.Thread], Case: st.caseNum, PartnerCase: st.partnerCase}
	if st.Partner >= 0 {
		step.Partner = s.IDs[st.Partner]
	}
	return step
}

// Step names a move.
func (s *Schedule) Step(m *Move) seed.Step {
	st := seed.Step{Thread: s.IDs[m.A.Thread], Case: m.CaseA, PartnerCase: -1}
	if m.B.Thread >= 0 {
		st.Partner, st.PartnerCase = s.IDs[m.B.Thread], m.CaseB
	}
	return st
}

// A SwitchWatch notes at which steps a thread was preempted.
type SwitchWatch struct {
	sched.Scheduler
	Preempted map[int]bool
}

// Next implements sched.Scheduler.
func (w *SwitchWatch) Next(s *sched.State) int {
	n := w.Scheduler.Next(s)
	if n >= 0 && s.Last >= 0 && s.Transition(n).Thread != s.Last {
		for _, t := range s.Enabled {
			if t.Thread == s.Last {
				w.Preempted[s.Step] = true
				break
			}
		}
	}
	return n
}
