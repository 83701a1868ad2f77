package analysistest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/explore/systematic"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// A litmus says what a test of testdata/memory can do: its outcomes under sequential consistency, what total store
// order adds, and what partial store order adds to that.
type litmus struct {
	sc, tso, pso []string
	// The number of outcomes under each model, where they are not listed.
	many [3]int
	// How many executions union makes, where it is not one for each outcome.
	runs int
	// It has too many schedules for the systematic explorer, or for a short test.
	wide, long bool
	// It can end in a deadlock.
	deadlock bool
	// all says that all explorers explore it, also in a short test.
	all bool
}

// litmuses are those of the literature (Alglave, Maranget and Tautschnig, "Herding Cats", TOPLAS 2014; Owens, Sarkar
// and Sewell, TPHOLs 2009). Another program than this one enumerated the numbers of outcomes from the rules.
var litmuses = map[string]litmus{
	"TestSB":                   {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSBAtomicStores":       {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBAtomicLoads":        {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSBFailedSwap":         {sc: []string{"0 1 false", "1 0 false", "1 1 false"}},
	"TestSBTry":                {sc: []string{"false 0 1", "false 1 0", "false 1 1", "true 0 1", "true 1 0", "true 1 1"}, tso: []string{"false 0 0"}, all: true},
	"TestSBPart":               {many: [3]int{11, 11, 16}, all: true},
	"TestBlockedStore":         {sc: []string{"blocked", "received"}, runs: 3, all: true},
	"TestCrossedLocks":         {sc: []string{"0 1", "1 0", "1 1"}, deadlock: true, all: true},
	"TestWholeAndPart":         {sc: []string{"[0 0]", "[1 2]", "[1 3]"}},
	"TestPartAndWhole":         {many: [3]int{6, 6, 8}},
	"TestSBLocks":              {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBChannel":            {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBLibrary":            {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBLooks":              {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSBOwnReads":           {sc: []string{"1 0 1 1", "1 1 1 0", "1 1 1 1"}, tso: []string{"1 0 1 0"}, all: true},
	"TestMP":                   {sc: []string{"0 0", "0 1", "1 1"}, pso: []string{"1 0"}},
	"TestMPAtomic":             {sc: []string{"0 0", "0 1", "1 1"}},
	"TestMPLocks":              {sc: []string{"0 0", "0 1", "1 1"}},
	"TestLB":                   {sc: []string{"0 0", "0 1", "1 0"}},
	"TestS":                    {sc: []string{"0 1", "0 2", "1 1"}, pso: []string{"1 2"}}, // what is read of y, and x in the end
	"TestR":                    {sc: []string{"0 1", "1 1", "1 2"}, tso: []string{"0 2"}},
	"TestTwoPlusTwoW":          {many: [3]int{8, 8, 9}},
	"TestIRIW":                 {many: [3]int{15, 15, 15}},
	"TestWRC":                  {many: [3]int{7, 7, 7}},
	"TestISA2":                 {many: [3]int{7, 7, 8}},
	"TestCoRR":                 {sc: []string{"0 0", "0 1", "1 1"}},
	"TestCoWW":                 {many: [3]int{6, 6, 6}},
	"TestCoRW":                 {sc: []string{"0 1", "0 2", "2 1", "2 2"}},
	"TestPublish":              {sc: []string{"nil", "{1 2}"}, pso: []string{"{0 0}", "{0 2}", "{1 0}"}, all: true},
	"TestPublishAtomic":        {sc: []string{"1 2", "nil"}},
	"TestSBPrivateAtomic":      {sc: []string{"0 1", "1 0", "1 1"}},
	"TestSBTryRW":              {sc: []string{"0 1", "1 0", "1 1"}, all: true},
	"TestPublishTry":           {sc: []string{"[1 2]", "nil"}},
	"TestPublishSelect":        {sc: []string{"[1 2]", "nil"}},
	"TestPublishPrivateAtomic": {sc: []string{"[1 2]", "nil"}},
	"TestPublishTryFails":      {sc: []string{"[1 2]", "nil"}, pso: []string{"[0 0]", "[0 2]", "[1 0]"}},
	"TestSBRendezvous":         {sc: []string{"1 1"}},
	"TestSBTwice":              {sc: []string{"0 1", "1 0", "1 1"}, tso: []string{"0 0"}},
	"TestSameCode":             {many: [3]int{6, 8, 8}},
	"TestUnderLocks":           {sc: []string{"3 3"}, runs: 3},
	"TestLBAtomic":             {sc: []string{"0 0", "0 1", "1 0"}},
	"TestLBLocks":              {sc: []string{"0 0", "0 1", "1 0"}},
	"TestSAtomic":              {sc: []string{"0 1", "0 2", "1 1"}},
	"TestSLocks":               {sc: []string{"0 1", "0 2", "1 1"}},
	"TestRAtomic":              {sc: []string{"0 1", "1 1", "1 2"}},
	"TestRLocks":               {sc: []string{"0 1", "1 1", "1 2"}},
	"TestTwoPlusTwoWAtomic":    {many: [3]int{8, 8, 8}},
	"TestTwoPlusTwoWLocks":     {many: [3]int{8, 8, 8}},
	"TestIRIWAtomic":           {many: [3]int{15, 15, 15}},
	"TestIRIWLocks":            {many: [3]int{15, 15, 15}},
	"TestWRCAtomic":            {many: [3]int{7, 7, 7}},
	"TestWRCLocks":             {many: [3]int{7, 7, 7}},
	"TestISA2Atomic":           {many: [3]int{7, 7, 7}},
	"TestISA2Locks":            {many: [3]int{7, 7, 7}},
	"TestCoRRAtomic":           {sc: []string{"0 0", "0 1", "1 1"}},
	"TestCoRRLocks":            {sc: []string{"0 0", "0 1", "1 1"}},
	"TestCoWWAtomic":           {many: [3]int{6, 6, 6}},
	"TestCoWWLocks":            {many: [3]int{6, 6, 6}},
	"TestCoRWAtomic":           {sc: []string{"0 1", "0 2", "2 1", "2 2"}},
	"TestCoRWLocks":            {sc: []string{"0 1", "0 2", "2 1", "2 2"}},
	"TestSBOwnReadsAtomic":     {sc: []string{"1 0 1 1", "1 1 1 0", "1 1 1 1"}},
	"TestSBOwnReadsLocks":      {sc: []string{"1 0 1 1", "1 1 1 0", "1 1 1 1"}},
	"TestFigure39":             {many: [3]int{2, 2, 10}},
	"TestFigure39Twice":        {many: [3]int{52, 52, 188}, wide: true, long: true},
	"TestFigure39Thrice":       {many: [3]int{1016, 1016, 2728}, wide: true, long: true},
	"TestPartial":              {sc: []string{"[1 0] 0 1", "[1 0] 1 0", "[1 0] 1 1"}, tso: []string{"[1 0] 0 0"}},
}

// under are the outcomes under a model.
func (l litmus) under(model event.MemoryModel) []string {
	all := slices.Clone(l.sc)
	if model >= event.TSO {
		all = append(all, l.tso...)
	}
	if model >= event.PSO {
		all = append(all, l.pso...)
	}
	return slices.Sorted(slices.Values(all))
}

// TestMemoryModels compares what explorers meet of the litmus tests with what the literature says, under each memory
// model. Union makes one execution for each outcome.
func TestMemoryModels(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	if len(p.Entries) != len(litmuses) {
		t.Errorf("%d entries, and %d with known outcomes", len(p.Entries), len(litmuses))
	}
	for _, e := range p.Entries {
		want, ok := litmuses[e.Name]
		if !ok {
			t.Errorf("%s: nobody has said what it can do", e.Name)
		}
		if want.long && !long.On() {
			continue
		}
		weak := len(want.tso) + len(want.pso) + want.many[event.PSO] - want.many[event.SC]
		for _, model := range []event.MemoryModel{event.SC, event.TSO, event.PSO} {
			outcomes, many := want.under(model), want.many[model]
			for name, x := range explorersOfMemory() {
				switch short := !long.On(); {
				case name == "union":
				case want.wide, short && name == "systematic" && weak == 0, short && name != "systematic" && (!want.all || model == event.SC):
					continue
				}
				got := make(outcomeSet)
				r := x(got.note).Explore(explore.InMemory(m.Entry(e), model), explore.Limits{})
				if r.Verdict != explore.Exhausted || name == "systematic" && r.Stats.Diverged > 0 {
					t.Errorf("%s, %s, %v: %v: %s, %d diverged", e.Name, name, model, r.Verdict, r.Reason, r.Stats.Diverged)
				}
				if many > 0 && len(got) != many || many == 0 && !slices.Equal(slices.Sorted(maps.Keys(got)), outcomes) {
					t.Errorf("%s, %s, %v: %s; want %s (%d)", e.Name, name, model, got, outcomes, many)
				}
				if found := slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Category == report.Deadlock }); found != want.deadlock {
					t.Errorf("%s, %s, %v: a deadlock is found: %v", e.Name, name, model, found)
				}
				if name == "union" && !want.wide && r.Stats.Executions != cmp.Or(want.runs, many, len(outcomes)) {
					t.Errorf("%s, %v: %d executions for %d outcomes", e.Name, model, r.Stats.Executions, len(got))
				}
			}
		}
	}
}

// TestFigure39 shows that the failure of figure 3.9 of Huang's dissertation is met under partial store order within
// three executions, as there, and under no stronger model.
func TestFigure39(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	e := p.Entries[slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestFigure39" })]
	for model, most := range map[event.MemoryModel]int{event.SC: 0, event.TSO: 0, event.PSO: 3} {
		runs, first := 0, 0
		x := &union.Explorer{Alone: true, Observe: func(tr *trace.Trace) {
			if runs++; first == 0 && slices.ContainsFunc(tr.Failures, func(f trace.Failure) bool { return strings.Contains(f.Message, "ERROR") }) {
				first = runs
			}
		}}
		x.Explore(explore.InMemory(m.Entry(e), model), explore.Limits{})
		if first > most || (first > 0) != (most > 0) {
			t.Errorf("%v: met by execution %d (0: never) of %d, want %d at the latest", model, first, runs, most)
		}
	}
}

// explorersOfMemory make the explorers that know store buffers, by name.
func explorersOfMemory() map[string]func(observe func(*trace.Trace)) explore.Explorer {
	return map[string]func(observe func(*trace.Trace)) explore.Explorer{
		"systematic": func(observe func(*trace.Trace)) explore.Explorer { return &systematic.Explorer{Observe: observe} },
		"mcr":        func(observe func(*trace.Trace)) explore.Explorer { return &mcr.Explorer{Observe: observe, Alone: true} },
		"se-mcr": func(observe func(*trace.Trace)) explore.Explorer {
			return &mcr.SwitchEquivalent{Observe: observe, Alone: true}
		},
		"mcr, general formulas": func(observe func(*trace.Trace)) explore.Explorer {
			return &mcr.Explorer{Observe: observe, Alone: true, Solver: true}
		},
		"mcr-s": func(observe func(*trace.Trace)) explore.Explorer {
			return &formula.Explorer{Observe: observe, Alone: true}
		},
		"mcr-s+": func(observe func(*trace.Trace)) explore.Explorer {
			return &formula.Explorer{Observe: observe, Alone: true, Plus: true}
		},
		"union": func(observe func(*trace.Trace)) explore.Explorer {
			return &union.Explorer{Observe: observe, Alone: true}
		},
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

// TestStoresUnderLocks shows that what is stored under a lock is nobody else's until it is in memory (RBUF3): a
// program that locks has no more states with store buffers.
func TestStoresUnderLocks(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	e := p.Entries[slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestUnderLocks" })]
	states := func(model event.MemoryModel) int {
		r := (&union.Explorer{Alone: true}).Explore(explore.InMemory(m.Entry(e), model), explore.Limits{})
		return r.Stats.States
	}
	sc := states(event.SC)
	for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
		if n := states(model); n > sc {
			t.Errorf("%v: %d states, and %d without store buffers", model, n, sc)
		}
	}
}

// TestMemoryTokens replays what is found under relaxed memory models ten times: the seed from its text form, each
// time with the same events.
func TestMemoryTokens(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	for _, e := range p.Entries {
		l, limits := litmuses[e.Name], explore.Limits{}
		if !long.On() && (l.wide || len(l.tso) == 0) {
			continue
		}
		if l.wide { // some of its executions show enough
			limits.Executions = 300
		}
		for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
			relaxed := explore.InMemory(m.Entry(e), model)
			r := new(union.Explorer).Explore(relaxed, limits)
			if len(r.Findings) == 0 && !l.wide {
				t.Errorf("%s, %v: nothing is found", e.Name, model)
			}
			for i := range r.Findings {
				f := &r.Findings[i]
				tok, err := seed.Parse((&seed.Token{Entry: e.Name, Seed: f.Seed}).String())
				if err != nil {
					t.Fatal(err)
				}
				for range 10 {
					s := sched.NewReplay(tok.Seed, sched.Halt{})
					w := relaxed.Run(s, sched.Options{Stacks: true})
					shows := slices.ContainsFunc(explore.Shown(w), func(g report.Finding) bool { return g.Key == f.Key })
					if !shows || s.Diverged() >= 0 || len(w.Events) != len(f.Witness.Events) {
						t.Fatalf("%s, %v: %s: a replay shows it: %v, departs at %d, has %d events and not %d",
							e.Name, model, f.Key, shows, s.Diverged(), len(w.Events), len(f.Witness.Events))
					}
				}
			}
		}
	}
}

// TestMemoryWorkers shows that several workers make the same executions with store buffers. States in which a buffer
// holds what it never held belong to them too.
func TestMemoryWorkers(t *testing.T) {
	if !long.On() {
		t.Skip("5,000 states, twice")
	}
	m, p := loadDir(t, "testdata/memory")
	e := p.Entries[slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestFigure39Twice" })]
	var told [2]string
	for i, workers := range []int{1, 3} {
		x := &union.Explorer{Alone: true, Workers: workers, Observe: func(tr *trace.Trace) { told[i] += fmt.Sprintln(sched.SeedOf(tr)) }}
		r := x.Explore(explore.InMemory(m.Entry(e), event.PSO), explore.Limits{})
		told[i] += fmt.Sprintln(r.Verdict, r.Stats.Executions, r.Stats.States)
	}
	if told[0] != told[1] {
		t.Errorf("one worker:\n%s\nthree:\n%s", told[0], told[1])
	}
	if !strings.Contains(told[0], string(explore.Exhausted)) {
		t.Error(told[0])
	}
}

// TestMemoryBruteForce compares systematic exploration with every state, under relaxed memory models.
func TestMemoryBruteForce(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	few := []string{"TestMPAtomic"}
	if long.On() {
		few = append(few, "TestSB", "TestSBLooks", "TestCoRR", "TestPartial", "TestPublish", "TestMP", "TestR", "TestCoRW") // several thousand states each
	}
	for _, e := range p.Entries {
		if !slices.Contains(few, e.Name) {
			continue
		}
		for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
			brute, got := make(outcomeSet), make(outcomeSet)
			r := oracle.SearchStates(m.Entry(e), oracle.Limits{Options: sched.Options{Memory: model}}, brute.note)
			if !r.Complete {
				t.Fatalf("%s: %s", e.Name, r.Reason)
			}
			(&systematic.Explorer{Observe: got.note}).Explore(explore.InMemory(m.Entry(e), model), explore.Limits{})
			if brute.String() != got.String() {
				t.Errorf("%s, %v: brute force meets %s, systematic %s", e.Name, model, brute, got)
			}
		}
	}
}

// TestRaceFreeIsNotExploredAgain shows that an entry is explored under a relaxed memory model unless it is exhausted
// without a race; then its result says so. An entry that is complete only as far as no timer fires early is explored,
// too: a race may need one.
func TestRaceFreeIsNotExploredAgain(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	e := p.Entries[slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestSBAtomicStores" })]
	next := func() explore.Explorer { return new(systematic.Explorer) }
	for _, tt := range []struct {
		res   explore.Result
		again bool
	}{
		{explore.Result{Verdict: explore.Exhausted}, false},
		{explore.Result{Verdict: explore.Exhausted, Findings: []report.Finding{{Category: report.DataRace}}}, true},
		{explore.Result{Verdict: explore.Incomplete}, true},
		{explore.Result{Verdict: explore.Incomplete, TimeDone: explore.TimeDone{FirstDone: true}}, true},
	} {
		res := explore.ExploreMemory(next, m.Entry(e), explore.Limits{}, event.TSO, &tt.res)
		if again := res.Stats.Executions > 0; again != tt.again || (res.Memory == "") != tt.again {
			t.Errorf("%+v: explored again: %v, and says %q", tt.res, again, res.Memory)
		}
	}
}
