package constraint

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestOnceTwice shows that there is no rule for a Once that runs its function twice: QONCE1 would contradict the trace.
func TestOnceTwice(t *testing.T) {
	kinds := []event.Kind{event.OnceBegin, event.OnceEnd, event.OnceBegin, event.OnceEnd}
	for n := 2; n <= len(kinds); n += 2 {
		tr := &trace.Trace{Threads: []trace.Thread{{ID: "G1", Parent: -1, Spawn: -1}}}
		for i, k := range kinds[:n] {
			tr.Events = append(tr.Events, event.Event{Kind: k, Seq: int32(i), Loc: event.Location{Addr: 64}, Value: 1, Partner: -1})
		}
		ops := func(_, seq int32) *event.Op {
			return &event.Op{Kind: kinds[seq], Loc: event.Location{Addr: 64}}
		}
		_, err := NewGeneral(tr, ops, func(uint64) (byte, bool) { return 0, false })
		if (err != nil) != (n > 2) {
			t.Errorf("%d events: error %v", n, err)
		}
	}
}
