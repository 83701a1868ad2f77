package oracle

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestEveryKindIsJudged shows that the judge knows of each kind of operation that synchronises with what it does, and
// of no other kind that it does. Of one that tells others something, it knows that it leaves it for them.
func TestEveryKindIsJudged(t *testing.T) {
	var answers []event.Event
	for _, value := range []uint64{0, 1, ^uint64(0)} {
		for _, other := range []int64{-1, 0, 1} {
			answers = append(answers, event.Event{Value: value, Other: other, Loc: event.Location{Addr: 64}, Partner: -1})
		}
	}
	for _, size := range []uint32{event.KernelWrite, event.KernelRead} {
		answers = append(answers, event.Event{Loc: event.Location{Addr: 64, Size: size}, Partner: -1})
	}
	h := &history{t: &trace.Trace{Threads: make([]trace.Thread, 2), Channels: trace.Channels{Caps: map[uint64]int{64: 1}}}, ops: make([]doing, 2)}
	var tells, leaves [event.NumKinds]bool
	meet := func(a, b event.Kind) bool {
		for _, x := range answers {
			for _, y := range answers {
				x.Kind, y.Kind, y.Thread = a, b, 1
				h.ops[0], h.ops[1] = doing{Event: x, index: 0}, doing{Event: y, index: 1}
				if h.synchronises(0, 1) {
					tells[a] = tells[a] || b != event.Quiesce // which all kinds synchronise with
					leaves[a] = leaves[a] || h.leaves(0)
					return true
				}
			}
		}
		return false
	}
	var judged [event.NumKinds]bool
	for a := range event.NumKinds {
		for b := range event.NumKinds {
			if meet(a, b) {
				judged[a] = judged[a] || b != event.Quiesce // which all kinds synchronise with
				judged[b] = true
			}
		}
	}
	for k := range event.NumKinds {
		if tells[k] && !leaves[k] {
			t.Errorf("%v: it synchronises with what comes after it; leaves does not say so", k)
		}
		if judged[k] != k.Synchronises() {
			t.Errorf("%v: mcrs/event says that it synchronises: %v; races.go has a rule: %v", k, k.Synchronises(), judged[k])
		}
	}
}
