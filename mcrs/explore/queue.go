package explore

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

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

// An item waits to be executed.
type item struct {
	from *schedule // nil for the initial seed
	cut  cut
	step seed.Step
	need []need
}

// A queue gives items by priority, then first in first out. Each turn-th is the next of another priority, in rotation: a loop that
// can always go round once more without a preemption would else keep all others waiting.
type queue struct {
	buckets [][]item
	size    int
	popped  int
	served  int // the bucket that had the last turn
}

const turn = 4

func (q *queue) push(priority int, it item) {
	for len(q.buckets) <= priority {
		q.buckets = append(q.buckets, nil)
	}
	q.buckets[priority] = append(q.buckets[priority], it)
	q.size++
}

func (q *queue) pop() (item, bool) {
	first := 0
	if q.popped++; q.popped%turn == 0 && len(q.buckets) > 0 {
		q.served = (q.served + 1) % len(q.buckets)
		first = q.served
	}
	for n := range q.buckets {
		i := (first + n) % len(q.buckets)
		if b := q.buckets[i]; len(b) > 0 {
			it := b[0]
			b[0] = item{}
			q.buckets[i] = b[1:]
			q.size--
			return it, true
		}
	}
	return item{}, false
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
