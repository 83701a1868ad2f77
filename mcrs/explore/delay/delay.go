// Package delay is the explorer by delay bounding: fewest departures from one fixed scheduler first. The comment of Explorer has the method, and the
// argument why nothing is missed.
package delay

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// Explorer explores by delay bounding: the schedule of a deterministic scheduler, then all that depart from it once, and so on. A limit that ends it
// leaves something that can be said: up to how many delays it is complete (Result.Delays).
//
// # Background
//
// Emmi, Qadeer and Rakamarić, "Delay-Bounded Scheduling", POPL 2011. With preemptions alone bounded, as icb has it, a goroutine that blocks may be
// followed by any other: N goroutines at one lock have N! schedules without a preemption. Where the scheduler says who follows, and each
// other choice costs, a program of n steps has at most n to the power of k schedules with k delays, however many goroutines there are.
//
// # Method
//
// The scheduler is sched.RunToBlock in turns: a goroutine goes on for as long as it can, and then the next one after it. It ranks what is enabled in a state; its position
// is the thread of the last transition, and it keeps nothing else. To take the transition of rank j, from 0 on, costs j delays. A schedule is named by
// its departures: the steps at which it took another rank than 0, and the ranks. Schedules are executed by number of delays.
// One with c delays departs last in one with c - j, at a later step than that one's last departure, to rank j. So each is executed once, and
// bounds share all work: what is executed for bound c is what has c delays.
//
// # Completeness
//
// Claim: when c is done, every schedule with at most c delays was executed. By induction on the number of departures: one without any is the
// first execution. Else leave out the last departure, at step s to rank j: what remains has j delays less, was executed, and comes to
// the same state before step s, for the machine is deterministic and the scheduler looks at the state alone. There rank j was enabled, so s is among the
// points of that execution, and the departure was taken when its bound was. ∎
//
// No two schedules are called equivalent, so nothing is assumed of the operations: the reductions of other explorers are not used, for they leave out schedules
// within a bound for others beyond it. When no departure is left at all, every schedule was executed.
//
// # Limits
//
// Nothing is claimed from c on if an execution with c delays was cut off by a limit, used what the machine lacks, or let time pass because all that could run only repeated
// itself. Steps at plain accesses are points too, so a run with many of them has many schedules with one delay.
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
	return &Search{Session: s, bounds: x.Bounds, ceiling: -1}
}

// Search is the state of an exploration.
type Search struct {
	*explore.Session
	bounds  int
	runs    [][]run // by number of delays
	reach   int     // no schedule has more delays than that
	ceiling int     // nothing is known of bounds from here on; -1 if of all
	work    int     // words of the configurations before races

	// Bound is the number of bounds that are done: all schedules with fewer delays have been explored.
	Bound int
}

// A run is an execution, by its departures, and where one could depart from it.
type run struct {
	departures []departure
	points     []point
}

// A departure is a step at which the scheduler's first choices are passed over: so many delays.
type departure struct{ step, skip int32 }

// A point is a step with a choice of so many transitions.
type point struct{ step, of int32 }

// Run goes on until a limit strikes or nothing is left. It is called once.
func (e *Search) Run() {
	for c := 0; c <= e.reach; c++ {
		if e.bounds > 0 && c >= e.bounds {
			e.Incomplete(fmt.Sprintf("schedules with %s and more were left out", explore.Delays(e.bounds)))
			break
		}
		e.runs = append(e.runs, nil)
		if !e.level(c) {
			break
		}
		if e.ceiling < 0 {
			e.Bound = c + 1
		}
	}
	e.Result.Delays = e.Bound
}

// level executes all schedules with c delays. It reports whether a limit has left it the time.
func (e *Search) level(c int) bool {
	if c == 0 {
		return e.visit(nil, 0)
	}
	for j := 1; j <= c; j++ {
		for _, from := range e.runs[c-j] {
			for _, p := range from.points {
				if int(p.of) <= j {
					continue
				}
				departures := append(from.departures[:len(from.departures):len(from.departures)], departure{p.step, int32(j)})
				if !e.visit(departures, c) {
					return false
				}
			}
		}
	}
	return true
}

// visit executes a schedule, unless a limit forbids it.
func (e *Search) visit(departures []departure, c int) bool {
	if e.Exhausted() {
		return false
	}
	d := &delayer{departures: departures}
	rec := causality.NewRecorder(d)
	t := e.Execute(rec)
	if d.diverged {
		e.Result.Stats.Diverged++
		e.Incomplete(fmt.Sprintf("run %d could not follow its schedule", e.Result.Stats.Executions))
	}
	if d.diverged || t.Spun || t.Status == trace.Limit || t.Status == trace.Unsupported {
		e.ceiling = c
	}
	e.runs[c] = append(e.runs[c], run{departures, d.points})
	for _, p := range d.points {
		e.reach = max(e.reach, c+int(p.of)-1)
	}
	e.races(t, rec)
	return true
}

// races looks for races that an execution tells of, besides those that it shows. They are more than what its bound promises.
func (e *Search) races(t *trace.Trace, rec *causality.Recorder) {
	if len(t.Threads)*len(t.Events) > explore.MaxGraph || e.work > explore.MaxWork {
		return
	}
	g := causality.NewGraph(t, rec, false)
	(&causality.Reverser{Graph: g, Out: racesOnly{e, causality.Keep(t, nil)}}).Races()
}

// A delayer is the scheduler of an execution: it departs where it is told to, and notes where it could depart after that.
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

// racesOnly takes the races of an execution, and drops its reversals.
type racesOnly struct {
	*Search
	from *causality.Schedule
}

func (racesOnly) Seen(uint64) bool                                           { return true }
func (racesOnly) Candidate(*causality.Graph, causality.Cut, *causality.Move) {}

// Spend bounds the pairs that are looked at.
func (r racesOnly) Spend(words int) bool {
	r.work += words
	return r.work <= explore.MaxWork
}

func (r racesOnly) Race(g *causality.Graph, k causality.Cut, first, second causality.Ref) {
	r.Findings.Race(g, r.from, k, first, second)
}
