package union

import (
	"fmt"
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
	stand  map[uint64]map[string]bool // by state: who stands where, and whether he can move
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
	w.g.note(h, s)
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

// note notes who can move in a state.
func (g *graphOf) note(h uint64, s *sched.State) {
	if g.stand[h] != nil {
		return
	}
	moves := make(map[int32]bool)
	for _, e := range append(slices.Clone(s.Enabled), s.Idle...) {
		moves[e.Thread], moves[e.Partner] = true, true
	}
	g.stand[h] = make(map[string]bool)
	for i, th := range s.Threads {
		if th.Op != nil {
			g.stand[h][fmt.Sprintf("%s %v at %d", th.ID, th.Op.Kind, th.Op.Site)] = moves[int32(i)]
		}
	}
}

// stuck lists who is blocked for ever in each bottom component of the states: there nobody moves from where he stands
// in any state that can be reached. It looks at what each state reaches, one by one.
func (g *graphOf) stuck() map[string]bool {
	after := make(map[uint64][]uint64)
	for h, before := range g.before {
		for _, b := range before {
			after[b] = append(after[b], h)
		}
	}
	reach := func(h uint64) map[uint64]bool {
		out := make(map[uint64]bool)
		for todo := slices.Clone(after[h]); len(todo) > 0; {
			x := todo[len(todo)-1]
			if todo = todo[:len(todo)-1]; !out[x] {
				out[x] = true
				todo = append(todo, after[x]...)
			}
		}
		return out
	}
	out, looked := make(map[string]bool), make(map[uint64]bool)
	for h := range g.before {
		if looked[h] {
			continue
		}
		all := reach(h)
		bottom := all[h]
		for o := range all {
			bottom = bottom && reach(o)[h]
		}
		if !bottom {
			continue
		}
		var stuck []string
		for who := range g.stand[h] {
			if !slices.ContainsFunc(slices.Collect(maps.Keys(all)), func(o uint64) bool { return g.stand[o][who] }) {
				stuck = append(stuck, who)
			}
		}
		slices.Sort(stuck)
		out[strings.Join(stuck, ", ")] = true
		maps.Copy(looked, all)
	}
	return out
}

// TestUnionLoops compares union with a search of all states on random programs whose goroutines go round in loops,
// which have infinitely many histories: failures, races and blocked sets. union must not call a program exhausted in
// which goroutines can come to go on for ever.
func TestUnionLoops(t *testing.T) {
	exhausted, endless, gaveUp, looping, looked := 0, 0, map[string]int{}, 0, 0
	n := unionCount() / long.Pick(2, 1)
	programs := []int{46} // goroutines go round where that is no bottom component (ENDLESS1)
	for i := *unionFrom; i < *unionFrom+n/4; i++ {
		programs = append(programs, i)
	}
	for _, i := range programs {
		mix := litmustest.Mixes[i%len(litmustest.Mixes)]
		p := litmus.Loops(uint64(i), mix, 4, 10)
		if i%2 == 1 { // two that run the same code (RED20)
			p = litmus.Twins(litmus.Loops(uint64(i), mix, 3, 8), i/2)
		}
		g := &graphOf{Machine: p, before: make(map[uint64][]uint64), stand: make(map[uint64]map[string]bool)}
		want := oracle.SearchStates(g, oracle.Limits{Executions: long.Pick(1000, 4000), Options: sched.Options{MaxEvents: 500}}, nil)
		if !want.Complete {
			continue
		}
		got, u := oracle.NewResult(), &Explorer{Alone: true, Engine: New()}
		u.Observe = func(tr *trace.Trace) { got.Add(tr) }
		u.Engine.MergeFirst = i%2 == 1
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
		if w := u.Engine.sweep; w != nil && w.ends != nil && !w.ends.cut && w.done() {
			looked++
			mine, theirs := make(map[string]bool), g.stuck()
			for _, c := range w.ends.bottom {
				mine[strings.Join(c.stay, ", ")] = true
			}
			missing("missed: blocked beside who goes on:", theirs, mine)
			missing("invented: blocked beside who goes on:", mine, theirs)
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
	if looked < n/100 {
		t.Errorf("only in %d of %d programs was it looked at where goroutines go on for ever", looked, n/4)
	}
	t.Logf("%d looked at; %d exhausted; %d have endless executions; %d with loops in their graphs; given up: %v", looked, exhausted, endless, looping, gaveUp)
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
