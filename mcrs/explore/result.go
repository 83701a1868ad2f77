package explore

import (
	"fmt"
	"math"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/mcrs/verdict"
)

// A Verdict says how much of an entry was explored.
type Verdict string

const (
	// Exhausted: every interleaving of the closed program, under the semantics of docs/, is accounted for.
	Exhausted Verdict = "exhausted"
	// Incomplete: not so; Result.Reason says why.
	Incomplete Verdict = "incomplete"
)

// Limits bound an exploration. They count work, never time. Zero means the default.
type Limits struct {
	Executions int   // executions of one entry; default 10,000
	Events     int   // events of all executions of one entry; default 1,000,000
	Work       int64 // of one entry, as work.go counts it; default 600,000,000
	Steps      int64 // instructions of one execution
	Memory     int64 // bytes alive in one execution

	Progress func(Progress) // if not nil, called after each execution
	Stop     *Stop          // ends it before its limits

	anyExecutions, anyEvents bool // nobody has set them: share.go
	noBounds                 bool // it is the second regime of time: no search by bounds comes after the first one
	timersLater              bool // it is the first regime of time, and the second comes next, if there are timers
}

// Why an exploration stops at a limit. The flags have these names in every driver.
const (
	stoppedRuns   = "stopped at the limit of runs (-limit.executions)"
	stoppedEvents = "stopped at the limit of events (-limit.events)"
)

// A Place is the entry at which an exploration is: the number N, from 1 on, of Of that are asked for in its package.
type Place struct {
	Package, Entry string
	N, Of          int
}

// A Progress says how far an exploration is.
type Progress struct {
	Executions int
	Percent    int // of the limit that strikes first
}

// StoppedWork is why an exploration stops at one of the fixed bounds on its own time and memory.
const StoppedWork = "stopped at the bound on what the explorer remembers of one entry"

// Bounds on an explorer's own time and memory. They count work, so that the answer does not depend on the computer.
const (
	MaxGraph = 100_000_000 // threads times events of a trace
	MaxWork  = 200_000_000 // words of the configurations considered
)

// TooLarge is why an execution is not reasoned about.
func TooLarge(t *trace.Trace) string {
	return fmt.Sprintf("a run of %d goroutines and %d events is too large to reorder", len(t.Threads), len(t.Events))
}

// A Within says that every schedule is accounted for, as far as its first steps go, that has at most so many delays in
// them (mcrs/explore/delay). The zero Within says nothing.
type Within struct {
	Delays int
	Steps  int // operations that another goroutine could meet
	Of     int // about how many a run has, 0 if none came to its end
}

// A TimeDone says what is accounted for of the regimes of time where not all is.
type TimeDone struct {
	// FirstDone says that all schedules are accounted for in which no timer fires early, and not all of the others.
	FirstDone bool
	// Early says so of those in which only the first Early firings of a run, and the first Early sleeps of each
	// goroutine, may be early (EARLY1).
	Early int
}

// A Result is what the exploration of one entry gave.
type Result struct {
	Verdict    Verdict
	Reason     string     // of Incomplete, one line
	ReasonSite event.Site // where it struck, 0 if nowhere
	// Behind is an operation that observes without synchronisation, if races behind it are not accounted for
	// (docs/races.md), 0 if they are. Reason then says what kept the explorer from them.
	Behind event.Site
	Then   string // what came after that and matters too, "" if nothing
	// Bounds, of Incomplete, is the number of preemptions below which every schedule is accounted for; 0 if nothing is
	// known.
	Bounds int
	// Memory says what was concluded of a relaxed memory model without an exploration, "" if nothing.
	Memory string
	// Delays is the same for delays (mcrs/explore/delay).
	Delays int
	// Within is what is known of the beginning alone. It is set where nothing is known of delays in the whole.
	Within Within
	// InTime says that Bounds is about schedules in which no timer fires early.
	InTime bool
	// OfWork says that a bound on work had a say in what was done: with another limit the result could be another.
	OfWork bool
	TimeDone
	// NotSupported says that Reason is something that the machine cannot follow.
	NotSupported bool
	// Interrupted says that somebody asked it to end.
	Interrupted bool
	// Skips says that the entry skips itself in every run, and SkipText what it says of that.
	Skips    bool
	SkipText string
	// Refused is the first thing that the entry asked for and the machine does not have, nil if there is none.
	Refused *trace.Refusal
	// Environment are the environment variables that the program asked for in some run, as NAME=VALUE, or NAME if it is
	// not set; sorted.
	Environment []string
	Findings    []report.Finding
	Stats       Stats
	// HandOver is why the explorer could not go on by itself and another one took over, "" if none did. HandOverInTime
	// is the same of the second regime of time.
	HandOver, HandOverInTime string

	aside  aside
	beside bool // Behind is not all that is left open
	timers bool // a timer could have fired early
}

