package union

import (
	"maps"
	"slices"
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

// A graphOf notes the states of a program and what follows each, for a search that looks at each once.
type graphOf struct {
	sched.Machine
	before map[uint64][]uint64
	ends   []uint64
}

// Run implements sched.Machine.
func (g *graphOf) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	w := &stateWatch{Scheduler: s, g: g}
	t := g.Machine.Run(w, o)
	if t.Status != trace.Stopped && w.any {
		g.ends = append(g.ends, w.last)
	}
	return t
}

type stateWatch struct {
	sched.Scheduler
	g    *graphOf
	last uint64
	any  bool
}

func (w *stateWatch) Next(s *sched.State) int {
	h := s.Hash()
	if w.g.before[h] == nil {
		w.g.before[h] = []uint64{}
	}
	if w.any {
		w.g.before[h] = append(w.g.before[h], w.last)
	}
	w.last, w.any = h, true
	return w.Scheduler.Next(s)
}

// endless reports whether there are states from which no end is reached.
func (g *graphOf) endless() bool {
	reached := make(map[uint64]bool)
	for todo := g.ends; len(todo) > 0; {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !reached[h] {
			reached[h] = true
			todo = append(todo, g.before[h]...)
		}
	}
	return len(reached) < len(g.before)
}

// TestUnionLoops compares union with a search of all states on random programs whose goroutines go round in loops, which have infinitely many histories: failures, races and
// blocked sets; and it must not call a program exhausted in which goroutines can come to go on for ever.
func TestUnionLoops(t *testing.T) {
	exhausted, endless, gaveUp, looping := 0, 0, map[string]int{}, 0
	n := unionCount() / long.Pick(2, 1)
	for i := *unionFrom; i < *unionFrom+n/4; i++ {
		p := litmus.Loops(uint64(i), litmustest.Mixes[i%len(litmustest.Mixes)], 4, 10)
		g := &graphOf{Machine: p, before: make(map[uint64][]uint64)}
		want := oracle.SearchStates(g, oracle.Limits{Executions: long.Pick(1000, 4000), Options: sched.Options{MaxEvents: 500}}, nil)
		if !want.Complete {
			continue
		}
		got, u := oracle.NewResult(), &Explorer{Alone: true, Engine: New()}
		u.Observe = func(tr *trace.Trace) { got.Add(tr) }
		res := u.Explore(p, explore.Limits{Executions: 2000, Events: long.Pick(4_000, 10_000)})
		for _, f := range res.Findings {
			if f.Category == report.DataRace {
				got.Races[oracle.RaceKey(f.Witness.Events[f.Events[0]].Site, f.Witness.Events[f.Events[1]].Site)] = true
			}
		}
		if u.Engine.Loops() {
			looping++
		}
		var wrong []string
		missing := func(what string, want, got map[string]bool) {
			for _, k := range slices.Sorted(maps.Keys(want)) {
				if !got[k] {
					wrong = append(wrong, what+" "+k)
				}
			}
		}
		if res.Verdict == explore.Exhausted {
			exhausted++
			missing("missed: blocked", want.Blocked, got.Blocked)
			missing("missed: race", want.Races, got.Races)
			missing("missed: failure", failuresOf(want), failuresOf(got))
			if g.endless() {
				wrong = append(wrong, "exhausted, but some executions do not end")
			}
		} else {
			gaveUp[res.Reason]++
		}
		if g.endless() {
			endless++
		}
		missing("invented: blocked", got.Blocked, want.Blocked)
		missing("invented: race", got.Races, want.Races)
		missing("invented: failure", failuresOf(got), failuresOf(want))
		if len(wrong) > 0 {
			t.Fatalf("program %d:\n%v\n%s", i, p, strings.Join(wrong, "\n"))
		}
	}
	if exhausted < n/10 || looping < n/30 {
		t.Errorf("only %d of %d programs were exhausted, and %d have loops in their graphs", exhausted, n/4, looping)
	}
	t.Logf("%d exhausted; %d have endless executions; %d with loops in their graphs; given up: %v", exhausted, endless, looping, gaveUp)
}

func failuresOf(r *oracle.Result) map[string]bool {
	out := make(map[string]bool)
	for _, o := range r.Outcomes {
		if o.Failure != "" {
			out[o.Failure] = true
		}
	}
	return out
}
