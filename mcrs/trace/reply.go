package trace

import "github.com/heddle-go/heddle/mcrs/event"

// A Reply is what an operation told the goroutine that performed it: its kind,
// its choice, its value, and whether it went wrong. Two executions in which each goroutine was told the
// same are of one class; what the operation did to others (a counter's new
// value, the number of an element in its channel) does not count.
type Reply struct {
	Kind  event.Kind
	Case  int16
	Value uint64
	Wrong bool // see event.Event.Wrong
}

// ReplyOf returns what event e told its goroutine.
func ReplyOf(e *event.Event) Reply {
	r := Reply{Kind: e.Kind, Case: e.Case, Value: e.Value, Wrong: e.Wrong()}
	if !e.Kind.TellsValue() {
		r.Value = 0
	}
	return r
}
