package learn

import (
	"errors"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file learns which operations have the program reject an execution: rules UREJECT of package spec.

// noteFailures notes by which events the test fails, if executions are dropped for it.
func (a *absorption) noteFailures() error {
	if !a.t.Drops {
		return nil
	}
	a.fails = make(map[int32]int32)
	for i := range a.t.Failures {
		f := &a.t.Failures[i]
		if f.Event == 0 {
			return errors.New("no rule for a test that fails before its first operation")
		}
		at := f.Event - 1
		if int(at) == len(a.t.Events)-1 && f.Stack == nil && a.t.Events[at].Kind != event.Exit {
			a.output = true // of an example: see dropped
			continue
		}
		if p := a.t.Events[at].Partner; p >= 0 && a.t.Events[at].Thread != f.Thread {
			at = p
		}
		a.fails[at] |= spec.Failed
		if strings.TrimSpace(f.Message) != "" {
			a.fails[at] |= spec.SaysWhy
		}
	}
	if a.t.PanicCalled {
		a.fails[int32(len(a.t.Events)-1)] |= spec.PanicCalled
	}
	return nil
}

// dropped compares whether the execution is dropped with what the specification says.
func (a *absorption) dropped() error {
	if !a.t.Drops {
		return nil
	}
	if a.Outputs == nil {
		a.Outputs = make(map[int32]bool)
	}
	if a.t.Status == trace.Returned {
		a.Outputs[a.Output(&a.s)] = a.output
	}
	drops := a.Fails(&a.s)
	if n := len(a.t.Events) - 1; a.t.Status == trace.Failed && n >= 0 && a.t.Events[n].Kind == event.Panic {
		drops = a.fails[int32(n)]&spec.PanicCalled != 0 || a.Rejected(&a.s)
	}
	if drops != a.t.Dropped && a.t.Early > 0 {
		return errors.New("no rule for the way in which the program rejects an execution")
	}
	return nil
}
