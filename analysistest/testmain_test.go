package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestExitOfTestMain shows that union explores by itself where TestMain exits: its exit is the end of a goroutine
// (EXIT5), and others may exit before the tests are over or after (EXIT3).
func TestExitOfTestMain(t *testing.T) {
	finds := map[string]string{"TestCycleLeftBehind": "goroutineleak", "TestSenderLeftBehind": "goroutineleak", "TestWriteLeftBehind": "datarace", "TestExitLeftBehind": "panics"}
	m, p := loadDir(t, "testdata/bugs/testmain")
	for _, e := range p.Entries {
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		if r.Verdict != explore.Exhausted {
			t.Errorf("%s: %s: %s", e.Name, r.Verdict, r.Reason)
		}
		if e.Name == "TestExitLeftBehind" && r.Stats.Executions != 2 {
			t.Errorf("%s: %d executions, want one that exits before the tests are over and one after", e.Name, r.Stats.Executions)
		}
		var got []string
		for _, f := range r.Findings {
			got = append(got, string(f.Category))
		}
		if strings.Join(got, " ") != finds[e.Name] {
			t.Errorf("%s: found %q, want %q", e.Name, got, finds[e.Name])
		}
	}
}

// TestCodeOfTestMain has union alone explore tests that fail in some orders, under a TestMain that takes another way
// then, one that exits with what M.Run returns (EXIT3), and one that drops it.
func TestCodeOfTestMain(t *testing.T) {
	for dir, entries := range map[string]int{"testdata/code": 4, "testdata/code/exits": 1, "testdata/code/drops": 1} {
		m, p := loadDir(t, dir)
		for _, e := range p.Entries {
			r := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
			if r.Verdict != explore.Exhausted || len(r.Findings) == 0 {
				t.Errorf("%s: %s: %s: %s, %d findings", dir, e.Name, r.Verdict, r.Reason, len(r.Findings))
			}
		}
		if len(p.Entries) != entries {
			t.Errorf("%s: %d entries", dir, len(p.Entries))
		}
	}
}
