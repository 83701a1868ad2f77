package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
)

// TestRepaired explores twenty patterns of real blocking bugs, each repaired. Nothing may be found in them, to the end
// of all interleavings.
func TestRepaired(t *testing.T) {
	m, p := loadDir(t, "testdata/repaired")
	if len(p.Entries) != 20 {
		t.Fatalf("%d entries, want 20", len(p.Entries))
	}
	for _, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			next := func() explore.Explorer {
				x, err := explorers.New("")
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			res := explore.ExploreRegimes(next, m.Entry(e), explore.Limits{}, explore.TimingStructural)
			if res.Verdict != explore.Exhausted {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			for _, f := range res.Findings {
				t.Errorf("%s %s", f.Category, f.Key)
			}
		})
	}
}
