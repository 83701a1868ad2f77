package learn

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// This file learns how many goroutines there are.

// noteCount notes that a goroutine stands at an operation that sees others. An error says that there is no rule for it.
func (a *absorption) noteCount(op *event.Op) error {
	if op.Kind != event.Goroutines {
		return nil
	}
	if op.Key == 2 {
		return fmt.Errorf("no rule for the stacks of all goroutines, at site %d", op.Site)
	}
	if a.CountSlot == 0 {
		a.CountSlot = a.Object(known.SpaceCount, 0)
		a.Rebuild() // go and End touch it from now on
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
