package explore

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A Leaks says which goroutines that an entry leaves blocked have leaked.
type Leaks string

const (
	// LeaksUnreachable reports those that nothing can wake any more (docs/machine.md, "How an execution ends"). It is
	// the default.
	LeaksUnreachable Leaks = "unreachable"
	// LeaksAll: also those that wait for what package variables reach, which other tests, or later calls, could wake.
	LeaksAll Leaks = "all"
)

// ParseLeaks returns the Leaks of a name; "" is the default.
func ParseLeaks(s string) (Leaks, error) {
	switch l := Leaks(s); l {
	case "":
		return LeaksUnreachable, nil
	case LeaksUnreachable, LeaksAll:
		return l, nil
	}
	return "", fmt.Errorf("unknown leaks %q: want %s or %s", s, LeaksUnreachable, LeaksAll)
}

// Leaking returns m with what l says of leaks.
func (l Leaks) Leaking(m sched.Machine) sched.Machine {
	if l != LeaksAll {
		return m
	}
	return leakMachine{m}
}

type leakMachine struct{ sched.Machine }

// Run implements sched.Machine.
func (m leakMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	o.AllLeaks = true
	return m.Machine.Run(s, o)
}
