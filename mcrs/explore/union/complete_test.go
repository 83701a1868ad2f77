package union

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestCompleteUpTo explores programs by the default explorer with limits too small for it. It compares what that claims
// for all that with the schedules that the claim is about.
func TestCompleteUpTo(t *testing.T) {
	r, up := litmus.R, litmus.P
	incomplete, claims := 0, map[int]int{}
	n := long.Pick(3, 4)
	for i, threads := range [][][]litmus.Op{
		{append(litmustest.Loop(1, litmus.Spawn(1)), litmustest.Loop(n, r(0), up(0, 1))...), litmustest.Loop(n, r(0), up(0, -1))},
		{append(litmustest.Loop(1, litmus.Spawn(1)), litmustest.Loop(n, litmus.Do(litmus.Add, 0, 1, 0), r(0))...), litmustest.Loop(n, r(0), litmus.Do(litmus.Add, 0, 2, 0))},
	} {
		p := &litmus.Program{Threads: threads}
		by, all := oracle.SearchPreemptions(p, oracle.Limits{Executions: 200_000}, false)
		if !all.Complete {
			t.Fatalf("program %d: %s", i, all.Reason)
		}
		for _, executions := range []int{20, 40, 80, 160, 320} {
			got := oracle.NewResult()
			x := &Explorer{Apart: true, Observe: func(t *trace.Trace) {
				if t.Status != trace.Stopped {
					got.Add(t)
				}
			}}
			res := x.Explore(p, explore.Limits{Executions: executions})
			if res.Verdict == explore.Exhausted {
				if res.Complete() != "" {
					t.Errorf("program %d, %d executions: exhausted, but %s", i, executions, res.Complete())
				}
				continue
			}
			incomplete++
			claims[res.Bounds]++
			if want := explore.Preemptions(res.Bounds - 1); res.Bounds > 0 && !strings.HasSuffix(res.Complete(), " "+want) {
				t.Errorf("program %d: %q, want ... %s", i, res.Complete(), want)
			}
			litmustest.AddRaces(got, res.Findings)
			for c := range min(res.Bounds, len(by)) {
				for _, s := range by[c].Missing(got) {
					t.Errorf("program %d, %d executions: %s, but schedules of %d preemptions show %s", i, executions, res.Complete(), c, s)
				}
			}
		}
	}
	t.Logf("%d explorations incomplete, by bounds that were done: %v", incomplete, claims)
	if claims[1] == 0 || claims[2] == 0 {
		t.Errorf("%d are incomplete, by bounds %v: no test of 0 and of 1 preemptions", incomplete, claims)
	}
}

// TestCompleteUpToDelays does so for what is claimed of delays, on random programs, with limits from the smallest on.
// Executions, events and work are limited in turn.
func TestCompleteUpToDelays(t *testing.T) {
	claims := map[int]int{}
	for i := range uint64(long.Pick(12, 800)) {
		mix := litmustest.Mixes[i%uint64(len(litmustest.Mixes))]
		p := litmus.Generate(i, mix, 4, 14)
		by, ok := oracle.SearchDelays(p, 2, 1000)
		if !ok {
			continue
		}
		for n := 8; n <= 512; n *= 2 {
			for _, lim := range []explore.Limits{{Executions: n}, {Events: 10 * n}, {Work: int64(n) * 6000}} {
				got := oracle.NewResult()
				x := &Explorer{Apart: true, Observe: func(t *trace.Trace) {
					if t.Status != trace.Stopped {
						got.Add(t)
					}
				}}
				res := x.Explore(p, lim)
				if res.Verdict == explore.Exhausted {
					continue
				}
				claims[res.Delays]++
				litmustest.AddRaces(got, res.Findings)
				for k := range min(res.Delays, len(by)) {
					for _, s := range by[k].Missing(got) {
						t.Errorf("program %d, %+v: %d bounds are done, but schedules of %d delays show %s\n%v", i, lim, res.Delays, k, s, p)
					}
				}
			}
		}
	}
	t.Logf("explorations by bounds that were done: %v", claims)
	if claims[2] == 0 || long.On() && claims[3] == 0 {
		t.Errorf("incomplete explorations, by bounds that were done: %v: no test of 1 delay, or of 2", claims)
	}
}
