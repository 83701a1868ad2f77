package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
)

// loadDir makes the machine of the tests in a folder of testdata.
func loadDir(t *testing.T, dir string) (*machine.Machine, *program.Program) {
	t.Helper()
	cfg := closure.Config(dir)
	cfg.Tests = true
	l, err := program.List(cfg, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Errors) > 0 {
		t.Fatal(l.Errors)
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	m := machine.New(p, machine.Config{})
	if err := m.Prepare(); err != nil {
		t.Fatal(err)
	}
	return m, p
}

// TestOutcomes compares the default explorer with brute force on the real machine: the same outcomes, races and blocked sets.
func TestOutcomes(t *testing.T) {
	m, p := loadDir(t, "testdata/outcomes")
	for _, e := range p.Entries {
		t.Run(e.Name, func(t *testing.T) {
			em := m.Entry(e)
			limit := 20000
			if testing.Short() {
				limit = 2000
			}
			want := oracle.Search(em, oracle.Limits{Executions: limit}, nil)
			got := oracle.NewResult()
			x := &explore.Systematic{Observe: func(tr *trace.Trace) {
				if tr.Status != trace.Stopped {
					got.Add(tr)
				}
			}}
			res := x.Explore(em, explore.Limits{})
			for _, f := range res.Findings {
				if f.Category == report.DataRace {
					a, b := f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site
					got.Races[oracle.RaceKey(a, b)] = true
				}
			}
			if res.Verdict != explore.Exhausted || res.Stats.Diverged > 0 {
				t.Errorf("%s %s %+v", res.Verdict, res.Reason, res.Stats)
			}
			if missing := want.Missing(got); len(missing) > 0 {
				t.Errorf("not met by the explorer:\n%s", strings.Join(missing, "\n"))
			}
			if !want.Complete {
				t.Logf("brute force was cut off at %d executions", limit)
				return
			}
			if extra := got.Missing(want); len(extra) > 0 {
				t.Errorf("not met by brute force:\n%s", strings.Join(extra, "\n"))
			}
		})
	}
}
