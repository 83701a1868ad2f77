package explore

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines how an execution is kept: as its steps, of which a cut takes some.

// A schedule is an execution as it is kept: its steps, in runs of one thread.
type schedule struct {
	ids   []event.ThreadID
	steps []keptStep
	runs  []keptRun
}

type keptStep struct {
	at          ref
	partner     int32 // thread, -1 if none
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

func keep(t *trace.Trace, preempted map[int]bool) *schedule {
	s := &schedule{ids: make([]event.ThreadID, len(t.Threads))}
	for i := range t.Threads {
		s.ids[i] = t.Threads[i].ID
	}
	for i := range t.Events {
		e := &t.Events[i]
		k := keptStep{ref{e.Thread, e.Seq}, -1, e.Case, -1}
		if e.Partner >= 0 {
			if e.Kind == event.ChanRecv {
				continue
			}
			k.partner, k.partnerCase = t.Events[e.Partner].Thread, t.Events[e.Partner].Case
		}
		n := len(s.runs)
		if n == 0 || s.runs[n-1].thread != e.Thread {
			if n > 0 {
				s.runs[n-1].preempted = preempted[len(s.steps)]
			}
			s.runs = append(s.runs, keptRun{thread: e.Thread, lo: e.Seq})
			n++
		}
		s.runs[n-1].hi = e.Seq + 1
		s.steps = append(s.steps, k)
	}
	return s
}

// preemptions counts the preemptive switches of the part of the schedule in k, and
// then to thread next.
func (s *schedule) preemptions(k cut, next int32) int {
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

// seed returns the part of the schedule in k, in its order.
func (s *schedule) seed(k cut) seed.Seed {
	var out seed.Seed
	for _, st := range s.steps {
		if !k.has(st.at) {
			continue
		}
		out = append(out, s.seedStep(st))
	}
	return out
}

func (s *schedule) seedStep(st keptStep) seed.Step {
	step := seed.Step{Thread: s.ids[st.at.thread], Case: st.caseNum, PartnerCase: st.partnerCase}
	if st.partner >= 0 {
		step.Partner = s.ids[st.partner]
	}
	return step
}

// step names a move.
func (s *schedule) step(m *move) seed.Step {
	st := seed.Step{Thread: s.ids[m.a.thread], Case: m.caseA, PartnerCase: -1}
	if m.b.thread >= 0 {
		st.Partner, st.PartnerCase = s.ids[m.b.thread], m.caseB
	}
	return st
}

// A switchWatch notes at which steps a thread was preempted.
type switchWatch struct {
	sched.Scheduler
	preempted map[int]bool
}

// Next implements sched.Scheduler.
func (w *switchWatch) Next(s *sched.State) int {
	n := w.Scheduler.Next(s)
	if n >= 0 && s.Last >= 0 && s.Transition(n).Thread != s.Last {
		for _, t := range s.Enabled {
			if t.Thread == s.Last {
				w.preempted[s.Step] = true
				break
			}
		}
	}
	return n
}
