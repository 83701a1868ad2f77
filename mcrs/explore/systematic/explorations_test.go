package systematic

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/seed"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// explorations pin findings, classes and executions of programs with synchronisation.
var explorations = []struct {
	name                string
	threads             [][]litmus.Op
	caps                []int
	Findings            []report.Category
	classes, executions int
	redundant           int
	switches            int // of the first finding's witness
}{
	{
		name: "AB-BA", // 1 then 2, 2 then 1, or the deadlock
		threads: litmustest.Threads([]litmus.Op{litmus.L(0), litmus.L(1), litmus.U(1), litmus.U(0)},
			[]litmus.Op{litmus.L(1), litmus.L(0), litmus.U(0), litmus.U(1)}),
		Findings: []report.Category{report.GoroutineLeak}, classes: 2, executions: 3, switches: 3,
	},
	{
		name: "AB-BA joined",
		threads: append([][]litmus.Op{{litmus.A(0, 2), litmus.Spawn(1), litmus.Spawn(2), litmus.Wait(0)}},
			[]litmus.Op{litmus.L(0), litmus.L(1), litmus.U(1), litmus.U(0), litmus.A(0, -1)},
			[]litmus.Op{litmus.L(1), litmus.L(0), litmus.U(0), litmus.U(1), litmus.A(0, -1)}),
		Findings: []report.Category{report.Deadlock}, classes: 2, executions: 3, switches: 3,
	},
	{
		name: "lost wake-up", // the signal comes before the wait
		threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Do(litmus.CondWait, 0, 0, 0)},
			{litmus.Do(litmus.CondSignal, 0, 0, 0)}},
		Findings: []report.Category{report.Deadlock}, classes: 2, executions: 2, switches: 3,
	},
	{
		name:    "two senders, one receiver", // which of them it meets; the other leaks
		threads: litmustest.Threads([]litmus.Op{litmus.S(0, 1)}, []litmus.Op{litmus.S(0, 2)}, []litmus.Op{litmus.Rcv(0)}),
		// the two leaks stand at different sites
		Findings: []report.Category{report.GoroutineLeak, report.GoroutineLeak}, classes: 2, executions: 2, switches: 4,
	},
	{
		name: "select of two channels",
		threads: litmustest.Threads([]litmus.Op{litmus.S(0, 1)}, []litmus.Op{litmus.S(1, 1)},
			[]litmus.Op{{Code: litmus.Select, Cases: []litmus.Case{{Chan: 0}, {Chan: 1}}}, litmus.Do(litmus.Assert, 0, 0, 0)}),
		Findings: []report.Category{report.GoroutineLeak, report.Panics}, classes: 2, executions: 2,
		switches: 4,
	},
	{
		name: "race behind a lock", // the write before the lock races, the ones inside do not
		threads: litmustest.Threads([]litmus.Op{litmus.L(0), litmus.W(0, 1), litmus.U(0)},
			[]litmus.Op{litmus.L(0), litmus.W(0, 2), litmus.U(0), litmus.R(0)}),
		Findings: []report.Category{report.DataRace}, classes: 2, executions: 3, switches: 6,
	},
	{
		name: "ten workers and a wait group", // the adds commute: one class
		threads: func() [][]litmus.Op {
			main := []litmus.Op{}
			ts := [][]litmus.Op{nil}
			for i := range 10 {
				main = append(main, litmus.A(0, 1), litmus.Spawn(i+1))
				ts = append(ts, []litmus.Op{litmus.W(i, 1), litmus.A(0, -1)})
			}
			main = append(main, litmus.Wait(0))
			for i := range 10 {
				main = append(main, litmus.R(i))
			}
			ts[0] = main
			return ts
		}(), classes: 1, executions: 1,
	},
	{
		name:    "pipeline", // buffered: sends and receives commute where they can
		threads: litmustest.Threads(litmustest.Loop(20, litmus.S(1, 1)), litmustest.Loop(20, litmus.Rcv(1))), caps: []int{0, 4}, classes: 1, executions: 1,
	},
	{
		name: "readers of an RWMutex",
		threads: litmustest.Threads([]litmus.Op{litmus.Do(litmus.RLock, 2, 0, 0), litmus.R(0), litmus.Do(litmus.RUnlock, 2, 0, 0)},
			[]litmus.Op{litmus.Do(litmus.RLock, 2, 0, 0), litmus.R(0), litmus.Do(litmus.RUnlock, 2, 0, 0)},
			[]litmus.Op{litmus.Do(litmus.RLock, 2, 0, 0), litmus.R(0), litmus.Do(litmus.RUnlock, 2, 0, 0)}), classes: 1, executions: 1,
	},
}

