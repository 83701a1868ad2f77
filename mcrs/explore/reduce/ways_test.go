package reduce

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/known"
)

// TestSelectsMeet shows that the first select at the other side of a channel has the futures of those computed again
// that stand there already, and that who comes later does not: a loop that makes something in each round has a node at
// its select for each of them.
func TestSelectsMeet(t *testing.T) {
	k := NewReducer()
	const ch, stop = 1 << 16, 2 << 16
	comes := func(kind event.Kind) (may bool, again []int32) {
		n := k.Root(k.Thread(event.ThreadID("G1."+string(rune('a'+len(k.IDs))))), 0)
		k.Nodes[n].Operation = k.OperationOf(event.Op{Cases: []event.Case{{Kind: kind, Chan: ch}, {Kind: event.ChanRecv, Chan: stop}}})
		k.Nodes[n].Known = true
		k.Changed = known.Changes{}
		may = k.mayMeet(n, k.ActOf(n).Comms)
		return may, slices.Sorted(slices.Values(k.Changed.Nodes))
	}
	for i, tt := range []struct {
		kind  event.Kind
		may   bool
		again []int32
	}{
		{event.ChanRecv, false, nil},
		{event.ChanRecv, false, nil},
		{event.ChanSend, true, []int32{1, 2}},
		{event.ChanSend, true, nil},
		{event.ChanRecv, true, nil},
	} {
		if may, again := comes(tt.kind); may != tt.may || !slices.Equal(again, tt.again) {
			t.Errorf("select %d, %v: may meet another one: %v, want %v; computed again: %v, want %v", i+1, tt.kind, may, tt.may, again, tt.again)
		}
	}
}
