package explore

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore/litmus"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

var mcrPrograms = flag.Int("mcr.programs", 360, "random programs of TestMCRRandom")

// mcrAgainst compares an explorer by maximal causality with brute force: all outcomes, races and blocked sets. It returns what differs.
func mcrAgainst(p sched.Machine, x *MCR, limit int) (diff []string, s Stats, skipped bool) {
	want := oracle.Search(p, oracle.Limits{Executions: limit}, nil)
	if !want.Complete {
		return nil, s, true
	}
	got := oracle.NewResult()
	x.Alone = true
	x.Observe = func(t *trace.Trace) { got.Add(t) }
	res := x.Explore(p, Limits{Executions: 100000})
	for _, f := range res.Findings {
		if f.Category == report.DataRace {
			got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
		}
	}
	if res.Verdict != Exhausted {
		diff = append(diff, fmt.Sprintf("%s: %s", res.Verdict, res.Reason))
	}
	for _, m := range want.Missing(got) {
		diff = append(diff, "missing: "+m)
	}
	for _, m := range got.Missing(want) {
		diff = append(diff, "too many: "+m)
	}
	return diff, res.Stats, false
}

// TestMCRRandom compares mcr and se-mcr with brute force on random programs over all primitives.
func TestMCRRandom(t *testing.T) {
	for _, name := range []string{"mcr", "se-mcr"} {
		t.Run(name, func(t *testing.T) {
			var skippedAll, executions, repeated int
			for i := range *mcrPrograms {
				mix := mixes[i%len(mixes)]
				if *from > 0 && uint64(i) != *from {
					continue
				}
				p := litmus.Generate(uint64(i), mix, 4, 9)
				diff, s, skipped := mcrAgainst(p, &MCR{Switch: name == "se-mcr"}, 3000)
				if skipped {
					skippedAll++
					continue
				}
				executions += s.Executions
				repeated += s.Redundant
				if len(diff) > 0 {
					t.Fatalf("program %d, mix %d:\n%v\n%s", i, mix, p, strings.Join(diff, "\n"))
				}
			}
			t.Logf("%d programs, %d too large for brute force; %d executions, %d repeated", *mcrPrograms, skippedAll, executions, repeated)
			if skippedAll > *mcrPrograms/2 {
				t.Errorf("%d of %d programs were too large", skippedAll, *mcrPrograms)
			}
		})
	}
}

// TestMCRRows pins classes and executions of the benchmark programs.
func TestMCRRows(t *testing.T) {
	skip := []string{"lockcnt 8", "lockcnt 10", "lockcnt 12"}
	for _, r := range rows() {
		if slices.Contains(skip, r.name) {
			continue
		}
		for _, x := range []*MCR{{}, {Switch: true}} {
			x.Alone = true
			res := x.Explore(r.program(), Limits{Executions: 100000})
			s := res.Stats
			t.Logf("%s switch=%v: %s %s %d classes, %d executions, %d repeated, %d states, %.1f ms", r.name, x.Switch, res.Verdict, res.Reason, s.Classes, s.Executions, s.Redundant, s.States, float64(s.WallNS)/1e6)
		}
	}
}
