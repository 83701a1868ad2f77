package explorers

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/plain"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/report"
)

// TestNewObserver is a hole in the paper that pairwise reproduces. Two goroutines write under a lock, a third waits
// for both. That it looks then, and panics at 1, is new. Both writers are done before the change, so nobody is
// interleaved with it, and one order of the two is run: pairwise misses the panic. The default explorer finds it.
func TestNewObserver(t *testing.T) {
	write := func(v int) []litmus.Op {
		return []litmus.Op{litmus.L(0), litmus.W(0, v), litmus.U(0), litmus.A(0, -1)}
	}
	p := &litmus.Program{Threads: [][]litmus.Op{
		{litmus.A(0, 2), litmus.Spawn(1), litmus.Spawn(2), litmus.Wait(0), litmus.R(0), litmus.Do(litmus.Unless, 0, 1, 1), litmus.Do(litmus.Panic, 0, 0, 0)},
		write(1), write(2),
	}}
	changed := func(s event.Site) bool { return s > 4 && s < 1000 } // from the read on
	def, err := New("")
	if err != nil {
		t.Fatal(err)
	}
	for x, want := range map[explore.Explorer]string{&plain.Pairwise{Changed: changed}: "", def: string(report.Panics)} {
		r, found := x.Explore(p, explore.Limits{Executions: 1000}), ""
		for i := range r.Findings {
			found += string(r.Findings[i].Category)
		}
		if found != want || (r.Verdict == explore.Exhausted) == (want == "") {
			t.Errorf("%T: %s, with %q found, want %q", x, r.Verdict, found, want)
		}
	}
}

// TestPaperByDefault shows that the default explorer finds what the paper's other two examples have: the counter of
// section 3.1, which four goroutines count up and down while a fifth asserts that it is not four, and the ring of three
// locks of section 3.4.1. Both are exhausted. TestCounter and TestRingOfLocksIsNew have pairwise find them.
func TestPaperByDefault(t *testing.T) {
	count := []litmus.Op{litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Add, 0, -1, 0)}
	l, u, done := litmus.L, litmus.U, litmus.A(0, -1)
	for want, p := range map[report.Category]*litmus.Program{
		report.Panics: {Threads: [][]litmus.Op{{}, count, count, count, count, {
			litmus.Do(litmus.Load, 0, 0, 0), litmus.Do(litmus.Unless, 0, 4, 1), litmus.Do(litmus.Panic, 0, 0, 0),
		}}},
		report.Deadlock: {Threads: [][]litmus.Op{{litmus.A(0, 3), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3), litmus.Wait(0)},
			{l(0), l(1), u(1), u(0), done}, {l(1), l(2), u(2), u(1), done}, {l(2), l(0), u(0), u(2), done}}},
	} {
		def, err := New("")
		if err != nil {
			t.Fatal(err)
		}
		r := def.Explore(p, explore.Limits{Executions: 1000})
		if r.Verdict != explore.Exhausted || len(r.Findings) != 1 || r.Findings[0].Category != want {
			t.Errorf("%s, %d findings, want one %s: %v", r.Verdict, len(r.Findings), want, r.Findings)
		}
		t.Logf("%s: %d executions", want, r.Stats.Executions)
	}
}
