package union

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// A reason to hand over is the same whatever was executed before in the process.
func TestReasonHasNoSiteNumber(t *testing.T) {
	for reason, want := range map[string]string{
		"no rule for a lock that is used as memory, at site 33784":               "no rule for a lock that is used as memory",
		"goroutine G1 lets the host read or write memory at site 12, or 3 bytes": "goroutine G1 lets the host read or write memory, or 3 bytes",
	} {
		if got := siteNumber.ReplaceAllString(reason, ""); got != want {
			t.Errorf("%q becomes %q, want %q", reason, got, want)
		}
	}
}

// TestSamplesAreAskedForMore shows that the default explorer asks each sample for what it does not show itself. Two
// goroutines take two locks in different orders, far apart. A third lock keeps them from meeting.
func TestSamplesAreAskedForMore(t *testing.T) {
	w, l, u := litmus.W, litmus.L, litmus.U
	for _, gate := range []bool{false, true} {
		both := func(a, b int) []litmus.Op {
			ops := []litmus.Op{l(a), l(b), u(b), u(a)}
			if gate {
				ops = slices.Concat([]litmus.Op{l(3)}, ops, []litmus.Op{u(3)})
			}
			return ops
		}
		busy := func(own int) []litmus.Op { return litmustest.Loop(6, l(9), w(own, 1), u(9)) }
		p := &litmus.Program{Threads: litmustest.Threads(busy(7), busy(10), busy(11),
			slices.Concat(both(0, 1), busy(5)), slices.Concat(busy(6), both(1, 0)))}
		r := new(Explorer).Explore(p, explore.Limits{Work: 8_000_000})
		if r.Verdict == explore.Exhausted || r.Stats.Sampling.Threads == 0 {
			t.Fatalf("%v: it is not sampled", r.Verdict)
		}
		if found := len(r.Findings) > 0; found == gate || gate != (r.Stats.Queries <= 0) {
			t.Errorf("third lock: %v: %d findings, %d questions", gate, len(r.Findings), r.Stats.Queries)
		}
	}
}
