// Package delay is the explorer by delay bounding: fewest departures from one fixed scheduler first. The comment of
// Explorer has the method, and the argument why nothing is missed.
package delay

import (
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer explores by delay bounding: the schedule of a deterministic scheduler, then all that depart from it once,
// and so on. If a limit ends it, something can still be said: up to how many delays it is complete (Result.Delays).
//
// # Background
//
// Emmi, Qadeer and Rakamarić, "Delay-Bounded Scheduling", POPL 2011. Where only preemptions are bounded, as in icb, any
// other goroutine may follow one that blocks: N goroutines at one lock have N! schedules without a preemption. Here the
// scheduler says who follows, and each other choice costs. So a program of n steps has at most n to the power of k
// schedules with k delays, however many goroutines there are.
//
// # Method
//
// The scheduler is sched.RunToBlock in turns: a goroutine goes on for as long as it can, and then the next one after
// it. It ranks what is enabled in a state. Its position is the thread of the last transition, and it keeps nothing
// else. To take the transition of rank j, from 0 on, costs j delays. A schedule is named by its departures: the steps
// at which it took another rank than 0, and the ranks. Schedules are executed by number of delays. A schedule with c
// delays is one with c - j delays that departs once more, at a later step than its last departure, to rank j. So each
// schedule is executed once, and bounds share all work: what is executed for bound c is what has c delays.
//
// # Completeness
//
// Claim: when c is done, every schedule with at most c delays was executed. The proof is by induction on the number of
// departures. The schedule without any is the first execution. Else leave out the last departure, at step s to rank j.
// What remains has j delays less, so it was executed. It comes to the same state before step s, for the machine is
// deterministic and the scheduler looks at the state alone. There rank j was enabled. So s is among the points of that
// execution, and the departure was taken when its bound was. ∎
//
// No two schedules are called equivalent, so nothing is assumed of the operations. The reductions of other explorers
// are not used, for they leave out schedules within a bound for others beyond it. When no departure is left at all,
// every schedule was executed.
//
// # Limits
//
// Nothing is claimed from c on if an execution with c delays was cut off by a limit or used what the machine lacks, or
// if time passed because all that could run only repeated itself. The places where schedules branch are kept for as
// many schedules as the limit of work has room for. Steps at plain accesses are points too, so a run with many of them
// has many schedules with one delay.
type Explorer struct {
	// Bounds is how many bounds it goes through, 0 for all: schedules with so many delays and more are left out.
	Bounds int
	// Observe, if not nil, sees every execution.
	Observe func(*trace.Trace)
}

// Explore implements Explorer.
func (x *Explorer) Explore(m sched.Machine, lim explore.Limits) *explore.Result {
	s := explore.NewSession(m, lim)
	s.Observe = x.Observe
	x.Begin(s).Run()
	return s.Close()
}

// Begin returns the exploration in a session that may have begun otherwise.
func (x *Explorer) Begin(s *explore.Session) *Search {
	return &Search{Session: s, bounds: x.Bounds, ceiling: -1, levels: []level{{}}}
}

// A delayer is the scheduler of an execution. It departs where it is told to, and notes where it could depart after
// that.
type delayer struct {
	departures []departure // that are left
	points     []point
	diverged   bool
}

// order is the deterministic scheduler.
var order = sched.RunToBlock{Round: true}

// Next implements sched.Scheduler.
func (d *delayer) Next(s *sched.State) int {
	if len(d.departures) == 0 {
		if len(s.Enabled) > 1 {
			d.points = append(d.points, point{int32(s.Step), int32(len(s.Enabled))})
		}
		return order.Next(s)
	}
	next := d.departures[0]
	if int(next.step) != s.Step {
		return order.Next(s)
	}
	d.departures = d.departures[1:]
	if int(next.skip) >= len(s.Enabled) {
		d.diverged = true
		return sched.Stop
	}
	return order.Nth(s, int(next.skip))
}
