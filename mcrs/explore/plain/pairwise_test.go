package plain

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// at are the operations of a litmus program that have changed: goroutine and index.
func at(ops ...[2]int) func(event.Site) bool {
	return func(s event.Site) bool {
		return slices.ContainsFunc(ops, func(o [2]int) bool { return int(s) == o[0]*1000+o[1]+1 })
	}
}

// explored explores a program pairwise: the categories that were found, and the pairs, in order.
func explored(t *testing.T, p *litmus.Program, changed func(event.Site) bool) (found string, pairs []string, executions int) {
	t.Helper()
	x := &Pairwise{Changed: changed, Observe: func(of [2]event.ThreadID, _ *trace.Trace) {
		name := fmt.Sprintf("%s %s", of[0], of[1])
		if of[0] != "" && !slices.Contains(pairs, name) {
			pairs = append(pairs, name)
		}
	}}
	r := x.Explore(p, explore.Limits{Executions: 20_000, Events: 2_000_000})
	if r.Verdict == explore.Exhausted || r.Interrupted || r.Reason == "" {
		t.Errorf("pairwise is %s: %q", r.Verdict, r.Reason)
	}
	return categories(r), pairs, r.Stats.Executions
}

func categories(r *explore.Result) string {
	met := map[report.Category]bool{}
	for i := range r.Findings {
		met[r.Findings[i].Category] = true
	}
	var out []string
	for _, c := range slices.Sorted(maps.Keys(met)) {
		out = append(out, string(c))
	}
	return strings.Join(out, " ")
}

// Figure 1: print(o.f) is new in T2, of which there are two. The pairs are those of T2 with T1, T2 and T3, and no
// others.
func TestFigure1(t *testing.T) {
	const f, g, h = 0, 1, 2
	t2 := []litmus.Op{litmus.L(0), litmus.U(0), litmus.R(f)}
	p := &litmus.Program{Threads: [][]litmus.Op{
		{litmus.Spawn(3), litmus.W(f, 1), litmus.Spawn(1), litmus.Spawn(2)}, // T1, which begins
		t2, t2, {litmus.R(g), litmus.R(h)}, // T2 twice, T3
	}}
	_, pairs, _ := explored(t, p, at([2]int{1, 2}, [2]int{2, 2}))
	want := []string{"G1.2 G1", "G1.2 G1.1", "G1.2 G1.3", "G1.3 G1", "G1.3 G1.1", "G1.3 G1.2"} // G1.1 is T3
	slices.Sort(pairs)
	if !slices.Equal(pairs, want) {
		t.Errorf("pairs %q, want %q", pairs, want)
	}
}

// Section 3.1: T1 to T4 count up and down, and T5, which has changed, asserts that there are not four. All four have
// to count before T5 looks: three of them are no partner.
func TestCounter(t *testing.T) {
	count := []litmus.Op{litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Add, 0, -1, 0)}
	p := &litmus.Program{Threads: [][]litmus.Op{{}, count, count, count, count, {
		litmus.Do(litmus.Load, 0, 0, 0), litmus.Do(litmus.Unless, 0, 4, 1), litmus.Do(litmus.Panic, 0, 0, 0),
	}}}
	found, _, n := explored(t, p, at([2]int{5, 0}, [2]int{5, 2}))
	if found != "panics" {
		t.Errorf("%d executions show %q", n, found)
	}
}

// Section 3.4.1: three goroutines take two of three locks each, in a ring; that the first takes a second one is new.
func TestRingOfLocksIsNew(t *testing.T) {
	l, u := litmus.L, litmus.U
	done := litmus.A(0, -1)
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.A(0, 3), litmus.Spawn(1), litmus.Spawn(2), litmus.Spawn(3), litmus.Wait(0)},
		{l(0), l(1), u(1), u(0), done}, {l(1), l(2), u(2), u(1), done}, {l(2), l(0), u(0), u(2), done}}}
	found, _, n := explored(t, p, at([2]int{1, 1}, [2]int{1, 2}))
	if found != "deadlock" {
		t.Errorf("%d executions show %q", n, found)
	}
}

// All that is shown is real.
func TestPairwiseInventsNothing(t *testing.T) {
	for i := range uint64(20) {
		p := litmus.Generate(i, litmus.Memory|litmus.Locks, 2, 4)
		all := map[string]bool{}
		r := (BruteForce{}).Explore(p, explore.Limits{Executions: 300, Events: 1_000_000})
		if r.Verdict != explore.Exhausted {
			continue
		}
		for _, c := range strings.Fields(categories(r)) {
			all[c] = true
		}
		found, _, _ := explored(t, p, nil)
		for _, c := range strings.Fields(found) {
			if !all[c] && c != string(report.DataRace) { // brute force, as it stands, looks for no races
				t.Errorf("program %d: pairwise invents %s\n%v", i, c, p)
			}
		}
	}
}
