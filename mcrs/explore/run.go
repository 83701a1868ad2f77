package explore

import (
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines an execution that was asked for, and may be made by another goroutine than the one that wants it.

// A run is an execution that was asked for.
type run struct {
	sc    sched.Scheduler
	opts  sched.Options
	t     *trace.Trace
	took  time.Duration
	fault *Fault
	made  atomic.Bool
}

// A Fault is a panic of the machine. The explorer panics with it when it wants the execution.
type Fault struct {
	Value any
	Stack []byte
}

func (x *run) make(m sched.Machine) {
	began := time.Now()
	defer func() {
		if v := recover(); v != nil {
			x.fault = &Fault{v, debug.Stack()}
		}
		x.took = time.Since(began)
		x.made.Store(true)
	}()
	x.t = m.Run(x.sc, x.opts)
}

// trace returns what was executed.
func (x *run) trace() *trace.Trace {
	if x.fault != nil {
		panic(x.fault)
	}
	return x.t
}
