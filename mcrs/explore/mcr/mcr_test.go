package mcr

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

var mcrPrograms = flag.Int("mcr.programs", 200, "random programs of TestMCRRandom")

// The explorers by maximal causality, by number: mcr, se-mcr, mcr without reduction, mcr by formulas alone, and mcr
// whose walks give up early.
const (
	plainMCR = iota
	switchMCR
	fullMCR
	formulaMCR
	hastyMCR
)

func causalExplorer(which int, observe func(*trace.Trace)) explore.Explorer {
	switch which {
	case switchMCR:
		return &SwitchEquivalent{Alone: true, Observe: observe}
	case fullMCR:
		return &Explorer{Alone: true, Observe: observe, Full: true}
	case formulaMCR:
		return &Explorer{Alone: true, Observe: observe, Solver: true}
	case hastyMCR:
		return &Explorer{Alone: true, Observe: observe, Budget: 12}
	}
	return &Explorer{Alone: true, Observe: observe}
}

// mcrAgainst compares an explorer by maximal causality with brute force: all outcomes, races and blocked sets. It
// returns what differs.
func mcrAgainst(p sched.Machine, which, limit int) (diff []string, s explore.Stats, skipped bool) {
	want := litmustest.Enumerate(p, limit, nil)
	if want == nil {
		return nil, s, true
	}
	got := oracle.NewResult()
	res := causalExplorer(which, got.Add).Explore(p, explore.Limits{Executions: 100000})
	for _, f := range res.Findings {
		if f.Category == report.DataRace {
			got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
		}
	}
	if res.Verdict != explore.Exhausted {
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

// TestMCRRandom compares mcr, in five forms, with brute force on random programs over all primitives.
func TestMCRRandom(t *testing.T) {
	var skippedAll, executions, redundant int
	programs := *mcrPrograms
	for i := range programs {
		mix := litmustest.Mixes[i%len(litmustest.Mixes)]
		p := litmus.Generate(uint64(i), mix, 4, 9)
		diff, s, skipped := mcrAgainst(p, i%5, long.Pick(500, 1500))
		if skipped {
			skippedAll++
			continue
		}
		executions += s.Executions
		redundant += s.Redundant
		if len(diff) > 0 {
			t.Fatalf("program %d, mix %d:\n%v\n%s", i, mix, p, strings.Join(diff, "\n"))
		}
	}
	t.Logf("%d programs, %d too large for brute force; %d executions, %d redundant", programs, skippedAll, executions, redundant)
	if skippedAll > programs/2 {
		t.Errorf("%d of %d programs were too large", skippedAll, programs)
	}
}

// TestProgramsThatMCROnceDifferedOn repeats programs on which mcr once differed: compare-and-swaps that fail whatever
// they find, two pairs of a rendezvous with one value, and races of a wait group's goroutines.
func TestProgramsThatMCROnceDifferedOn(t *testing.T) {
	for _, seed := range []int{1089, 147, 95} {
		p := litmus.Generate(uint64(seed), litmustest.Mixes[seed%len(litmustest.Mixes)], 4, 9)
		for se := range hastyMCR + 1 {
			if diff, _, skipped := mcrAgainst(p, se, 3000); len(diff) > 0 || skipped {
				t.Errorf("program %d, form %d, skipped %v:\n%v\n%s", seed, se, skipped, p, strings.Join(diff, "\n"))
			}
		}
	}
}

// TestMCRRows pins the classes of the benchmark programs; each is executed once.
func TestMCRRows(t *testing.T) {
	classes := map[string]int{"sb": 3, "indep4": 4, "nwriters 2": 2, "nwriters 8": 2, "nwriters 64": 2, "counter 1": 3, "counter 2": 19, "counter 3": 140,
		"counter 4": 1091, "fib 1": 3, "fib 2": 19, "fib 3": 141, "fib 4": 1107, "lockcnt 2": 2, "lockcnt 6": 720, "pingpong 2": 7}
	for _, r := range litmustest.Rows() {
		want := classes[r.Name]
		if want == 0 || want > 200 && !long.On() {
			continue
		}
		for which := range formulaMCR + 1 {
			if which == fullMCR || which == formulaMCR && want > 30 || which == switchMCR && want > 200 {
				continue
			}
			res := causalExplorer(which, nil).Explore(r.Program(), explore.Limits{Executions: 100000})
			if s := res.Stats; res.Verdict != explore.Exhausted || s.Classes != want || s.Executions != want {
				t.Errorf("%s, form %d: %s %s, %d classes, %d executions, want %d", r.Name, which, res.Verdict, res.Reason, s.Classes, s.Executions, want)
			}
			if which == switchMCR {
				t.Logf("%s: %d skipped, %d restored", r.Name, res.Stats.Skipped, res.Stats.Restored)
			}
		}
	}
}

// TestManyWriters explores goroutines that write one value to one variable, each started after an Add of its own. Once
// their race is known, the order of the writes tells nobody anything, not even in the walk that has found it.
func TestManyWriters(t *testing.T) {
	w, r := litmus.W(0, 1), litmus.R(0)
	for _, reader := range []bool{false, true} {
		var first []litmus.Op
		for range 32 {
			first = append(first, litmus.A(0, 1), litmus.Spawn(1))
		}
		want, states := 1, 8
		if reader {
			want, states, first = 2, 200, append(first, litmus.A(0, 1), litmus.Spawn(2))
		}
		p := &litmus.Program{Threads: [][]litmus.Op{append(first, litmus.Wait(0)), {w, litmus.A(0, -1)}, {r, litmus.A(0, -1)}}}
		for _, which := range []int{plainMCR, switchMCR} {
			res := causalExplorer(which, nil).Explore(p, explore.Limits{})
			if s := res.Stats; res.Verdict != explore.Exhausted || s.Executions != want || s.States > states {
				t.Errorf("form %d, reader %v: %s %s, %d executions, %d states; want %d and %d", which, reader, res.Verdict, res.Reason, s.Executions, s.States, want, states)
			}
		}
	}
}
