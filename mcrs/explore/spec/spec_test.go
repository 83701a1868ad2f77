package spec

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// TestEnabledAndMet asks, for an operation on an object with a value, whether it is enabled and what it meets.
func TestEnabledAndMet(t *testing.T) {
	const addr = 0x1000
	for _, test := range []struct {
		rule    string
		kind    event.Kind
		key     int64
		value   int32
		enabled bool
		met     uint64
		fails   bool
	}{
		{"ULOCK1", event.Lock, 0, 0, true, 0, false},
		{"ULOCK1", event.Lock, 0, LockHeld, false, 0, false},
		{"ULOCK1", event.Lock, 0, LockReader, false, 0, false},
		{"ULOCK2", event.RLock, 0, 2 * LockReader, true, 0, false},
		{"ULOCK2", event.RLock, 0, LockReader | LockAnnounced, false, 0, false},
		{"ULOCK2", event.LockAnnounce, 0, LockReader, true, 0, false},
		{"ULOCK4", event.Unlock, 0, LockHeld, true, 0, false},
		{"ULOCK4", event.Unlock, 0, 0, true, 0, true},
		{"ULOCK4", event.RUnlock, 0, LockHeld, true, 0, true},
		{"TryLock", event.TryLock, 0, 0, true, 1, false},
		{"TryLock", event.TryLock, 0, LockReader, true, 0, false},
		{"TryRLock", event.TryRLock, 0, LockReader, true, 1, false},
		{"UWG1", event.WaitGroupAdd, -1, 1, true, 0, false},
		{"UWG1", event.WaitGroupAdd, -2, 1, true, 0, true},
		{"UWG2", event.WaitGroupWait, 0, 0, true, 0, false},
		{"UWG2", event.WaitGroupWait, 0, 1, false, 0, false},
		{"UONCE1", event.OnceBegin, 0, 0, true, 1, false},
		{"UONCE1", event.OnceBegin, 0, 1, false, 0, false},
		{"UONCE1", event.OnceBegin, 0, 2, true, 0, false},
	} {
		r := NewRules()
		who := r.Thread("G1")
		n := r.Root(who, 0)
		r.Nodes[n].Known = true
		r.Nodes[n].Operation = r.OperationOf(event.Op{Kind: test.kind, Loc: event.Location{Addr: addr}, Key: uint64(test.key)})
		var s State
		s.SetNode(who, n)
		r.Set(&s, r.Object(known.SpaceOf(test.kind), addr), test.value)
		moves := r.Enabled(&s, who, nil)
		if got := len(moves) == 1; got != test.enabled {
			t.Errorf("%s: %v at %d: enabled %v, want %v", test.rule, test.kind, test.value, got, test.enabled)
		}
		if !test.enabled || len(moves) == 0 {
			continue
		}
		if x, ok := r.Meets(&s, moves[0]); !ok || x.Value != test.met || x.Flag != test.fails {
			t.Errorf("%s: %v at %d: meets %d, fails %v; want %d, %v", test.rule, test.kind, test.value, x.Value, x.Flag, test.met, test.fails)
		}
	}
}

// TestAWriterThatAnnouncedItself shows that it may lock when the last reader has gone (ULOCK3), though its announcement
// keeps others out.
func TestAWriterThatAnnouncedItself(t *testing.T) {
	r := NewRules()
	who := r.Thread("G1")
	n := r.Root(who, 0)
	lock := r.Object(known.SpaceOf(event.Lock), 0x1000)
	x := &r.Nodes[n]
	x.Known, x.Operation = true, r.OperationOf(event.Op{Kind: event.Lock, Loc: event.Location{Addr: 0x1000}})
	x.Locks = []known.Held{{Object: lock, Mode: known.HeldAnnounced}}
	for value, want := range map[int32]int{LockAnnounced: 1, LockAnnounced | LockReader: 0} {
		var s State
		s.SetNode(who, n)
		r.Set(&s, lock, value)
		if got := len(r.Enabled(&s, who, nil)); got != want {
			t.Errorf("at %d: %d moves, want %d", value, got, want)
		}
	}
}
