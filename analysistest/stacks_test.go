package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestStacks has union alone explore what asks for the stacks of all goroutines: where there is no other (UGO3), and
// where another one may be there, for which it has no rule.
func TestStacks(t *testing.T) {
	m, p := loadDir(t, "testdata/stacks")
	for _, e := range p.Entries {
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		switch alone := strings.HasPrefix(e.Name, "TestAlone"); {
		case alone && (r.Verdict != explore.Exhausted || r.Stats.Executions > 2 || len(r.Findings) > 0):
			t.Errorf("%s: %s %s, %d executions, %d findings", e.Name, r.Verdict, r.Reason, r.Stats.Executions, len(r.Findings))
		case !alone && !strings.HasPrefix(r.Reason, "no rule for the stacks of all goroutines"):
			t.Errorf("%s: %s %s, %d executions", e.Name, r.Verdict, r.Reason, r.Stats.Executions)
		}
	}
	if len(p.Entries) != 5 {
		t.Errorf("%d entries", len(p.Entries))
	}
}
