package reduce

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
	"github.com/heddle-go/heddle/mcrs/explore/spec"
)

// TestBuffersHaveOwners shows that two states differ if what is on its way to memory is another goroutine's (RBUF4),
// and that goroutines which can change places do so with their buffers.
func TestBuffersHaveOwners(t *testing.T) {
	k := NewReducer()
	k.Model, k.Merging = event.TSO, true
	var at [2]int32 // nodes of two goroutines, with different futures
	var queue [2]int32
	for i, id := range []event.ThreadID{"G1.1", "G1.2"} {
		g, b := k.Thread(id), k.Thread(event.BufferOf(id, 0))
		k.NoteBuffer(b, g)
		at[i] = k.Root(g, 0)
		queue[i], _ = k.One(known.Stored{Buffer: b, Op: event.Op{Kind: event.Write, Loc: event.Location{Addr: 8, Size: 8}}, Raw: make([]byte, 8)})
	}
	Anew(k)
	if k.Nodes[queue[0]].Class != k.Nodes[queue[1]].Class {
		t.Error("the same store is named differently in two buffers")
	}
	state := func(full ...int) *spec.State {
		s := new(spec.State)
		for i := range at {
			s.SetNode(k.Nodes[at[i]].Thread, at[i])
		}
		for _, i := range full {
			s.SetNode(k.Nodes[queue[i]].Thread, queue[i])
		}
		return s
	}
	for _, tt := range []struct {
		futures [2]uint64
		same    bool
	}{{[2]uint64{5, 6}, false}, {[2]uint64{5, 5}, true}} {
		for i, n := range at {
			k.Nodes[n].Class = tt.futures[i]
		}
		if same := k.Fingerprint(state(0)) == k.Fingerprint(state(1)); same != tt.same {
			t.Errorf("futures %v: a store in the buffer of one, and in that of the other, have one name: %v", tt.futures, same)
		}
		if alike := Alike(k, state(0), k.Nodes[at[0]].Thread, k.Nodes[at[1]].Thread); alike {
			t.Errorf("futures %v: a goroutine with a store on its way is like one without", tt.futures)
		}
		if alike := Alike(k, state(0, 1), k.Nodes[at[0]].Thread, k.Nodes[at[1]].Thread); alike != tt.same {
			t.Errorf("futures %v: goroutines that both have the store on its way are alike: %v", tt.futures, alike)
		}
	}
}
