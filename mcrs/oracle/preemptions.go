package oracle

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Preempted is a scheduler that passes on the decisions of another, and counts the preemptions among them.
//
// A preemption is a switch away from a goroutine that could go on. It could if it is enabled, or polls
// (sched.State.Idle), and does not stand at Gosched or Sleep, where it gives way by itself. After a rendezvous either
// of the two goes on without a preemption; to leave both is one if both could go on. The firing of a timer is no
// switch. Which case a select takes, and which partner one meets, is a choice and no preemption.
type Preempted struct {
	sched.Scheduler
	Count   int
	running []int32 // the goroutine that runs, or the two that have met
}

// Next implements sched.Scheduler.
func (p *Preempted) Next(s *sched.State) int {
	n := p.Scheduler.Next(s)
	if n == sched.Stop {
		return n
	}
	t := s.Transition(n)
	if s.Threads[t.Thread].Op.Kind == event.TimerFire {
		return n
	}
	if len(p.running) > 0 && !slices.Contains(p.running, t.Thread) && !slices.Contains(p.running, t.Partner) {
		if !slices.ContainsFunc(p.running, func(r int32) bool { return !canGoOn(s, r) }) {
			p.Count++
		}
	}
	p.running = append(p.running[:0], t.Thread)
	if t.Partner >= 0 {
		p.running = append(p.running, t.Partner)
	}
	return n
}

// canGoOn reports whether to leave a goroutine now is to preempt it.
func canGoOn(s *sched.State, thread int32) bool {
	op := s.Threads[thread].Op
	if op == nil || op.Kind == event.Yield || op.Kind == event.Sleep {
		return false
	}
	for i := range len(s.Enabled) + len(s.Idle) {
		if t := s.Transition(i); t.Thread == thread || t.Partner == thread {
			return true
		}
	}
	return false
}

// SearchPreemptions is Search, or with states SearchStates, with the results told apart by the number of preemptions:
// the i-th is that of the schedules with i of them. With states it goes on once from each combination of state,
// preemptions so far, and goroutine that runs. It then leaves out the races that the last event of an execution that
// was cut off would have had with the next. If all is not complete, nothing is.
func SearchPreemptions(m sched.Machine, l Limits, states bool) (by []*Result, all *Result) {
	all = NewResult()
	x := &countedStates{seen: make(map[seenState]bool), on: states}
	for {
		x.Preempted = Preempted{Scheduler: &x.tree}
		t := m.Run(x, l.Options)
		all.Executions++
		all.Events += len(t.Events)
		for len(by) <= x.Count {
			by = append(by, NewResult())
		}
		r := by[x.Count]
		r.AddRaces(t)
		all.AddRaces(t)
		switch t.Status {
		case trace.Stopped:
		case trace.Limit, trace.Unsupported:
			all.Reason = t.Reason
			return by, all
		default:
			r.Add(t)
			all.Add(t)
		}
		if !x.tree.Advance() {
			all.Complete = true
			return by, all
		}
		if all.Executions == l.Executions {
			all.Reason = "limit of executions reached"
			return by, all
		}
	}
}

// countedStates walks the tree of all schedules and counts preemptions. If on, it stops at a state that it met before.
type countedStates struct {
	Preempted
	tree sched.Exhaustive
	on   bool
	seen map[seenState]bool
}

type seenState struct {
	hash    uint64
	count   int
	running [2]event.ThreadID
}

// Next implements sched.Scheduler.
func (x *countedStates) Next(s *sched.State) int {
	if x.on && x.tree.AtEnd() {
		k := seenState{hash: s.Hash(), count: x.Count}
		for i, r := range x.running {
			k.running[i] = s.Threads[r].ID
		}
		slices.Sort(k.running[:])
		if x.seen[k] {
			return sched.Stop
		}
		x.seen[k] = true
	}
	return x.Preempted.Next(s)
}
