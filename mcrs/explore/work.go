package explore

import (
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file counts work, so that each entry ends, whatever it does, and ends at the same point on every computer. The unit is an instruction of
// the machine. Other work has the price of the instructions that take as long, by and large; the answer does not depend on whether a price is right,
// the time until it comes does.
//
// Executions are counted, those of which only the witness is of use among them, the events that explorers look at, and the states of union's sweeps.
// What an explorer does for its own reasoning beyond that is bounded apart (MaxGraph, MaxWork).

// The prices.
const (
	eventWork = 300   // an event, in the machine and in the explorer
	runWork   = 2_000 // an execution, besides
	// StateWork is the price of a state of a sweep.
	StateWork = 1_000
)

// DefaultWork is the limit of work. It is some ten seconds of one slow core.
const DefaultWork = 1_000_000_000

// stoppedWork is why an exploration stops at the limit of work.
const stoppedWork = "stopped at the limit of work (-limit.work)"

// witnessShare is the part of the limit of work that witnesses may take, on top of it, until they are shortened no more.
const witnessShare = 4

// workOf is the work of an execution.
func workOf(t *trace.Trace) int64 { return t.Steps + runWork + eventWork*int64(len(t.Events)) }

// Spend counts work.
func (s *Session) Spend(n int64) { s.Result.Stats.Work += n }

// WorkLeft is what is left of the limit of work.
func (s *Session) WorkLeft() int64 { return max(0, s.Limits.Work-s.Result.Stats.Work) }

// boundSteps has the next execution end where the limit of work does.
func (s *Session) boundSteps(o *sched.Options) { o.MaxSteps = min(o.MaxSteps, max(1, s.WorkLeft())) }

// outOfWork reports whether an execution was cut off where the limit of work is.
func (s *Session) outOfWork(x *Run, t *trace.Trace) bool {
	return t.Status == trace.Limit && x.Options.MaxSteps < s.Limits.Steps && t.Steps >= x.Options.MaxSteps
}
