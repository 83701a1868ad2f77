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
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// classesOf are the numbers of vectors of values that the goroutines of benchmark programs read, under total and under
// partial store order. Another program than this one enumerated them, by a search of all states with store buffers.
var classesOf = map[string]struct {
	tso, pso int
	long     bool
}{
	"TestSB":        {4, 4, false},
	"TestIndep4":    {4, 4, false},
	"TestNWriters2": {2, 2, false},
	"TestCounter1":  {3, 3, false},
	"TestFib1":      {3, 3, false},
	"TestPingPong2": {7, 7, false},
	"TestLockCnt3":  {6, 6, false},
	"TestCounter2":  {19, 19, true},
	"TestFib2":      {20, 20, true},
	"TestFib3":      {175, 175, true},
	"TestDekker":    {86, 154, true},
	"TestPeterson":  {36, 36, true},
}

// TestMemoryBench compares the explorers with what is known of benchmark programs under relaxed memory models:
// systematic and mcr meet every vector, and union every history of a goroutine that is part of one.
func TestMemoryBench(t *testing.T) {
	m, p := loadDir(t, "testdata/bench")
	for _, e := range p.Entries {
		want, ok := classesOf[e.Name]
		if !ok || want.long && !long.On() {
			continue
		}
		for model, classes := range map[event.MemoryModel]int{event.TSO: want.tso, event.PSO: want.pso} {
			relaxed := explore.InMemory(m.Entry(e), model)
			all, mine := make(historySet), make(historySet)
			r := (&systematic.Explorer{Observe: all.note}).Explore(relaxed, explore.Limits{Work: 2_000_000_000})
			if r.Verdict != explore.Exhausted || r.Stats.Classes != classes {
				t.Errorf("%s, systematic, %v: %v %s, %d vectors, want %d", e.Name, model, r.Verdict, r.Reason, r.Stats.Classes, classes)
			}
			r = (&mcr.Explorer{Alone: true}).Explore(relaxed, explore.Limits{})
			if r.Verdict != explore.Exhausted || r.Stats.Classes != classes {
				t.Errorf("%s, mcr, %v: %v %s, %d vectors, want %d", e.Name, model, r.Verdict, r.Reason, r.Stats.Classes, classes)
			}
			r = (&union.Explorer{Alone: true, Apart: true, Observe: mine.note}).Explore(relaxed, explore.Limits{})
			if r.Verdict != explore.Exhausted || !maps.Equal(all, mine) {
				t.Errorf("%s, union, %v: %v, histories\n%s\nwant\n%s", e.Name, model, r.Verdict, mine, all)
			}
		}
	}
}

// A historySet has what the goroutines of executions were told, each by itself.
type historySet map[string]bool

func (s historySet) note(tr *trace.Trace) {
	told := make([]strings.Builder, len(tr.Threads))
	for i := range tr.Events {
		fmt.Fprintf(&told[tr.Events[i].Thread], " %v", trace.ReplyOf(&tr.Events[i]))
	}
	for i := range told {
		if th := &tr.Threads[i]; th.Buffers == 0 && tr.Status == trace.Returned {
			s[string(th.ID)+":"+told[i].String()] = true
		}
	}
}

func (s historySet) String() string { return strings.Join(slices.Sorted(maps.Keys(s)), "\n") }
