package icb

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
)

// This file runs one execution of ICB: without a preemption behind its seed. It says what a preemption is.

// A node is a state in which there is a choice: no goroutine stands at a local operation.
type node struct {
	step    int // transitions before it
	choices []choice
	taken   int  // of them
	free    bool // leaving those that run is no preemption
}

// A choice is a transition, and the number of preemptions that it is.
type choice struct {
	sched.Transition
	cost int
	runs running // who runs then
}

// An arrival is the state after a transition that is not local. The local ones that follow lead to a node, or to the
// end.
type arrival struct {
	step int // of the transition, -1 at the start
	runs running
}

// A running is who may go on without a preemption: the goroutine that took the last transition, or two that met. -1 is
// none.
type running struct{ a, b int32 }

func (r running) has(thread int32) bool { return thread >= 0 && (thread == r.a || thread == r.b) }

// A bounder is the scheduler of an execution of ICB: it follows a seed, and then never preempts.
type bounder struct {
	seed    seed.Seed
	known   *meetings // rule ICB1
	longest int       // transitions

	arrivals []arrival                  // from the seed's last step on
	nodes    []node                     // the i-th behind the i-th arrival
	ops      map[causality.Ref]event.Op // at which goroutines stood at nodes
	runs     running
	diverged bool
	cut      bool // it was longer than that
}

func newBounder(s seed.Seed) *bounder {
	b := &bounder{seed: s, longest: maxSteps, ops: make(map[causality.Ref]event.Op), runs: running{-1, -1}}
	if len(s) == 0 {
		b.arrivals = []arrival{{-1, b.runs}}
	}
	return b
}

// Next implements sched.Scheduler.
func (b *bounder) Next(s *sched.State) int {
	if s.Step < len(b.seed) {
		n := s.Find(b.seed[s.Step])
		if n < 0 {
			b.diverged = true
			return sched.Stop
		}
		if t := s.Transition(n); !b.local(&s.Threads[t.Thread]) {
			b.runs = b.after(s, t)
		}
		if s.Step == len(b.seed)-1 {
			b.arrivals = append(b.arrivals, arrival{s.Step, b.runs})
		}
		return n
	}
	if s.Step >= b.longest {
		b.cut = true
		return sched.Stop
	}
	for n, t := range s.Enabled {
		if b.local(&s.Threads[t.Thread]) {
			return n
		}
	}
	n := node{step: s.Step, choices: make([]choice, len(s.Enabled)), free: b.free(s)}
	within := *s // what is no preemption
	within.Enabled, within.Idle = nil, nil
	for i, t := range s.Enabled {
		n.choices[i] = choice{t, 1, b.after(s, t)}
		if n.free || b.runs.has(t.Thread) || b.runs.has(t.Partner) || s.Threads[t.Thread].Op.Kind == event.TimerFire {
			n.choices[i].cost = 0
			within.Enabled = append(within.Enabled, t)
		}
		b.note(s, t.Thread)
		b.note(s, t.Partner)
	}
	n.taken = slices.Index(s.Enabled, within.Enabled[sched.RunToBlock{}.Next(&within)])
	b.nodes = append(b.nodes, n)
	b.runs = n.choices[n.taken].runs
	b.arrivals = append(b.arrivals, arrival{s.Step, b.runs})
	return n.taken
}

// after says who runs after a transition.
func (b *bounder) after(s *sched.State, t sched.Transition) running {
	if s.Threads[t.Thread].Op.Kind == event.TimerFire {
		return b.runs
	}
	return running{t.Thread, t.Partner}
}

// note keeps the operation at which a goroutine stands.
func (b *bounder) note(s *sched.State, thread int32) {
	if thread < 0 {
		return
	}
	th := &s.Threads[thread]
	k := causality.Ref{Thread: thread, Seq: th.Seq}
	if _, ok := b.ops[k]; !ok {
		b.ops[k] = *th.Op
	}
}

// local reports whether a goroutine stands at an operation of rule ICB1.
func (b *bounder) local(th *sched.Thread) bool {
	if th.Spin || b.known.looks {
		return false
	}
	op := th.Op
	if op.Kind.IsPlain() {
		return op.Site != 0 && !b.known.sites[op.Site]
	}
	switch op.Kind.Object() {
	case event.Memory, event.Whole, event.Mutex, event.Once:
		return !b.known.at[op.Loc.Addr] && !b.known.many
	}
	switch op.Kind {
	case event.WaitGroupAdd:
		return !b.known.strict && (int64(op.Key) < 0 || !b.known.at[op.Loc.Addr] && !b.known.many)
	case event.Spawn:
		return !b.known.counts
	case event.End:
		return th.ID != "G1" && !b.known.counts
	}
	return false
}

// free reports whether one of those that run cannot go on, or gives way by itself.
func (b *bounder) free(s *sched.State) bool {
	for _, r := range []int32{b.runs.a, b.runs.b} {
		if r >= 0 && !canGoOn(s, r) {
			return true
		}
	}
	return b.runs.a < 0
}

// canGoOn reports whether to leave a goroutine is to preempt it (rule ICB2).
func canGoOn(s *sched.State, thread int32) bool {
	th := &s.Threads[thread]
	if th.Op == nil || th.Spin {
		return false
	}
	switch th.Op.Kind {
	case event.Yield, event.Sleep, event.WaitGroupWait, event.Quiesce:
		return false
	}
	return slices.ContainsFunc(s.Enabled, func(t sched.Transition) bool { return t.Thread == thread || t.Partner == thread })
}
