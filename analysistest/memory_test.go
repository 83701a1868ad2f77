package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/trace"
)

func TestLitmusDraft(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	for _, e := range p.Entries {
		for _, model := range []event.MemoryModel{event.SC, event.TSO} {
			got := map[string]bool{}
			x := &systematic.Explorer{Observe: func(tr *trace.Trace) {
				for _, f := range tr.Failures {
					got[strings.TrimSpace(f.Message)] = true
				}
			}}
			r := x.Explore(explore.InMemory(m.Entry(e), model), explore.Limits{})
			t.Log(e.Name, model, r.Verdict, r.Reason, r.Stats.Executions, r.Stats.Redundant, r.Stats.Diverged, len(got), strings.Join(slices.Sorted(maps.Keys(got)), " | "))
		}
	}
}
