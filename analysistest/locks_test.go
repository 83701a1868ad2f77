package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestLocks has every explorer explore programs that touch locks as memory, change a sync.Map in its Range, and try
// RWMutexes. Each must be exhausted with the findings of brute force; the comments of the entries say their categories.
// Explorer delay executes each schedule. Without the long tests it stops early, and must have found nothing else by
// then. Without them, union and systematic explore each entry, and each of the others one in three.
func TestLocks(t *testing.T) {
	m, p := loadDir(t, "testdata/locks")
	for i, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			em := m.Entry(e)
			want := make(map[string]bool)
			all := oracle.SearchStates(em, oracle.Limits{Executions: 5000}, func(tr *trace.Trace) { keysOf(want, explore.Failures(tr)) })
			if !all.Complete {
				t.Fatal("brute force: ", all.Reason)
			}
			for k := range all.Races {
				want[string(report.DataRace)+" "+k] = true
			}
			if got, ok := categories(want), strings.Join(wanted(t, "testdata/locks", e).finds, " "); got != ok {
				t.Errorf("brute force finds %q, want %q", got, ok)
			}
			for k, name := range explorers.Names() {
				if explorers.Samples(name) || name == "bruteforce" { // brute force is what the others are compared with
					continue
				}
				if name != "union" && name != "systematic" && (i+k)%long.Step(3) != 0 {
					continue
				}
				var limits explore.Limits
				if name == "delay" {
					limits.Executions = long.Pick(100, 0)
				}
				x, err := explorers.New(name)
				if err != nil {
					t.Fatal(err)
				}
				res := x.Explore(em, limits)
				got := make(map[string]bool)
				keysOf(got, res.Findings)
				if name == "delay" && res.Verdict != explore.Exhausted { // of some entries there are too many schedules
					maps.DeleteFunc(got, func(k string, _ bool) bool { return want[k] })
					if len(got) > 0 {
						t.Errorf("delay: %q, which brute force does not find", slices.Sorted(maps.Keys(got)))
					}
					continue
				}
				if res.Verdict != explore.Exhausted || !maps.Equal(got, want) {
					t.Errorf("%s: %v %s: %q, brute force finds %q", name, res.Verdict, res.Reason, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
				}
			}
		})
	}
}

func keysOf(into map[string]bool, found []report.Finding) {
	for _, f := range found {
		into[f.Key] = true
	}
}

// categories lists the categories of findings, by the first word of their keys.
func categories(keys map[string]bool) string {
	var out []string
	for k := range keys {
		c, _, _ := strings.Cut(k, " ")
		out = append(out, c)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

// TestOwnOnces shows that union has a rule where one goroutine alone makes a Once new (RENEW1). TestLocks has the same
// entries.
func TestOwnOnces(t *testing.T) { hasRules(t, "testdata/locks", "TestOwnOnce") }

// hasRules fails if union hands over an entry of dir whose name begins with prefix.
func hasRules(t *testing.T, dir, prefix string) {
	t.Helper()
	m, p := loadDir(t, dir)
	for _, e := range p.Entries {
		if strings.HasPrefix(e.Name, prefix) {
			if r := new(union.Explorer).Explore(m.Entry(e), explore.Limits{}); r.HandOver != "" {
				t.Errorf("%s: union hands over: %s", e.Name, r.HandOver)
			}
		}
	}
}
