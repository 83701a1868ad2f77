package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestLooks explores loops that only look at what others can reach. They are taken for what they are: no time passes
// for them, so a timer of a second does not fire, and each is exhausted (SPIN5 to SPIN8 of the Go machine).
func TestLooks(t *testing.T) {
	m, p := loadDir(t, "testdata/looks")
	for _, e := range p.Entries {
		r := explore.ExploreRegimes(func() explore.Explorer { return new(union.Explorer) }, m.Entry(e), explore.Limits{}, explore.TimingOff)
		if r.Verdict != explore.Exhausted || len(r.Findings) > 0 || r.Stats.Executions > 10 {
			t.Errorf("%s: %s %s, %d executions, %d findings", e.Name, r.Verdict, r.Reason, r.Stats.Executions, len(r.Findings))
		}
	}
}
