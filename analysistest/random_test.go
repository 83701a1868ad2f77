package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestRandom explores in both regimes of time what draws randomness. The first use starts a timer natively, which it
// stops before a minute has passed. Here there is none: it would have each execution initialise all packages, and the
// second regime fire it early.
func TestRandom(t *testing.T) {
	m, p := loadDir(t, "testdata/random")
	if len(p.Entries) != 2 {
		t.Fatalf("%d entries", len(p.Entries))
	}
	for _, e := range p.Entries {
		r := explore.ExploreRegimes(func() explore.Explorer { return new(union.Explorer) }, m.Entry(e), explore.Limits{}, explore.TimingAll)
		if r.Verdict != explore.Exhausted || r.Stats.Executions > 1 || len(r.Findings) > 0 {
			t.Errorf("%s: %s %s, %d executions, %d findings", e.Name, r.Verdict, r.Reason, r.Stats.Executions, len(r.Findings))
		}
	}
}
