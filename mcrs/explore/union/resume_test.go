package union

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
)

// TestResume explores the benchmark programs with so little work that union has to wait while bounds are explored, or
// to go on beyond its share. Where an entry is exhausted all the same, each goroutine has the histories that an
// explicit-state search has counted, and what is found is what is found without a limit. The number of workers changes
// nothing.
func TestResume(t *testing.T) {
	resumed, incomplete := map[string]bool{}, 0
	for _, r := range litmustest.Rows() {
		p := r.Program()
		want := (&Explorer{Apart: true}).Explore(p, explore.Limits{})
		if n := want.Stats.Executions; want.Verdict != explore.Exhausted || n < 6 || n > long.Pick(10, 500) {
			continue
		}
		for work := want.Stats.Work; work < want.Stats.Work*3; work += want.Stats.Work / long.Pick[int64](8, 16) {
			res := (&Explorer{Apart: true, Workers: int(work % 3)}).Explore(p, explore.Limits{Work: work})
			if res.Verdict != explore.Exhausted {
				incomplete++
				continue
			}
			if res.HandOver != "" {
				continue // all schedules were executed
			}
			if res.Delays > 0 {
				resumed[r.Name] = true
			}
			if res.Stats.Histories != r.Histories+1 || !slices.Equal(keysOf(res), keysOf(want)) {
				t.Errorf("%s, work %d: %d histories, want %d; findings\n%q\nwant\n%q", r.Name, work, res.Stats.Histories, r.Histories+1, keysOf(res), keysOf(want))
			}
		}
	}
	t.Logf("%d programs were exhausted after a wait; %d explorations were not", len(resumed), incomplete)
	if len(resumed) < long.Pick(2, 5) || incomplete == 0 {
		t.Errorf("%d programs were exhausted after a wait; %d explorations were not", len(resumed), incomplete)
	}
}

// keysOf names the findings.
func keysOf(r *explore.Result) (keys []string) {
	for i := range r.Findings {
		keys = append(keys, r.Findings[i].Key)
	}
	slices.Sort(keys)
	return keys
}
