package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// TestBenchHistories pins the local histories that union finds in the benchmark programs: distinct complete vectors of
// a goroutine's own values, summed over goroutines, as an explicit-state search counts them. The test's own goroutine
// adds one where it has but one. (GenMC, Nidhugg and JMCR are compared on classes: the product of these, as far as they
// go together.)
func TestBenchHistories(t *testing.T) {
	want := map[string]int{
		"TestSB": 4 + 1, "TestIndep4": 6 + 1, "TestNWriters2": 4 + 1, "TestNWriters8": 10 + 1,
		"TestCounter1": 4 + 1, "TestCounter2": 16 + 1, "TestCounter3": 74 + 1, "TestCounter4": 360 + 1,
		"TestFib1": 4 + 1, "TestFib2": 18 + 1, "TestFib3": 116 + 1, "TestFib4": 846 + 1,
		"TestLockCnt2": 4 + 1, "TestLockCnt3": 9 + 1, "TestLockCnt4": 16 + 1, "TestLockCnt5": 25 + 1, "TestLockCnt6": 36 + 1, "TestLockCnt8": 64 + 1,
		"TestDekker": 8 + 22 + 1, "TestPeterson": 7 + 7 + 1, "TestBakery": 49 + 49 + 1, "TestLamport": 22 + 20 + 1,
		"TestRVExample": 9 + 23 + 1, "TestPingPong2": 8 + 1, "TestPingPong3": 12 + 1, "TestPingPong4": 16 + 1, "TestPingPong8": 32 + 1,
		"TestBranches2": 6 + 1, "TestBranches5": 15 + 1, "TestBranches10": 30 + 1, "TestBranches20": 60 + 1,
	}
	// What each may take: MCR's floor is its number of classes.
	most := map[string]int{
		"TestCounter4": 380, "TestFib4": 766, "TestLockCnt6": 15, "TestLockCnt8": 22, "TestDekker": 34, "TestLamport": 44, "TestBakery": 114,
		"TestPingPong4": 9, "TestPingPong8": 12,
		"TestRVExample": 32, "TestBranches2": 4, "TestBranches5": 10, "TestBranches10": 20, "TestBranches20": 40,
	}
	m, p := loadDir(t, "testdata/bench")
	for _, e := range p.Entries {
		n, ok := want[e.Name]
		if !ok {
			continue
		}
		delete(want, e.Name)
		if n > long.Pick(150, 1000) {
			continue
		}
		together := (&union.Explorer{Alone: true}).Explore(m.Entry(e), explore.Limits{})
		x := &union.Explorer{Alone: true, Engine: union.New()}
		x.Engine.Apart = true
		r := x.Explore(m.Entry(e), explore.Limits{})
		if r.Verdict != explore.Exhausted || r.Stats.Histories != n {
			t.Errorf("%s: %s %s, %d histories, want %d", e.Name, r.Verdict, r.Reason, r.Stats.Histories, n)
		}
		if max := most[e.Name]; max > 0 && r.Stats.Executions > max {
			t.Errorf("%s: %d executions, want at most %d", e.Name, r.Stats.Executions, max)
		}
		if s := together.Stats; together.Verdict != explore.Exhausted || s.Executions > r.Stats.Executions || s.States > r.Stats.States {
			t.Errorf("%s: %s, %d executions, %d states, and %d and %d where states of a goroutine are told apart", e.Name, together.Verdict, s.Executions, s.States, r.Stats.Executions, r.Stats.States)
		}
	}
	for name := range want {
		t.Errorf("there is no %s", name)
	}
}

// TestUnionApart compares both namings of states on goroutines that all do the same. Whichever of them change places,
// the same histories are met.
func TestUnionApart(t *testing.T) {
	want := map[string]int{"TestLockCnt8": 64 + 1, "TestPingPong4": 16 + 1}
	m, p := loadDir(t, "testdata/bench")
	for _, e := range p.Entries {
		n, ok := want[e.Name]
		if !ok {
			continue
		}
		delete(want, e.Name)
		states := make(map[bool]int)
		for _, apart := range []bool{false, true} {
			x := &union.Explorer{Alone: true, Engine: union.New()}
			x.Engine.Apart, x.Engine.NoMerge = true, apart
			r := x.Explore(m.Entry(e), explore.Limits{})
			if r.Verdict != explore.Exhausted || r.Stats.Histories != n {
				t.Errorf("%s, apart %v: %s %s, %d histories, want %d", e.Name, apart, r.Verdict, r.Reason, r.Stats.Histories, n)
			}
			states[apart] = r.Stats.States
		}
		if states[true] < 2*states[false] {
			t.Errorf("%s: %d states apart, %d together", e.Name, states[true], states[false])
		}
	}
	for name := range want {
		t.Errorf("there is no %s", name)
	}
}

// TestUnionMapPublished explores a map that is shared before any goroutine is seen to use it. The event that published
// it has an effect on it, though that is learned later.
func TestUnionMapPublished(t *testing.T) {
	for _, dir := range []string{"../examples/cache", "../examples/cache/fixed"} {
		m, p := loadDir(t, dir)
		r := (&union.Explorer{Alone: true}).Explore(m.Entry(p.Entries[0]), explore.Limits{})
		if r.Verdict != explore.Exhausted {
			t.Errorf("%s: %s %s", dir, r.Verdict, r.Reason)
		}
	}
}
