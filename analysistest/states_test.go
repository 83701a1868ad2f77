package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/oracle"
)

// TestStatefulSearchOfEntries compares the stateful search with plain brute force, where that ends.
func TestStatefulSearchOfEntries(t *testing.T) {
	m, p := loadDir(t, "testdata/outcomes")
	for _, e := range p.Entries {
		em := m.Entry(e)
		got := oracle.SearchStates(em, oracle.Limits{Executions: long.Pick(200, 5000)}, nil)
		want := bruteForce(t, m, e)
		t.Logf("%s: %d executions, without states %d", e.Name, got.Executions, want.Executions)
		if missing := want.Missing(got); len(missing) > 0 && got.Complete {
			t.Errorf("%s: not met by the stateful search:\n%s", e.Name, strings.Join(missing, "\n"))
		}
		if extra := got.Missing(want.Result); len(extra) > 0 && want.Complete {
			t.Errorf("%s: not met by brute force:\n%s", e.Name, strings.Join(extra, "\n"))
		}
	}
}
