package progen_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/progen"
	"github.com/heddle-go/heddle/analysistest/progen/prelude"
	"github.com/heddle-go/heddle/mcrs/audit"
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/explore/causality"
	"github.com/heddle-go/heddle/mcrs/explore/union"
	"github.com/heddle-go/heddle/mcrs/machine"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// TestCommutation performs in both orders what the explorers call independent, in some random programs. The command
// internal/score/commute does it for many. It asks three more things:
//
//   - Where several histories of a goroutine lead to one name, the goroutine must go on in one way.
//   - If any goroutines may change places, and all states of a goroutine have one name, differences must show.
//   - Of all neighbours that are called dependent, many must differ, in all parts of a state. Else the audit is blind
//     there.
func TestCommutation(t *testing.T) {
	const programs = 16
	var ps []*progen.Program
	for s := range uint64(programs) {
		ps = append(ps, progen.Generate(s, 6))
	}
	for _, s := range []uint64{3, 8, 13, 34} { // in the second regime of time
		ps = append(ps, progen.GenerateTimed(s, min(progen.Size(s), 6)))
	}
	file, err := progen.File(ps)
	if err != nil {
		t.Fatal(err)
	}
	l, err := progen.LoadWith(file, prelude.NoLog, machine.Config{CleanFrames: true})
	if err != nil {
		t.Fatal(err)
	}
	pairs, met, differ, unlike, blurred := 0, 0, map[string]int{}, 0, 0
	for i, p := range ps {
		m, e := l.Entry(i)
		if i >= programs {
			x := &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400, Timing: true}, MaxPairs: 30}
			for s := range sched.RandSeed(2) {
				x.Execute(sched.NewRandom(s), func(f audit.Finding) {
					t.Errorf("timed, seed %d: %s do not commute:\n%s\n%s", p.Seed, f.What, strings.Join(f.Differences, "\n"), p.Func("P"))
				})
			}
			merge := audit.NewMerge() // the names of states do not say when a sleep ends
			for s := range sched.RandSeed(12) {
				merge.Execute(x, sched.NewRandom(s), func(d string) { t.Errorf("timed, seed %d: %s\n%s", p.Seed, d, p.Func("P")) })
			}
			met += merge.Met
			continue
		}
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
		x = &audit.Subject{Machine: m, Entry: e, Options: sched.Options{MaxEvents: 400}, MaxPairs: 4}
		x.Claims = func(*causality.Relation, *trace.Trace) []causality.Neighbour { return nil }
		x.Likes = anybody
		x.Execute(sched.NewRandom(1), func(f audit.Finding) { unlike++ })
		coarse := audit.NewMerge()
		coarse.Name = func(sched.Local) uint64 { return 0 }
		for s := range sched.RandSeed(6) {
			coarse.Execute(x, sched.NewRandom(s), func(string) { blurred++ })
		}
	}
	if pairs < 40 || met < 40 {
		t.Errorf("only %d pairs, %d histories that met", pairs, met)
	}
	if unlike < 10 || blurred < 100 {
		t.Errorf("where any goroutines change places %d differences, where all states of a goroutine have one name %d", unlike, blurred)
	}
	for _, p := range []string{"memory", "goroutine", ".Trace.", "the other order"} {
		if differ[p] < 3 {
			t.Errorf("in what is not independent %d differences of %s: %v", differ[p], p, differ)
		}
	}
}

// anybody says that each goroutine that has started has the future of the one that moves next.
func anybody(t *trace.Trace) (all []union.Alike) {
	started := map[event.ThreadID]bool{}
	for n, s := range sched.SeedOf(t) {
		for id := range started {
			if id != s.Thread {
				all = append(all, union.Alike{Step: n, Mover: s.Thread, Like: id})
			}
		}
		started[s.Thread] = true
	}
	slices.SortFunc(all, func(a, b union.Alike) int {
		return cmp.Or(a.Step-b.Step, strings.Compare(string(a.Like), string(b.Like)))
	})
	return all
}

// part names the part of a state in which something differs.
func part(d string) string {
	for _, p := range []string{"at the end", "memory", "goroutine", ".Trace.", "offered", "machine", "the other order"} {
		if strings.HasPrefix(d, p) || strings.Contains(d, "in "+p) || p == ".Trace." && strings.Contains(d, p) {
			return p
		}
	}
	return d
}
