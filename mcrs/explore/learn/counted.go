package learn

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// This file learns what goroutines see of each other.

// noteCount notes that a goroutine stands at an operation that sees others.
func (a *absorption) noteCount(op *event.Op) {
	if op.Kind == event.Goroutines && a.CountSlot == 0 {
		a.CountSlot = a.Object(known.SpaceCount, 0)
		a.Rebuild() // go and End touch it from now on
	}
	if op.Kind == event.Goroutines && op.Key == event.SeesStacks {
		a.Looked = true
	}
}

// stacks compares how many goroutines are beside the one that asks for the stacks of all, and notes that there are some
// (UGO4).
func stacks(a *absorption, e *event.Event, op *event.Op) error {
	if e.Other != spec.Beside(a.Rules, &a.s) {
		return fmt.Errorf("no rule for the stacks of coroutines, at site %d", op.Site)
	}
	if e.Other > 0 && !a.Stacks {
		a.Stacks = true
		a.Rebuild() // each step touches the count from now on
	}
	return nil
}

// counted compares an answer with the specification. The first one shows how many goroutines are beside those of a
// state.
func (a *absorption) counted(e *event.Event, x *known.Key) bool {
	if !a.CountSeen {
		a.CountSeen, a.CountBase = true, e.Value-x.Value
		x.Value = e.Value
	}
	return e.Value == x.Value
}
