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
