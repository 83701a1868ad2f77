package analysistest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/passes/depends"
)

// TestUnionIgnoring explores programs with counters, with executions that ignore what nothing acts upon and without:
// they find the same, and ignoring takes fewer executions and states where it may.
func TestUnionIgnoring(t *testing.T) {
	m, p := loadDir(t, "testdata/merging")
	graphs := depends.NewGraphs(p)
	for _, e := range p.Entries {
		if !strings.HasPrefix(e.Name, "TestIgnores") {
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			explored := func(d depends.Mode, first bool) (*explore.Result, []string) {
				x := &union.Explorer{Alone: true, Ignores: d.Ignores(graphs, m), IgnoreFirst: first}
				r := x.Explore(m.Entry(e), explore.Limits{})
				if r.Verdict != explore.Exhausted {
					t.Errorf("%s: %s: %s", d, r.Verdict, r.Reason)
				}
				var found []string
				for _, f := range r.Findings {
					found = append(found, fmt.Sprint(f.Category, f.Key, f.Witness.Panic))
				}
				slices.Sort(found)
				return r, found
			}
			all, want := explored(depends.OnAll, false)
			some, got := explored(depends.ByFlow, true)
			t.Logf("%d executions and %d states, %d and %d where some is ignored", all.Stats.Executions, all.Stats.States, some.Stats.Executions, some.Stats.States)
			if !slices.Equal(got, want) {
				t.Errorf("it finds %q, and %q where nothing is ignored", got, want)
			}
			if n := map[string]int{"TestIgnoresLate": 1, "TestIgnoresText": 2, "TestIgnoresFailure": 1, "TestIgnoresRace": 1}[e.Name]; len(want) < n {
				t.Errorf("it finds %q, want %d", want, n)
			}
			if long.On() { // the graph takes seconds to build
				if _, got := explored(depends.ByGraph, true); !slices.Equal(got, want) {
					t.Errorf("static: it finds %q, and %q where nothing is ignored", got, want)
				}
			}
			saves := map[string][2]int{"TestIgnoresCounter": {2, 5}, "TestIgnoresIDs": {7, 304}}[e.Name]
			if saves[0] > 0 && (some.Stats.Executions > saves[0] || some.Stats.States > saves[1] || all.Stats.Executions <= saves[0]) {
				t.Errorf("%d executions and %d states, want at most %d, and %d where nothing is ignored", some.Stats.Executions, some.Stats.States, saves, all.Stats.Executions)
			}
			if e.Name == "TestIgnoresIDs" { // IGNORE1
				if late, _ := explored(depends.ByFlow, false); late.Stats.Executions <= 32 || late.Stats.Executions > 32+2*saves[0] {
					t.Errorf("%d executions, if it begins again after 32", late.Stats.Executions)
				}
			}
			if e.Name == "TestIgnoresFailure" { // replays ignore nothing
				if values := numbersLoaded(some.Findings); !values[2] {
					t.Errorf("the witness has the counter at %v", slices.Sorted(maps.Keys(values)))
				}
			}
		})
	}
}

// numbersLoaded are the small numbers that witnesses load.
func numbersLoaded(fs []report.Finding) map[uint64]bool {
	out := make(map[uint64]bool)
	for _, f := range fs {
		for _, e := range f.Witness.Events {
			if e.Kind == event.Read && e.Value < 10 {
				out[e.Value] = true
			}
		}
	}
	return out
}
