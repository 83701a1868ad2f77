package analysistest

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	words "github.com/heddle-go/heddle/mcrs/verdict"
)

// TestClimb explores parts of the second regime of time that has no room as a whole (EARLY1): the panic that takes two
// firings is in the part of two, and not in that of one.
func TestClimb(t *testing.T) {
	m, p := loadDir(t, "testdata/climb")
	for _, e := range p.Entries {
		meets := map[string]bool{"TestMeet": true, "TestApart": false}[e.Name]
		n := 0
		next := func() explore.Explorer {
			if n++; n == 2 {
				return givesUp{}
			}
			return &union.Explorer{Alone: true}
		}
		one := explore.BoundEarly(explore.InTimingRegime(m.Entry(e), explore.TimingStructural), 1)
		if r := next().Explore(one, explore.Limits{}); r.Verdict != explore.Exhausted || len(r.Findings) > 0 {
			t.Errorf("%s with one early firing: %s %s, %d findings", e.Name, r.Verdict, r.Reason, len(r.Findings))
		}
		n = 0
		r := explore.ExploreRegimes(next, m.Entry(e), explore.Limits{Work: 200_000_000}, explore.TimingStructural)
		if r.Kind() != words.InTime || r.Early < 2 || r.Early > 8 || (len(r.Findings) == 1) != meets {
			t.Errorf("%s: %s, %d early, %d findings: %s", e.Name, r.Kind(), r.Early, len(r.Findings), r.Reason)
		}
		for _, f := range r.Findings {
			regime := explore.RegimeOf(&f, false)
			again, err := explore.ParseRegime(regime.String())
			if err != nil || again != regime || regime.String() != "timing:2" || f.Category != report.Panics {
				t.Fatalf("%s: %s in %q, read as %+v: %v", e.Name, f.Category, regime, again, err)
			}
			w := again.Machine(m.Entry(e)).Run(sched.NewReplay(f.Seed, sched.RunToBlock{}), sched.Options{Steps: len(f.Seed)})
			if got := again.Shown(w); len(got) != 1 || got[0].Key != f.Key || got[0].EarlyMost != 2 {
				t.Errorf("%s: the token shows %+v", e.Name, got)
			}
			if x := explore.Show(m.Entry(e), explore.Limits{}, explore.TimingStructural, f); x == nil || x.EarlyMost != 2 {
				t.Errorf("%s: not shown again: %+v", e.Name, x)
			}
		}
	}
	for _, text := range []string{"timing:", "timing:0", "timing:-1", "timing:x", "tso:2"} {
		if r, err := explore.ParseRegime(text); err == nil {
			t.Errorf("%q is the regime %+v", text, r)
		}
	}
}
