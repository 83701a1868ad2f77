package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestFirst has union alone explore tests in which another goroutine may have been the first to open a socket or pipe:
// nothing that a goroutine allocates depends on that.
func TestFirst(t *testing.T) {
	m, p := loadDir(t, "testdata/first")
	for _, e := range p.Entries {
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		if r.Verdict != explore.Exhausted || len(r.Findings) > 0 {
			t.Errorf("%s: %s: %s, %d findings", e.Name, r.Verdict, r.Reason, len(r.Findings))
		}
	}
	if len(p.Entries) != 2 {
		t.Errorf("%d entries", len(p.Entries))
	}
}
