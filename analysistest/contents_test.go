package analysistest

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/formula"
	"github.com/heddle-go/heddle/mcrs/explore/mcr"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/passes/depends"
)

// TestContents compares the explorers by maximal causality, alone, with brute force. The programs read contents without
// events that differ at one address, or use the operations of atomic.Value. These explorers have a rule for all of them
// (see mcr.Explorer), and no formula may differ from the specification. Where an entry has two failures, all must meet
// both, and so must brute force unless it is cut off.
func TestContents(t *testing.T) {
	dependence := long.Pick(depends.ByFlow, depends.ByGraph) // a graph of all that outcomes calls takes seconds to build
	m, p := loadDirWith(t, "testdata/outcomes", dependence.MachineConfig())
	needs := dependence.Needs(depends.NewGraphs(p), m)
	kinds := []struct {
		name string
		make func(observe func(*trace.Trace)) explore.Explorer
	}{
		{"mcr", func(o func(*trace.Trace)) explore.Explorer { return &mcr.Explorer{Observe: o, Alone: true} }},
		{"mcr by formulas", func(o func(*trace.Trace)) explore.Explorer {
			return &mcr.Explorer{Observe: o, Alone: true, Solver: true}
		}},
		{"se-mcr", func(o func(*trace.Trace)) explore.Explorer { return &mcr.SwitchEquivalent{Observe: o, Alone: true} }},
		{"mcr-s", func(o func(*trace.Trace)) explore.Explorer {
			return &formula.Explorer{Observe: o, Alone: true, Needs: needs}
		}},
		{"mcr-s+", func(o func(*trace.Trace)) explore.Explorer {
			return &formula.Explorer{Observe: o, Alone: true, Needs: needs, Plus: true}
		}},
	}
	entries := 0
	for _, e := range p.Entries {
		contents, started := strings.HasPrefix(e.Name, "TestContents"), strings.HasPrefix(e.Name, "TestStarted")
		if !contents && !started && e.Name != "TestValueTypes" && e.Name != "TestValueCopied" {
			continue
		}
		entries++
		t.Run(e.Name, func(t *testing.T) {
			em := m.Entry(e)
			want := oracle.SearchStates(em, oracle.Limits{Executions: long.Pick(450, 5000)}, nil)
			if (contents || started) && want.Complete {
				both(t, "brute force", want)
			}
			for j, k := range kinds {
				if (entries+j)%long.Step(4) != 0 {
					continue
				}
				got := oracle.NewResult()
				x := k.make(func(tr *trace.Trace) { got.Add(tr) })
				res := x.Explore(em, explore.Limits{})
				if res.Verdict != explore.Exhausted {
					t.Errorf("%s: %s %s", k.name, res.Verdict, res.Reason)
				}
				if contents || started {
					both(t, k.name, got)
				}
				got.Races = want.Races // TestOutcomes compares them
				if missing := want.Missing(got); len(missing) > 0 {
					t.Errorf("not met by %s:\n%s", k.name, strings.Join(missing, "\n"))
				}
				if extra := got.Missing(want); len(extra) > 0 && want.Complete {
					t.Errorf("not met by brute force, but by %s:\n%s", k.name, strings.Join(extra, "\n"))
				}
			}
		})
	}
	if entries != 15 {
		t.Errorf("%d entries, want 15", entries)
	}
}

// both checks that both failures of an entry were met.
func both(t *testing.T, who string, got *oracle.Result) {
	t.Helper()
	for _, text := range []string{"before", "after"} {
		met := false
		for _, o := range got.Outcomes {
			met = met || strings.Contains(o.Failure, "panic: "+text)
		}
		if !met {
			t.Errorf("%s has not met panic: %s", who, text)
		}
	}
}
