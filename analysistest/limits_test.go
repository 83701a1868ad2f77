package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// TestLimits: what does not end by itself is Incomplete, with its reason and the line, and is no finding.
func TestLimits(t *testing.T) {
	want := map[string]struct {
		reason string
		line   int
	}{
		"TestForever":   {"limit of instructions reached", 10},
		"TestAllocates": {"memory limit of 256 MiB reached", 19},
		"TestRecurses":  {"limit of stack reached: goroutine recurses without end", 26},
		"TestLacks":     {"unsupported function runtime.MemProfile, called by limits.TestLacks", 0},
	}
	m, p := loadDir(t, "testdata/limits")
	for _, e := range p.Entries {
		x, err := explore.New("")
		if err != nil {
			t.Fatal(err)
		}
		r := x.Explore(m.Entry(e), explore.Limits{Steps: 20_000_000})
		w, ok := want[e.Name]
		if !ok {
			t.Errorf("%s is not in the table", e.Name)
		}
		if r.Verdict != explore.Incomplete || !strings.HasPrefix(r.Reason, w.reason) || len(r.Findings) > 0 {
			t.Errorf("%s: %s: %q, %d findings; want incomplete: %q", e.Name, r.Verdict, r.Reason, len(r.Findings), w.reason)
		}
		if line := m.Position(r.ReasonSite).Line; w.line != 0 && line != w.line {
			t.Errorf("%s: line %d, want %d", e.Name, line, w.line)
		}
	}
}
