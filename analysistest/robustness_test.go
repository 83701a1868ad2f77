package analysistest

import (
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/explorers"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/program"
)

// robustnessOf explores an entry sequentially consistently, and then what more a memory model shows.
func robustnessOf(m sched.Machine, lim explore.Limits, model event.MemoryModel) *explore.Result {
	res := new(union.Explorer).Explore(m, lim)
	return explore.ExploreRobustness(explorers.Historian("union"), m, explore.Limits{}, model, res)
}

// shortRobustness are the litmus tests of the short form of TestRobustness: those that show more by reads, by writes
// and by what is published, and near misses.
var shortRobustness = map[event.MemoryModel][]string{
	event.TSO: {"TestSB", "TestR", "TestMP", "TestSBAtomicStores"},
	event.PSO: {"TestS", "TestMP", "TestPublish"},
}

// TestRobustness compares what the check robustness says of the litmus tests with the literature: a finding where a
// model has an outcome that sequential consistency has not, and else none. Each finding is replayed ten times from its
// token.
func TestRobustness(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	for _, e := range p.Entries {
		l := litmuses[e.Name]
		if l.wide {
			continue
		}
		for _, model := range []event.MemoryModel{event.TSO, event.PSO} {
			if !long.On() && !slices.Contains(shortRobustness[model], e.Name) {
				continue
			}
			weak := len(l.tso) > 0 || model == event.PSO && len(l.pso) > 0 || l.many[model] > l.many[event.SC]
			res := robustnessOf(m.Entry(e), explore.Limits{}, model)
			found := slices.DeleteFunc(slices.Clone(res.Findings), func(f report.Finding) bool { return f.Category != report.Robustness })
			races := slices.ContainsFunc(res.Findings, func(f report.Finding) bool { return f.Category == report.DataRace })
			want := "its races show nothing more under " + model.String()
			switch {
			case weak:
				want = ""
			case !races:
				want = "no race: TSO and PSO show nothing more"
			}
			if weak != (len(found) > 0) || res.Memory != want || res.Verdict != explore.Exhausted {
				t.Errorf("%s, %v: %d findings, %s %s, %q, want %q", e.Name, model, len(found), res.Verdict, res.Reason, res.Memory, want)
			}
			keys := map[string]bool{}
			for i := range found {
				if keys[found[i].Key] {
					t.Errorf("%s, %v: two findings of %s", e.Name, model, found[i].Key)
				}
				keys[found[i].Key] = true
				replaysTenTimes(t, m.Entry(e), e, &found[i])
			}
		}
	}
}

// replaysTenTimes shows that the token of a finding of the check shows the same each time, and that a cache would keep
// what is needed to show it.
func replaysTenTimes(t *testing.T, m sched.Machine, e program.Entry, f *report.Finding) {
	tok, err := seed.Parse((&seed.Token{Entry: e.Name, Seed: f.Seed, Regime: explore.RegimeOf(f, false).String()}).String())
	if err != nil {
		t.Fatal(err)
	}
	regime, err := explore.ParseRegime(tok.Regime)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		s := sched.NewReplay(tok.Seed, sched.Halt{})
		again := regime.Shown(regime.Machine(m).Run(s, sched.Options{Stacks: true}))
		if s.Diverged() >= 0 || len(again) != 1 || again[0].Key != f.Key || !slices.Equal(again[0].Events, f.Events) || again[0].Memory != f.Memory {
			t.Fatalf("%s: a replay of %s departs at %d and shows %v", e.Name, f.Key, s.Diverged(), again)
		}
	}
	if x := explore.Show(m, explore.Limits{}, explore.TimingStructural, *f); x == nil || x.Key != f.Key {
		t.Errorf("%s: %s is not shown again", e.Name, f.Key)
	}
}

// TestRobustnessAsks: of an entry that is not exhausted nobody says what no sequentially consistent schedule shows.
func TestRobustnessAsks(t *testing.T) {
	m, p := loadDir(t, "testdata/memory")
	e := p.Entries[slices.IndexFunc(p.Entries, func(e program.Entry) bool { return e.Name == "TestSB" })]
	res := robustnessOf(m.Entry(e), explore.Limits{Executions: 2}, event.TSO)
	if slices.ContainsFunc(res.Findings, func(f report.Finding) bool { return f.Category == report.Robustness }) {
		t.Error("it reports what two executions have not shown")
	}
	if want := "robustness is not known, for not all that it does sequentially consistently is"; res.Memory != want {
		t.Errorf("it says %q, want %q", res.Memory, want)
	}
}
