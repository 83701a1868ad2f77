package explore

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/report"
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
	Steps      int64 // instructions of one execution
	Memory     int64 // bytes alive in one execution

	Progress func(Progress) // if not nil, called after each execution
}

// A Progress says how far an exploration is.
type Progress struct {
	Executions int
	Behaviours int // kinds of executions, or, if the explorer knows them, answers to operations
	Waiting    int // moves whose outcome executions are yet to show, as far as is known; -1 if the explorer does not know
}

// A Result is what the exploration of one entry gave.
type Result struct {
	Verdict    Verdict
	Reason     string     // of Incomplete, one line
	ReasonSite event.Site // where it struck, 0 if nowhere
	// Bounds, of Incomplete, is the number of preemptions below which every schedule is accounted for; 0 if nothing is known.
	Bounds int
	// InTime says that this is about schedules in which no timer fires early.
	InTime   bool
	Findings []report.Finding
	Stats    Stats
}

// Complete says up to how many preemptions an incomplete exploration is complete, "" if nothing is known of that.
func (r *Result) Complete() string {
	if r.Verdict != Incomplete || r.Bounds == 0 {
		return ""
	}
	s := "complete up to " + preemptions(r.Bounds-1)
	if r.InTime {
		s += " where no timer fires early"
	}
	return s
}

func preemptions(n int) string {
	if n == 1 {
		return "1 preemption"
	}
	return fmt.Sprintf("%d preemptions", n)
}

// Stats count the work. Fields that mean nothing for an explorer are -1 and are left out of output.
type Stats struct {
	Executions int // every start from the snapshot, cut off or not
	Replays    int // witnesses run again, counted apart
	Classes    int // distinct vectors of returned values among complete executions
	Redundant  int // executions whose equivalence class had been met before
	Diverged   int // executions that could not follow their seed
	Events     int // visible operations performed, over all executions
	States     int // union: states of the sweep
	Skipped    int // se-mcr: prefixes left to a switch-equivalent one; mcr-s and mcr-s+: questions and seeds that an execution has answered
	Restored   int // se-mcr: executions of what the published method left out
	Histories  int // union: distinct complete histories of returned values, summed over goroutines
	// mcr-s and mcr-s+: questions asked of the solver, reads that had to keep their value and constraints in them, summed over all questions (see
	// constraint.Stats), and the time they took; then the executions that looked for what no question has found, redundant ones among them,
	// and the classes that they met.
	Queries, Reads, Constraints int
	SolverNS                    int64
	Closing, Missed             int
	MachineNS                   int64
	WitnessNS                   int64 // making the witnesses of findings, after the exploration
	WallNS                      int64
}
