package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestGone explores what an entry leaves behind, with less work than it takes to follow it until its process is gone.
// All else is known long before that. So the entry is not exhausted, for the one reason that it goes on, and nobody
// takes over (GONE2).
func TestGone(t *testing.T) {
	m, p := loadDir(t, "testdata/waits")
	for _, e := range p.Entries {
		if e.Name != "TestLateInRandom" {
			continue
		}
		whole := new(union.Explorer).Explore(m.Entry(e), explore.Limits{})
		if whole.Verdict != explore.Exhausted {
			t.Fatalf("%s: %s", whole.Verdict, whole.Reason)
		}
		short := 0
		for part := int64(1); part < 16; part++ {
			r := new(union.Explorer).Explore(m.Entry(e), explore.Limits{Work: whole.Stats.Work * part / 16})
			if r.Verdict == explore.Exhausted {
				t.Errorf("exhausted with %d/16 of the work", part)
			}
			if strings.HasPrefix(r.Reason, "the clock moved 64 times") && r.HandOver == "" {
				short++
			}
		}
		if short == 0 {
			t.Error("no limit has struck at what goes on")
		}
	}
}
