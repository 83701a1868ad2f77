package exploration

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore/meet"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	racing "github.com/heddle-go/heddle/mcrs/race"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// deaf is a pair of tests that never come to any access.
type deaf struct{ runs int }

func (d *deaf) Run(sched.Scheduler, sched.Options) *trace.Trace {
	d.runs++
	return &trace.Trace{Diverged: -1, TestRun: trace.TestRun{Tests: []event.ThreadID{"G1.1", "G1.2"}}}
}

type deafTarget struct {
	fakeTarget
	deaf
}

func (t *deafTarget) pair(a, b entry) sched.Machine { return &t.deaf }

// writer is a test that has written n variables, from the address first on, at sites from site on.
func writer(name string, first, n uint64, site event.Site) *parallelTest {
	p := &parallelTest{entry: entry{name: name}, parallel: true}
	var events []event.Event
	for i := range n {
		events = append(events, event.Event{Kind: event.Write, Loc: event.Location{Addr: mem.Segment(mem.Init) | (first+i)<<16, Size: 8}, Site: site + event.Site(i), Seq: int32(i), Value: i})
	}
	p.note(append(events, events...)) // each twice
	return p
}

func TestConflicts(t *testing.T) {
	target := new(deafTarget)
	a, b := writer("TestA", 0, 5, 100), writer("TestB", 3, 5, 200)
	if len(a.accesses) != 5 || len(conflicts(target, a, b)) != 2 || len(conflicts(target, a, writer("TestC", 5, 5, 300))) != 0 {
		t.Errorf("accesses %v, conflicts %v", a.accesses, conflicts(target, a, b))
	}
	reads := writer("TestR", 0, 5, 100)
	for i := range reads.accesses {
		reads.accesses[i].Kind = event.Read
	}
	if n := len(conflicts(target, reads, reads)); n != 0 {
		t.Errorf("%d conflicts of reads", n)
	}
	other := &parallelTest{}
	other.note([]event.Event{
		{Kind: event.Write, Loc: event.Location{Addr: mem.Segment(mem.First) | 16, Size: 8}}, // of a goroutine
		{Kind: event.Lock, Loc: event.Location{Addr: mem.Segment(mem.Init) | 16, Size: 8}},
	})
	other.older = [2]uint64{mem.Segment(mem.First), mem.Segment(mem.First) | 32}
	other.note([]event.Event{{Kind: event.Write, Loc: event.Location{Addr: mem.Segment(mem.First) | 32, Size: 8}}}) // made after the test began
	if len(other.accesses) != 0 {
		t.Errorf("accesses %v, want none", other.accesses)
	}
}

// TestConflictsBySearch compares conflicts with all pairs of accesses.
func TestConflictsBySearch(t *testing.T) {
	target := new(deafTarget)
	random := rand.New(rand.NewPCG(1, 2))
	kinds := []event.Kind{event.Read, event.Read, event.Read, event.Write, event.AtomicLoad, event.AtomicStore, event.MapRead, event.MapWrite}
	test := func() *parallelTest {
		p := &parallelTest{parallel: true}
		var events []event.Event
		for range 40 {
			k := kinds[random.IntN(len(kinds))]
			size := uint32(0)
			if k.IsAccess() {
				size = []uint32{1, 4, 8, 8, 64}[random.IntN(5)]
			}
			addr := mem.Segment(mem.Init) | uint64(random.IntN(256))
			events = append(events, event.Event{Kind: k, Loc: event.Location{Addr: addr, Size: size}, Site: event.Site(random.IntN(50))})
		}
		p.note(events)
		return p
	}
	met := 0
	for range 200 {
		a, b := test(), test()
		var want []meet.Conflict
		seen := map[string]bool{}
		for _, x := range a.accesses {
			for _, y := range b.accesses {
				x.Thread, y.Thread = 0, 1
				if key := racing.Key(x.Site, y.Site); !seen[key] && racing.Conflict(&x, &y) {
					seen[key] = true
					want = append(want, meet.Conflict{x, y})
				}
			}
		}
		if got := conflicts(target, a, b); !slices.EqualFunc(got, want, func(p, q meet.Conflict) bool { return p == q }) {
			t.Fatalf("accesses %v and %v: conflicts %v, want %v", a.accesses, b.accesses, got, want)
		}
		met += len(want)
	}
	if met < 1000 {
		t.Errorf("%d conflicts", met)
	}
}

