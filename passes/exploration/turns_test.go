package exploration

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
)

// TestTurns explores a large entry, and a small one after it. Each result is that of the entry's own limit, the small
// one stands first, and a budget is dealt as TURN3 says.
func TestTurns(t *testing.T) {
	const large, small = 100_000_000, 1_000_000
	var given []int64 // work that explorations had
	by := func(l explore.Limits) *explore.Result {
		given = append(given, l.Work)
		if len(given) == 2 { // the second entry; the third exploration is the first entry's second turn
			return &explore.Result{Verdict: explore.Exhausted, Stats: explore.Stats{Work: small}}
		}
		if l.Work < large {
			return &explore.Result{Verdict: explore.Incomplete, Reason: "stopped at the limit of work (-limit.work)", OfWork: true, Stats: explore.Stats{Work: l.Work}}
		}
		return &explore.Result{Verdict: explore.Exhausted, Stats: explore.Stats{Work: large}}
	}
	_, _, pass := exploredBy(t, by)
	for _, test := range []struct {
		budget int64 // millions
		given  []int64
		want   []string // in the order in which they settle
	}{
		{0, []int64{30, 30, 600}, []string{"TestB exhausted", "TestA exhausted"}},
		{700, []int64{30, 30, 600}, []string{"TestB exhausted", "TestA exhausted"}},
		{76, []int64{30, 30, 45}, []string{"TestB exhausted", "TestA incomplete: stopped at the budget of the run (-budget)"}},
		{40, []int64{30, 10}, []string{"TestB exhausted", "TestA incomplete: stopped at the budget of the run (-budget)"}},
		{10, []int64{10}, []string{"TestB incomplete: the budget of the run is used up (-budget)", "TestA incomplete: stopped at the budget of the run (-budget)"}},
	} {
		given = nil
		var settled []string
		w := Watcher{Turns: &Turns{Budget: test.budget * million}, Settled: func(_ *Result, e *EntryResult) {
			s := fmt.Sprintf("%s %s", e.Name, e.Result.Verdict)
			if e.Result.Reason != "" {
				s += ": " + e.Result.Reason
			}
			settled = append(settled, s)
		}}
		res, err := Run(pass, w)
		if err != nil {
			t.Fatal(err)
		}
		for i := range given {
			given[i] /= million
		}
		if !slices.Equal(given, test.given) || !slices.Equal(settled, test.want) {
			t.Errorf("budget %d: explorations had %v millions, want %v; settled\n%q\nwant\n%q", test.budget, given, test.given, settled, test.want)
		}
		if r := res.(*Result); r.Entries[0].Name != "TestA" || r.Entries[1].Name != "TestB" || r.Waits() != (len(settled) > 0 && settled[0][:5] == "TestB") {
			t.Errorf("budget %d: entries %s and %s, waits: %v", test.budget, r.Entries[0].Name, r.Entries[1].Name, r.Waits())
		}
	}
}
