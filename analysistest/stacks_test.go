package analysistest

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
)

// TestStacks has union alone explore what asks for the stacks of all goroutines: where there is no other (UGO3), and
// where others may be there (UGO4). What fails natively in some order fails in one that it finds. So it does in one
// that mcr finds, which has no rule for the latter, and goes on as systematic.
func TestStacks(t *testing.T) {
	m, p := loadDir(t, "testdata/stacks")
	for _, e := range p.Entries {
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		fails := slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Category == report.TestFailure })
		switch {
		case r.Verdict != explore.Exhausted:
			t.Errorf("%s: %s %s, %d executions", e.Name, r.Verdict, r.Reason, r.Stats.Executions)
		case strings.HasPrefix(e.Name, "TestAlone") && (r.Stats.Executions > 2 || len(r.Findings) > 0):
			t.Errorf("%s: %d executions, %d findings", e.Name, r.Stats.Executions, len(r.Findings))
		case strings.HasPrefix(e.Name, "TestSees") != fails:
			t.Errorf("%s: it fails is %t", e.Name, fails)
		}
		r = new(mcr.Explorer).Explore(m.Entry(e), explore.Limits{})
		if found := slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Category == report.TestFailure }); found != fails || r.Verdict != explore.Exhausted {
			t.Errorf("%s: by mcr %s %s, it fails is %t", e.Name, r.Verdict, r.Reason, found)
		}
	}
	if len(p.Entries) != 17 {
		t.Errorf("%d entries", len(p.Entries))
	}
}