// TestConflictsOfReaders checks that what two tests only read costs nothing: 200 tests of pgx read 2,000 things each.
func TestConflictsOfReaders(t *testing.T) {
	target := new(deafTarget)
	reader := func(name string) *parallelTest {
		p := writer(name, 0, maxAccesses, 0)
		for i := range p.accesses {
			p.accesses[i].Kind = event.Read
		}
		return p
	}
	a, b := reader("TestA"), reader("TestB")
	if n := testing.AllocsPerRun(1, func() { conflicts(target, a, b) }); n > 100 {
		t.Errorf("%v allocations", n)
	}
}

func TestPairsAreBounded(t *testing.T) {
	c := &closure.Result{Packages: []string{"example.com/p"}, Recipe: &program.Recipe{Path: "example.com/p"}}
	ask := func(entries []EntryResult, tests ...*parallelTest) (*Result, int) {
		target := new(deafTarget)
		r := &Result{Entries: entries}
		r.explorePairs(c, target, tests, nil)
		return r, target.runs
	}
	// Three pairs of tests, 60 pairs of sites each: no more than 100 are asked about.
	r, runs := ask(nil, writer("TestA", 0, 60, 1000), writer("TestB", 0, 60, 2000), writer("TestC", 0, 60, 3000))
	if r.Conflicts != maxConflicts || r.ConflictsLeft != 180-maxConflicts || runs != 2+2*maxConflicts || len(r.Pairs) != 0 {
		t.Errorf("%d were asked about, %d left, %d runs", r.Conflicts, r.ConflictsLeft, runs)
	}
	// Five tests that call one function: ten pairs of tests, and one pair of sites.
	one := func(name string) *parallelTest { return writer(name, 0, 1, 1000) }
	r, _ = ask(nil, one("TestA"), one("TestB"), one("TestC"), one("TestD"), one("TestE"))
	if r.Conflicts != maxTries || r.ConflictsLeft != 10-maxTries {
		t.Errorf("%d were asked about, %d left", r.Conflicts, r.ConflictsLeft)
	}
	// A race that an entry shows by itself is not asked about.
	pair := meet.Conflict{{Site: 1000}, {Site: 1000}}
	known := race()
	known.Findings[0].Key = pair.Key()
	if r, runs = ask([]EntryResult{{Result: known}}, one("TestA"), one("TestB")); r.Conflicts != 0 || r.ConflictsLeft != 0 || runs != 0 {
		t.Errorf("%d were asked about, %d left, %d runs", r.Conflicts, r.ConflictsLeft, runs)
	}
	// Tests that are not parallel are not.
	serial := one("TestA")
	serial.parallel = false
	if r, runs = ask(nil, serial, one("TestB")); r.Conflicts != 0 || runs != 0 {
		t.Errorf("%d were asked about, %d runs", r.Conflicts, runs)
	}
	// What one test did beyond the bound on accesses is said.
	if r, _ = ask(nil, writer("TestA", 0, maxAccesses+1, 1)); r.ConflictsLeft != 1 {
		t.Errorf("%d left, want 1", r.ConflictsLeft)
	}
}

// ran is a machine with one execution.
type ran struct{ t *trace.Trace }

func (r ran) Run(sched.Scheduler, sched.Options) *trace.Trace { return r.t }

// TestAccessesBeforeParallel shows that an access counts from where its test has called t.Parallel (PAIR1), and not at
// all if it never has.
func TestAccessesBeforeParallel(t *testing.T) {
	var events []event.Event
	for i := range uint64(3) {
		events = append(events, event.Event{Kind: event.Write, Loc: event.Location{Addr: mem.Segment(mem.Init) | i<<16, Size: 8}, Site: event.Site(1 + i)})
	}
	for _, c := range []struct{ parallel, want int }{{0, 0}, {1, 3}, {3, 1}} { // Trace.Parallel is 1 + the number of events before
		p := &parallelTest{Machine: ran{&trace.Trace{Events: events, TestRun: trace.TestRun{Parallel: c.parallel}}}}
		p.Run(nil, sched.Options{})
		if len(p.accesses) != c.want || p.parallel != (c.parallel > 0) {
			t.Errorf("Parallel %d: %d accesses, want %d", c.parallel, len(p.accesses), c.want)
		}
	}
}
