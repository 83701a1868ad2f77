package race

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestObserver gives an Observer operations that tell of another goroutine without synchronising, and near misses.
func TestObserver(t *testing.T) {
	for _, c := range []struct {
		what     string
		e        event.Event
		observes bool
	}{
		{"Unlock that fails", event.Event{Kind: event.Unlock, Value: 1}, true},
		{"Unlock", event.Event{Kind: event.Unlock}, false},
		{"RUnlock that fails", event.Event{Kind: event.RUnlock, Value: 1}, true},
		{"RUnlock", event.Event{Kind: event.RUnlock}, false},
		{"TryLock that fails", event.Event{Kind: event.TryLock}, true},
		{"TryLock", event.Event{Kind: event.TryLock, Value: 1}, false},
		{"second close", event.Event{Kind: event.ChanClose, Value: 1}, true},
		{"close", event.Event{Kind: event.ChanClose}, false},
		{"Add below zero", event.Event{Kind: event.WaitGroupAdd, Other: -1}, true},
		{"Done", event.Event{Kind: event.WaitGroupAdd, Value: ^uint64(0)}, false},
		{"len", event.Event{Kind: event.ChanLen}, true},
		{"Lock", event.Event{Kind: event.Lock}, false},
	} {
		c.e.Site = 7
		var o Observer
		if o.Look(&trace.Trace{Events: []event.Event{c.e}}); (o.Site == 7) != c.observes {
			t.Errorf("%s: observes at %d, want %v", c.what, o.Site, c.observes)
		}
	}
}
