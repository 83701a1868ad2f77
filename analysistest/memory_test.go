package analysistest

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// litmus are the outcomes of the tests in testdata/memory: under sequential consistency, and those that total store order adds. They are those of the literature
// (Alglave, Maranget and Tautschnig, "Herding Cats", TOPLAS 2014; Owens, Sarkar and Sewell, TPHOLs 2009), counted by hand, or by enumeration of the rules with
// pencil and paper where a test has many.
var litmus = map[string]struct {
	sc   []string
	tso  []string
	many int // where the outcomes of sequential consistency are not listed: their number
}{
	"TestSB":             {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSBAtomicStores": {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBAtomicLoads":  {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSBLocks":        {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBChannel":      {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBLibrary":      {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBLooks":        {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSBOwnReads":     {sc: []string{"1 0 1 1", "1 1 1 0", "1 1 1 1"}, tso: []string{"1 0 1 0"}},
	"TestMP":             {sc: []string{"0 0", "0 1", "1 1"}},
	"TestMPAtomic":       {sc: []string{"0 0", "0 1", "1 1"}},
	"TestMPLocks":        {sc: []string{"0 0", "0 1", "1 1"}},
	"TestLB":             {sc: []string{"0 0", "0 1", "1 0"}},
	"TestS":              {sc: []string{"0 1", "0 2", "1 1"}}, // what is read of y, and x in the end
	"TestR":              {sc: []string{"0 1", "1 1", "1 2"}, tso: []string{"0 2"}},
	"TestTwoPlusTwoW":    {many: 8},
	"TestIRIW":           {many: 15},
	"TestWRC":            {many: 7},
	"TestISA2":           {many: 7},
	"TestCoRR":           {sc: []string{"0 0", "0 1", "1 1"}},
	"TestCoWW":           {many: 6},
	"TestCoRW":           {sc: []string{"0 1", "0 2", "2 1", "2 2"}},
	"TestPartial":        {sc: []string{"[1 0] 0 1", "[1 0] 1 0", "[1 0] 1 1"}, tso: []string{"[1 0] 0 0"}},
}

// TestMemoryModels compares what explorers meet of the litmus tests with what the literature says, under each memory model.
func TestMemoryModels(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	if len(p.Entries) != len(litmus) {
		t.Errorf("%d entries, and %d with known outcomes", len(p.Entries), len(litmus))
	}
	for _, e := range p.Entries {
		want, ok := litmus[e.Name]
		if !ok {
			t.Errorf("%s: nobody has said what it can do", e.Name)
		}
		for _, model := range []event.MemoryModel{event.SC, event.TSO} {
			outcomes := want.sc
			if model == event.TSO {
				outcomes = slices.Sorted(slices.Values(append(slices.Clone(want.sc), want.tso...)))
			}
			for name, x := range explorersOfMemory() {
				if name == "union" && !long.On() && len(want.tso) == 0 {
					continue // it hands over
				}
				got := make(outcomeSet)
				r := x(got.note).Explore(explore.InMemory(m.Entry(e), model), explore.Limits{})
				if r.Verdict != explore.Exhausted {
					t.Errorf("%s, %s, %v: %v: %s", e.Name, name, model, r.Verdict, r.Reason)
				}
				if want.many > 0 && len(got) != want.many || want.many == 0 && !slices.Equal(slices.Sorted(maps.Keys(got)), outcomes) {
					t.Errorf("%s, %s, %v: %s; want %s (%d)", e.Name, name, model, got, outcomes, want.many)
				}
			}
		}
	}
}

// explorersOfMemory make the explorers that know store buffers, by name.
func explorersOfMemory() map[string]func(observe func(*trace.Trace)) explore.Explorer {
	return map[string]func(observe func(*trace.Trace)) explore.Explorer{
		"systematic": func(observe func(*trace.Trace)) explore.Explorer { return &systematic.Explorer{Observe: observe} },
		"union":      func(observe func(*trace.Trace)) explore.Explorer { return &union.Explorer{Observe: observe} },
	}
}

// An outcomeSet has the messages of a test's failures.
type outcomeSet map[string]bool

func (s outcomeSet) note(tr *trace.Trace) {
	for _, f := range tr.Failures {
		s[strings.TrimSpace(f.Message)] = true
	}
}

func (s outcomeSet) String() string { return strings.Join(slices.Sorted(maps.Keys(s)), ", ") }

// TestMemoryBruteForce compares systematic exploration with every state, under total store order.
func TestMemoryBruteForce(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	few := []string{"TestMPAtomic"}
	if long.On() {
		few = append(few, "TestSB", "TestSBLooks", "TestCoRR", "TestPartial", "TestR", "TestCoRW") // several thousand states each
	}
	for _, e := range p.Entries {
		if !slices.Contains(few, e.Name) {
			continue
		}
		brute, got := make(outcomeSet), make(outcomeSet)
		r := oracle.SearchStates(m.Entry(e), oracle.Limits{Options: sched.Options{Memory: event.TSO}}, brute.note)
		if !r.Complete {
			t.Fatalf("%s: %s", e.Name, r.Reason)
		}
		(&systematic.Explorer{Observe: got.note}).Explore(explore.InMemory(m.Entry(e), event.TSO), explore.Limits{})
		if brute.String() != got.String() {
			t.Errorf("%s: brute force meets %s, systematic %s", e.Name, brute, got)
		}
	}
}
