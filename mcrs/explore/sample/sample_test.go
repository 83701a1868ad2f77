package sample

import (
	"math/rand/v2"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// bugs are programs that fail, by the depth of their bug. Each has idle goroutines and steps besides.
func bugs() map[string]struct {
	depth int
	p     *litmus.Program
} {
	r, w, l, u := litmus.R, litmus.W, litmus.L, litmus.U
	fail := func(unless int) []litmus.Op {
		return []litmus.Op{litmus.Do(litmus.Unless, 0, unless, 1), litmus.Do(litmus.Panic, 0, 0, 0)}
	}
	idle := litmustest.Loop(3, w(7, 1))
	out := map[string]struct {
		depth int
		p     *litmus.Program
	}{}
	add := func(name string, depth int, threads ...[]litmus.Op) {
		all := append([][]litmus.Op{nil}, threads...)
		all = append(all, idle, idle)
		for i := 1; i < len(all); i++ {
			all[0] = append(all[0], litmus.Spawn(i))
		}
		out[name] = struct {
			depth int
			p     *litmus.Program
		}{depth, &litmus.Program{Threads: all}}
	}
	// Unless skips the panic if the register is another value: it fails if the read comes before, or after, the write.
	add("read too early", 1, append([]litmus.Op{w(0, 1)}, idle...), append([]litmus.Op{r(0)}, fail(1)...))
	add("AB-BA", 2, []litmus.Op{l(0), l(1), u(1), u(0)}, []litmus.Op{l(1), l(0), u(0), u(1)})
	return out
}

// fails reports whether an execution shows the bug.
func fails(t *trace.Trace) bool { return len(explore.Failures(t)) > 0 && !onlyRaces(t) }

func onlyRaces(t *trace.Trace) bool {
	for _, f := range explore.Failures(t) {
		if f.Category != "datarace" {
			return false
		}
	}
	return true
}

// TestGuarantee compares how often runs show a bug of known depth with the least that PCT guarantees. The draws are the
// same each time.
func TestGuarantee(t *testing.T) {
	for name, bug := range bugs() {
		first := bug.p.Run(sched.RunToBlock{}, sched.Options{})
		threads, steps := len(first.Threads), 2*len(first.Events)
		const runs = 4000
		met := 0
		for i := range uint64(runs) {
			x := bug.p.Run(&watch{of: newPCT(rand.New(rand.NewPCG(i, 1)), threads, steps, bug.depth)}, sched.Options{})
			if len(x.Threads) > threads || len(x.Events) > steps {
				t.Fatalf("%s: %d goroutines and %d events, at most %d and %d were expected", name, len(x.Threads), len(x.Events), threads, steps)
			}
			if fails(x) {
				met++
			}
		}
		least := explore.Sampling{Threads: threads, Steps: steps, Runs: [explore.MaxDepth]int{1, 1, 1}}.Probability(bug.depth) * runs
		t.Logf("%s: %d of %d runs, at least %.1f are expected", name, met, runs, least)
		if float64(met) < least || met == runs {
			t.Errorf("%s: %d of %d runs show it, at least %.1f are expected, and not all", name, met, runs, least)
		}
	}
}

// TestSampling shows that the runs that count for the guarantee are those drawn since the program was known to be as
// large as it is, that the same are drawn each time, and that POS claims nothing.
func TestSampling(t *testing.T) {
	p := bugs()["AB-BA"].p
	a, b := new(Explorer).Explore(p, explore.Limits{Executions: 300}), new(Explorer).Explore(p, explore.Limits{Executions: 300})
	x := a.Stats.Sampling
	if x != b.Stats.Sampling || a.Stats.Events != b.Stats.Events {
		t.Errorf("two samplings: %+v, %d events, and %+v, %d events", x, a.Stats.Events, b.Stats.Sampling, b.Stats.Events)
	}
	if n := x.Runs[0] + x.Runs[1] + x.Runs[2]; n < 280 || n >= 300 || x.Threads != 5 {
		t.Errorf("%+v: of 300 runs all but the first count, of 5 goroutines", x)
	}
	if p1, p2 := x.Probability(1), x.Probability(2); p1 < 0.99 || p2 < 0.1 || p2 > 0.9 || p2 <= x.Probability(3) {
		t.Errorf("probabilities %v, %v and %v", p1, p2, x.Probability(3))
	}
	if a.Verdict != explore.Incomplete || len(a.Findings) == 0 {
		t.Errorf("%s with %d findings", a.Verdict, len(a.Findings))
	}
	if both := (&Explorer{Both: true}).Explore(p, explore.Limits{Executions: 300}).Stats.Sampling.Runs; both[0]+both[1]+both[2] > 150 || both[0] < 40 {
		t.Errorf("of 300 runs of both %v are PCT's, half of them are to be", both)
	}
	if c := (&Explorer{POS: true}).Explore(p, explore.Limits{Executions: 300}); c.Stats.Sampling != (explore.Sampling{}) || len(c.Findings) == 0 {
		t.Errorf("POS: %+v, %d findings", c.Stats.Sampling, len(c.Findings))
	}
}

// endless is a program of which no run ends within the limits: two goroutines write for long after one of them has read
// something that the other writes.
func endless() *litmus.Program {
	long := func(v int) []litmus.Op { return litmustest.Loop(4000, litmus.W(v, 1)) }
	reads := append([]litmus.Op{litmus.R(0), litmus.Do(litmus.Unless, 0, 1, 1), litmus.Do(litmus.Panic, 0, 0, 0)}, long(8)...)
	return &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, reads, append([]litmus.Op{litmus.W(0, 1)}, long(7)...)}}
}

// TestBeginnings shows that the beginning of a program is sampled of which few whole runs have room, and that the
// guarantee says so; and that whole runs are, where they have room.
func TestBeginnings(t *testing.T) {
	for _, c := range []struct {
		what   string
		work   int64
		within bool
	}{{"no run ends", 2_000_000, true}, {"a few end", 8_000_000, true}, {"many end", 40_000_000, false}} {
		s := explore.NewSession(endless(), explore.Limits{Work: c.work})
		s.Room.Keep()
		s.Execute(sched.RunToBlock{})
		s.Room.Free()
		(&Explorer{Both: true}).Continue(s)
		x := s.Result.Stats.Sampling
		if (x.Within > 0) != c.within || x.Runs[0] < 1 || x.Threads != 3 || x.Probability(1) < 0.3 {
			t.Errorf("%s: %+v, probability %v", c.what, x, x.Probability(1))
		}
		if c.within && x.Steps != x.Within {
			t.Errorf("%s: %d steps, and bugs within %d", c.what, x.Steps, x.Within)
		}
		if len(s.Close().Findings) == 0 {
			t.Errorf("%s: nothing was found", c.what)
		}
	}
}
