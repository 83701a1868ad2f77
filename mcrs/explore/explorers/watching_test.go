package explorers

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
)

var watching = flag.Int("watching", 40, "programs of TestWatching")

// TestWatching compares the races that explorers find with those of brute force, on programs in which goroutines learn
// of each other without being synchronised.
func TestWatching(t *testing.T) {
	small, racy := 0, 0
	for seed := range uint64(*watching) {
		p := litmus.Watching(seed)
		want := oracle.SearchStates(p, oracle.Limits{Executions: 3000}, nil)
		if !want.Complete {
			continue
		}
		small++
		if len(want.Races) > 0 {
			racy++
		}
		for _, name := range []string{"union", "systematic", "icb", "mcr", "mcr-s+", "se-mcr"} {
			x, _ := New(name)
			res := x.Explore(p, explore.Limits{})
			got := make(map[string]bool)
			for _, f := range res.Findings {
				if f.Category == report.DataRace {
					got[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
				}
			}
			if res.Verdict != explore.Exhausted || !maps.Equal(got, want.Races) {
				t.Errorf("program %d: %s: %s %s\nraces %v\nwant  %v\n%v", seed, name, res.Verdict, res.Reason,
					slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want.Races)), p)
			}
		}
	}
	if small < *watching/2 || racy < small/4 {
		t.Errorf("of %d programs %d are small enough for brute force, %d have races", *watching, small, racy)
	}
}