// OverBudget has a result name another limit where it names that of work.
func (r *Result) OverBudget(reason string) {
	if r.Reason == stoppedWork {
		r.Reason = reason
	}
}

// Interrupt says of a result that there was to be more of it, and somebody asked to end the exploration. That is the
// reason then, but for what is not supported, or comes behind what the entry was refused.
func (r *Result) Interrupt() {
	r.Verdict, r.Interrupted = Incomplete, true
	switch {
	case r.Refused != nil:
		if !r.Refused.Failed && !r.Skips {
			r.Then = Interrupted
		}
	case !r.NotSupported:
		r.Reason, r.ReasonSite = Interrupted, 0
	}
}

// Kind says in one word what is promised.
func (r *Result) Kind() verdict.Kind {
	switch {
	case r.Verdict == Exhausted:
		return verdict.Exhausted
	case r.Refused != nil:
		return verdict.Refused
	case r.Skips:
		return verdict.Skipped
	case r.FirstDone:
		return verdict.InTime
	case r.NotSupported:
		return verdict.NotSupported
	case r.Behind != 0 && !r.beside:
		return verdict.RacesBehind
	case r.Bounds > 1 || r.Delays > 1: // up to no delay is one schedule, and no bound
		return verdict.Complete
	case r.Within.Steps > 0:
		return verdict.Within
	case r.Bounds > 0:
		return verdict.Complete
	}
	return verdict.Sampled
}

// Complete says up to how many preemptions an incomplete exploration is complete, "" if nothing is known of that.
func (r *Result) Complete() string {
	if r.Verdict != Incomplete || r.Bounds == 0 {
		return ""
	}
	s := "complete up to " + Preemptions(r.Bounds-1)
	if r.InTime {
		s += " where no timer fires early"
	}
	return s
}

// Preemptions says a number of preemptions in words.
func Preemptions(n int) string {
	if n == 1 {
		return "1 preemption"
	}
	return fmt.Sprintf("%d preemptions", n)
}

// Stats count the work. Fields that mean nothing for an explorer are -1 and are left out of output.
type Stats struct {
	Executions int   // every start from the snapshot, cut off or not
	Replays    int   // witnesses run again, counted apart
	Classes    int   // distinct vectors of returned values among complete executions
	Redundant  int   // executions whose equivalence class had been met before
	Diverged   int   // executions that could not follow their seed
	Work       int64 // as work.go counts it
	Events     int   // visible operations performed, over all executions
	Shared     int   // those of them that the limit of events counts (own.go)
	States     int   // union: states of the sweep
	Skipped    int   // se-mcr: prefixes left to a switch-equivalent one; mcr-s and mcr-s+: questions and seeds that an execution has answered
	Restored   int   // se-mcr: executions of what the published method left out
	Histories  int   // union: distinct complete histories of returned values, summed over goroutines
	// mcr-s and mcr-s+: questions asked of the solver, reads that had to keep their value and constraints in them,
	// summed over all questions (see constraint.Stats), and the time they took; then the executions that looked for
	// what no question has found, redundant ones among them, and the classes that they met.
	Queries, Reads, Constraints int
	SolverNS                    int64
	Closing, Missed             int
	Sampling                    Sampling // of the runs that were drawn (mcrs/explore/sample)
	MachineNS                   int64
	WitnessNS                   int64 // making the witnesses of findings, after the exploration
	WallNS                      int64
}

// Delays says how many delays.
func Delays(n int) string {
	if n == 1 {
		return "1 delay"
	}
	return fmt.Sprintf("%d delays", n)
}

// MaxDepth is the greatest depth of bugs that runs are drawn for.
const MaxDepth = 3

// A Sampling says how many runs were drawn for bugs of depth 1, 2 and 3, and of how many goroutines and steps the
// program is.
type Sampling struct {
	Threads, Steps int
	Runs           [MaxDepth]int
	// Within is the step up to which every run went that counts, or ended before. Where it is not 0 the probabilities
	// are of bugs that show within so many steps; no other is counted on. 0 says that every run went to its end.
	Within int
}

// Probability is with which a bug of some depth has been met, if there is one: at least 1 - (1 - 1/(n·k^(d-1)))^runs
// for n goroutines and k steps, as PCT guarantees. A run for a greater depth counts as one for its own alone.
func (x Sampling) Probability(depth int) float64 {
	if x.Threads == 0 || x.Steps == 0 {
		return 0
	}
	each := 1 / (float64(x.Threads) * math.Pow(float64(x.Steps), float64(depth-1)))
	return 1 - math.Pow(1-each, float64(x.Runs[depth-1]))
}
