package analysistest_test

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/passes"
)

// TestBugs explores the classes of concurrency bugs in testdata/bugs, each with its near misses, under all checks at
// once. Each report that a comment expects is there, and no other.
func TestBugs(t *testing.T) {
	for _, p := range analysistest.RunAll(t, "testdata/bugs", passes.All, "./...") {
		entries, buggy := p.Exploration.Entries, 0
		for i := range entries {
			e := &entries[i]
			if e.Result.Verdict != explore.Exhausted {
				t.Errorf("%s: %s: %s", p.Path, e.Name, e.Reason())
			}
			if len(e.Result.Findings) > 0 {
				buggy++
			}
		}
		if quiet := len(entries) - buggy; buggy < 3 || quiet < 3 {
			t.Errorf("%s: %d entries with a bug and %d without, want at least 3 of each", p.Path, buggy, quiet)
		}
	}
}
