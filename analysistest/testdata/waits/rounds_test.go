package waits

import (
	"sync/atomic"
	"testing"
	"time"
)

// This file has loops that seem to poll, and come to an end, beside a timer that is pending (SPIN2). A compare-and-swap
// that fails waits (SPIN7).

var lookedAt atomic.Int32

// In some executions the timer has fired behind the loop, in others not yet. Compiled, it has not.
// finds: testfailure
// only:
func TestRoundsBesideTimer(t *testing.T) {
	far, own := time.NewTimer(time.Hour), 0
	go func() { own++ }()
	for range 300 {
		lookedAt.CompareAndSwap(1, 2)
	}
	select {
	case <-far.C:
	default:
		t.Error("not yet")
	}
}

// finds: testfailure
func TestFewRoundsBesideTimer(t *testing.T) {
	far, own := time.NewTimer(time.Hour), 0
	go func() { own++ }()
	for range 10 {
		lookedAt.CompareAndSwap(1, 2)
	}
	select {
	case <-far.C:
	default:
		t.Error("not yet")
	}
}

// It fails where time passes for the loop alone: no compiled run is that slow.
// finds:
// only:
func TestFiredBesideRounds(t *testing.T) { // incomplete: the entry fails where time passes
	far := time.NewTimer(time.Hour)
	for range 300 {
		lookedAt.CompareAndSwap(1, 2)
	}
	select {
	case <-far.C:
		t.Error("fired")
	default:
	}
}
