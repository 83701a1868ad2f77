package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestLiterals has union alone explore what uses locks in package variables that were initialised with the rest of
// their variable. A write of the lock's bytes would have no rule (DEP12).
func TestLiterals(t *testing.T) {
	m, p := loadDir(t, "testdata/literals")
	if len(p.Entries) != 4 {
		t.Fatalf("%d entries", len(p.Entries))
	}
	for _, e := range p.Entries {
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		if r.Verdict != explore.Exhausted || r.Stats.Executions > 20 || len(r.Findings) > 0 {
			t.Errorf("%s: %s %s, %d executions, %d findings", e.Name, r.Verdict, r.Reason, r.Stats.Executions, len(r.Findings))
		}
	}
}
