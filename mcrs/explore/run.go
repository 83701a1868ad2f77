package explore

import (
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines an execution that was asked for, and may be made by another goroutine than the one that wants it.

// A Run is an execution that was asked for.
type Run struct {
	Scheduler sched.Scheduler
	Options   sched.Options
	t         *trace.Trace
	took      time.Duration
	Fault     *Fault
	Made      atomic.Bool
}

// A Fault is a panic of the machine. The explorer panics with it when it wants the execution.
type Fault struct {
	Value any
	Stack []byte
}

// Make executes it.
func (x *Run) Make(m sched.Machine) {
	began := time.Now()
	defer func() {
		if v := recover(); v != nil {
			x.Fault = &Fault{v, debug.Stack()}
		}
		x.took = time.Since(began)
		x.Made.Store(true)
	}()
	x.t = m.Run(x.Scheduler, x.Options)
}

// Trace returns what was executed.
func (x *Run) Trace() *trace.Trace {
	if x.Fault != nil {
		panic(x.Fault)
	}
	return x.t
}
