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
// else. Each goroutine that is passed over is a delay, and so is each transition of the goroutine that is taken which
// comes before the one that is taken. A schedule is named by its departures: the steps at which it took another rank
// than 0, and the ranks. Schedules are executed by number of delays. A schedule with c delays is one with c - j delays
// that departs once more, at a later step than its last departure, for j delays. So each schedule is executed once, and
// bounds share all work: what is executed for bound c is what has c delays.
//
//	DELAY1 Where the goroutine whose turn it is stands at a local operation, nobody departs.
//	DELAY2 These are local as long as no execution has shown that they meet (local.go): an access to memory, a map or
//	       an object, an operation on a lock or a Once. They are told apart by line of code and address. They meet if
//	       two goroutines touch one thing there in no order, done or pending: a dependent pair of which the second
//	       does not know the first (REV1). The end of a goroutine, but not of the entry's, is always local. When a
//	       meeting is shown, the departures there are executed that were left out.
//	DELAY3 Nothing is local if an execution counts goroutines or looks at where they stand, has bubbles of
//	       testing/synctest or store buffers, or has so many goroutines that its order is not computed. Nor is
//	       anything if, where there is a choice, somebody polls, stands at Gosched, or could end the program.
//	DELAY4 Somebody departs at a local operation all the same if the goroutine's next operation is a receive, or a
//	       select, and others stand at sends to it. There each of them has transitions more, so that their other ones
//	       cost more delays.
//
// What is said where a bound has no room (BEGIN1, BEGIN2) is in within.go.
//
// # Completeness
//
// Claim: when c is done, every schedule with at most c delays was executed. The proof is by induction on the number of
// departures. The schedule without any is the first execution. Else leave out the last departure, at step s to rank j.
// What remains has j delays less, so it was executed. It comes to the same state before step s, for the machine is
// deterministic and the scheduler looks at the state alone. There rank j was enabled. So s is among the points of that
// execution, and the departure was taken when its bound was. ∎
//
// That is so without DELAY1. docs/completeness.md argues that with it an equivalent schedule was executed for each,
// with at most as many delays. The reductions of other explorers are not used, for they leave out schedules within a
// bound for others beyond it. When no departure is left at all, every schedule was executed, or an equivalent one.
//
// # Limits
//
// Nothing is claimed from c on if an execution with c delays was cut off by a limit or used what the machine lacks, or
// if time passed because all that could run only repeated itself. The places where schedules branch are kept for as
// many schedules as the limit of work has room for.
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
	return &Search{Session: s, bounds: x.Bounds, ceiling: -1, levels: []level{{}}, meets: meetings{at: make(map[place]bool)}}
}

// A delayer is the scheduler of an execution. It departs where it is told to, and notes where it could depart after
// that.
type delayer struct {
	departures []departure // that are left
	points     []point
	turns      []turn // by point
	diverged   bool
	unfair     bool
	beginning
}

// order is the deterministic scheduler.
var order = sched.RunToBlock{Round: true, Patient: true}

// Next implements sched.Scheduler.
func (d *delayer) Next(s *sched.State) int {
	if d.ends(s) {
		return d.last(s)
	}
	n := d.choose(s)
	d.took(s, n)
	return n
}

// choose departs, or goes on with the order.
func (d *delayer) choose(s *sched.State) int {
	choice := len(s.Enabled) > 1
	d.unfair = d.unfair || choice && unfair(s)
	if len(d.departures) == 0 {
		next := order.Next(s)
		if choice {
			d.points = append(d.points, point{int32(s.Step), int32(len(s.Enabled)), costs(s)})
			d.turns = append(d.turns, turnAt(s, next))
		}
		return next
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

// costs are the delays of the transitions in their ranks: one for each goroutine that is passed over, and one for each
// transition of its own. It is nil where each goroutine has one.
func costs(s *sched.State) (out []int32) {
	if !several(s) {
		return nil
	}
	goroutines, own, last := int32(-1), int32(0), int32(-1)
	for _, i := range order.Order(s) {
		thread := s.Enabled[i].Thread
		if own++; thread != last {
			goroutines, own, last = goroutines+1, 0, thread
		}
		out = append(out, goroutines+own)
	}
	return out
}

// several reports whether a goroutine has more than one transition. They stand by goroutine.
func several(s *sched.State) bool {
	for i := range s.Enabled[1:] {
		if s.Enabled[i].Thread == s.Enabled[i+1].Thread {
			return true
		}
	}
	return false
}
