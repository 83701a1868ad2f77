package progen_test

import (
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/progen"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/audit"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestCommutation performs in both orders what the explorers call independent, in some random programs. The command internal/score/commute does it for many.
// Where histories of a goroutine lead to one name, it must go on in one way.
// And it performs all neighbours: of those that are called dependent many must differ, in all parts of a state, or the audit is blind there.
func TestCommutation(t *testing.T) {
	const programs = 16
	var ps []*progen.Program
	for s := range uint64(programs) {
		ps = append(ps, progen.Generate(s, 6))
	}
	file, err := progen.File(ps)
	if err != nil {
		t.Fatal(err)
	}
	l, err := progen.LoadWith(file, prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	pairs, met, differ := 0, 0, map[string]int{}
	for i, p := range ps {
		m, e := l.Entry(i)
		engine := union.New()
		r := (&union.Explorer{Engine: engine, Alone: true}).Explore(m.Entry(e), explore.Limits{Executions: 200})
		x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}, MaxPairs: 12}
		if r.Verdict == explore.Exhausted {
			x.Union = engine
		}
		x.Execute(sched.NewRandom(1), func(f audit.Finding) {
			t.Errorf("seed %d: %s do not commute:\n%s\n%s", p.Seed, f.What, strings.Join(f.Differences, "\n"), p.Func("P"))
		})
		pairs += x.Pairs
		merge := audit.NewMerge()
		for s := range sched.RandSeed(12) {
			merge.Execute(x, sched.NewRandom(s), func(d string) { t.Errorf("seed %d: %s\n%s", p.Seed, d, p.Func("P")) })
		}
		met += merge.Met
		x = &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}, MaxPairs: 12}
		x.Claims = func(_ *causality.Relation, t *trace.Trace) []causality.Neighbour { return causality.Neighbours(t) }
		x.Execute(sched.NewRandom(1), func(f audit.Finding) {
			for _, d := range f.Differences {
				differ[part(d)]++
			}
		})
	}
	if pairs < 40 || met < 40 {
		t.Errorf("only %d pairs, %d histories that met", pairs, met)
	}
	for _, p := range []string{"memory", "goroutine", ".tr.", "the other order"} {
		if differ[p] < 3 {
			t.Errorf("in what is not independent %d differences of %s: %v", differ[p], p, differ)
		}
	}
}

// part names the part of a state in which something differs.
func part(d string) string {
	for _, p := range []string{"at the end", "memory", "goroutine", ".tr.", "offered", "machine", "the other order"} {
		if strings.HasPrefix(d, p) || strings.Contains(d, "in "+p) || p == ".tr." && strings.Contains(d, p) {
			return p
		}
	}
	return d
}
