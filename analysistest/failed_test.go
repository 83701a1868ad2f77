package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestFailed shows that t.Failed is explored before and after what fails the test, and T.Run before and after cleanups,
// though package testing is silent. The test has the panics' texts, and brute force must see them too.
func TestFailed(t *testing.T) {
	m, p := loadDir(t, "testdata/testingt")
	want := panicsWanted(p)
	races := map[string]bool{"TestFailLate": true, "TestFailAfter": false, "TestFailInTime": false} // of t.Fail and the end of the test, as the race detector has it
	for i, e := range p.Entries {
		em := m.Entry(e)
		check := func(by string, got map[string]bool) {
			if have := slices.Sorted(maps.Keys(got)); !slices.Equal(have, want[e.Name]) {
				t.Errorf("%s: %s found the panics %q, want %q", e.Name, by, have, want[e.Name])
			}
		}
		if e.Name != "TestTwice" && i%2 == 0 || long.On() { // seven thousand executions, as many as all others together
			brute := map[string]bool{}
			if r := oracle.SearchStates(em, oracle.Limits{Executions: 20_000}, func(tr *trace.Trace) { note(brute, tr) }); !r.Complete {
				t.Errorf("%s: brute force: %s", e.Name, r.Reason)
			}
			check("brute force", brute)
		}
		for k, name := range []string{"union", "systematic", "mcr"} {
			if k > 0 && (i+k)%long.Step(2) != 0 {
				continue
			}
			x, err := explorers.New(name)
			if err != nil {
				t.Fatal(err)
			}
			got, raced := map[string]bool{}, false
			res := x.Explore(em, explore.Limits{})
			for i := range res.Findings {
				note(got, res.Findings[i].Witness)
				raced = raced || res.Findings[i].Category == report.DataRace
			}
			if late, ok := races[e.Name]; ok && raced != late {
				t.Errorf("%s: %s: a race with the end of the test: %t", e.Name, name, raced)
			}
			if res.Verdict != explore.Exhausted {
				t.Errorf("%s: %s: %s: %s", e.Name, name, res.Verdict, res.Reason)
			}
			check(name, got)
		}
	}
}

// note adds the value that an execution's panic had.
func note(to map[string]bool, t *trace.Trace) {
	if t.Status == trace.Failed {
		value, _, _ := strings.Cut(strings.TrimPrefix(t.Panic, "panic: "), "\n")
		value, _, _ = strings.Cut(value, " [")
		to[value] = true
	}
}