func TestExplorations(t *testing.T) {
	for _, test := range explorations {
		t.Run(test.name, func(t *testing.T) {
			p := &litmus.Program{Threads: test.threads, Caps: test.caps}
			res := new(Explorer).Explore(p, explore.Limits{})
			if res.Verdict != explore.Exhausted {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			var got []report.Category
			for _, f := range res.Findings {
				got = append(got, f.Category)
			}
			if !reflect.DeepEqual(got, test.Findings) {
				t.Errorf("findings %v, want %v", got, test.Findings)
			}
			if s := res.Stats; s.Classes != test.classes || s.Executions != test.executions || s.Redundant != test.redundant {
				t.Errorf("%d classes, %d executions, %d redundant; want %d, %d, %d", s.Classes, s.Executions, s.Redundant,
					test.classes, test.executions, test.redundant)
			}
			if len(res.Findings) > 0 {
				if n := runsIn(res.Findings[0].Seed); n > test.switches {
					t.Errorf("witness of %d runs, want at most %d:\n%v", n, test.switches, res.Findings[0].Seed)
				}
			}
			for _, f := range res.Findings {
				checkFinding(t, p, f)
			}
		})
	}
}

// runsIn counts the runs of one goroutine in a seed.
func runsIn(s seed.Seed) (n int) {
	for i := range s {
		if i == 0 || s[i].Thread != s[i-1].Thread {
			n++
		}
	}
	return n
}

// checkFinding replays a finding's seed and looks at its parts.
func checkFinding(t *testing.T, p *litmus.Program, f report.Finding) {
	t.Helper()
	r := sched.NewReplay(f.Seed, sched.Halt{})
	tr := p.Run(r, sched.Options{Stacks: true})
	if r.Diverged() >= 0 || !slices.ContainsFunc(explore.Shown(tr), func(x report.Finding) bool { return x.Key == f.Key }) {
		t.Errorf("%s: the seed does not show it (diverged at %d)", f.Key, r.Diverged())
	}
	if !reflect.DeepEqual(tr.Events, f.Witness.Events) {
		t.Errorf("%s: the seed gives another trace than the witness", f.Key)
	}
	if f.Witness.Stacks == nil {
		t.Errorf("%s: a witness without stacks", f.Key)
	}
	for _, i := range f.Events {
		if i < 0 || i >= len(f.Witness.Events) {
			t.Errorf("%s: event %d of %d", f.Key, i, len(f.Witness.Events))
		}
	}
	if len(f.Threads) == 0 {
		t.Errorf("%s: no threads", f.Key)
	}
}

// TestOutcomesDoNotDependOnTheFirstSeed: the set of outcomes does not depend on the initial seed.
func TestOutcomesDoNotDependOnTheFirstSeed(t *testing.T) {
	n := long.Pick[uint64](15, 25)
	for i := range n {
		p := litmus.Generate(i, litmus.All, 4, 8)
		r := rand.New(rand.NewPCG(i, 0))
		for range 3 {
			tr := p.Run(sched.NewRandom(sched.RandSeed(r.Uint64())), sched.Options{})
			if _, ok := compareFrom(t, p, fmt.Sprintf("go test -run TestOutcomesDoNotDependOnTheFirstSeed; program %d", i), sched.SeedOf(tr)); !ok {
				break
			}
		}
	}
}

func TestLimits(t *testing.T) {
	p := &litmus.Program{Threads: litmustest.Times(5, []litmus.Op{litmus.R(0), litmus.P(0, 1)})}
	for _, test := range []struct {
		lim        explore.Limits
		executions int
		reason     string
	}{
		{explore.Limits{Executions: 7}, 7, "stopped at the limit of runs (-limit.executions)"},
		{explore.Limits{Events: 100}, 5, "stopped at the limit of events (-limit.events)"}, // 21 events each
	} {
		res := new(Explorer).Explore(p, test.lim)
		if res.Verdict != explore.Incomplete || res.Reason != test.reason || res.Stats.Executions != test.executions {
			t.Errorf("%s, %q, %d executions; want %q, %d", res.Verdict, res.Reason, res.Stats.Executions, test.reason, test.executions)
		}
		if len(res.Findings) == 0 {
			t.Errorf("no findings before the limit")
		}
	}
}

// TestManyPrivateEvents: events that nobody else sees cost little.
func TestManyPrivateEvents(t *testing.T) {
	p := &litmus.Program{Threads: litmustest.Threads(
		append(litmustest.Loop(20000, litmus.R(7), litmus.W(1, 1)), litmus.W(0, 1)),
		append(litmustest.Loop(20000, litmus.R(7), litmus.W(2, 1)), litmus.R(0)))}
	var events int
	x := &Explorer{Observe: func(tr *trace.Trace) { events = len(tr.Events) }}
	res := x.Explore(p, explore.Limits{})
	if res.Verdict != explore.Exhausted || res.Stats.Executions != 2 || len(res.Findings) != 1 {
		t.Errorf("%s %s %+v of %d events, %d findings", res.Verdict, res.Reason, res.Stats, events, len(res.Findings))
	}
}
