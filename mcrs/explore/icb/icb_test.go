package icb

import (
	"cmp"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/oracle"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

var (
	icbFrom      = flag.Uint64("icb.from", 0, "first random program of TestICBRandom")
	icbSchedules = flag.Int("icb.schedules", 0, "schedules of a program that is not too large for TestICBRandom; 0: 500, or 2000 with the long tests")
	icbCount     = flag.Uint64("icb.n", 0, "number of random programs of each mix; 0 is the default")
)

// icbResult explores with so many bounds, 0 for all.
func icbResult(m sched.Machine, bounds int) (*explore.Result, *oracle.Result) {
	got := oracle.NewResult()
	x := &Explorer{Bounds: bounds, Observe: func(t *trace.Trace) {
		if t.Status != trace.Stopped {
			got.Add(t)
		}
	}}
	res := x.Explore(m, explore.Limits{Executions: 100_000, Events: 1 << 30})
	litmustest.AddRaces(got, res.Findings)
	return res, got
}

// icbAgainst compares ICB, bound by bound, with all schedules, told apart by how many preemptions they have. It returns
// what differs.
func icbAgainst(m sched.Machine, by []*oracle.Result, all *oracle.Result) (wrong []string, executions int) {
	upTo := oracle.NewResult()
	for c := 0; c <= len(by); c++ {
		bounds := c + 1
		if c == len(by) {
			bounds, upTo = 0, all
		} else {
			upTo.Merge(by[c])
		}
		res, got := icbResult(m, bounds)
		executions += res.Stats.Executions
		for _, s := range upTo.Missing(got) {
			wrong = append(wrong, fmt.Sprintf("%d bounds miss %s", bounds, s))
		}
		for _, s := range got.Missing(all) {
			wrong = append(wrong, fmt.Sprintf("%d bounds invent %s", bounds, s))
		}
		switch {
		case res.Stats.Diverged > 0:
			wrong = append(wrong, "diverged")
		case res.Verdict == explore.Incomplete && (bounds == 0 || res.Bounds != bounds):
			wrong = append(wrong, fmt.Sprintf("%d bounds: %d are done: %s", bounds, res.Bounds, res.Reason))
		}
	}
	return wrong, executions
}

// TestICBRandom compares ICB with brute force on random programs: what schedules with at most c preemptions show must
// be found within c of them.
func TestICBRandom(t *testing.T) {
	n := *icbCount
	if n == 0 {
		n = 40
	}
	most := cmp.Or(*icbSchedules, long.Pick(500, 2000))
	for _, mix := range []struct {
		name string
		mix  litmus.Mix
	}{
		{"memory", litmus.Memory}, {"locks", litmus.Locks}, {"chans", litmus.Chans}, {"selects", litmus.Selects | litmus.Chans},
		{"groups", litmus.Groups | litmus.Memory}, {"sync", litmus.Sync | litmus.Memory}, {"panics", litmus.Panics | litmus.Memory},
		{"all", litmus.All},
	} {
		t.Run(mix.name, func(t *testing.T) {
			var compared, executions, schedules int
			for i := *icbFrom; i < *icbFrom+n; i++ {
				p := litmus.Generate(i, mix.mix, 4, 9)
				if !long.On() && oracle.Estimate(p, sched.Options{}) > float64(most) {
					continue
				}
				by, all := oracle.SearchPreemptions(p, oracle.Limits{Executions: most}, false)
				if !all.Complete {
					continue
				}
				compared++
				schedules += all.Executions
				wrong, ran := icbAgainst(p, by, all)
				executions += ran
				if len(wrong) > 0 {
					t.Fatalf("%v\n%s\nrepeat with go test ./mcrs/explore/icb -run TestICBRandom/%s -icb.from=%d -icb.n=1", p, strings.Join(wrong, "\n"), mix.name, i)
				}
			}
			t.Logf("%d programs compared, %d schedules, %d executions of all bounds", compared, schedules, executions)
			if *icbCount == 0 && compared < int(n)/4 {
				t.Errorf("only %d of %d programs were small enough for brute force", compared, n)
			}
		})
	}
}

// TestICBRules compares ICB with brute force on a program for each rule that one of few operations does not need. The
// comment says what is missed without it.
func TestICBRules(t *testing.T) {
	add := litmus.Do(litmus.Add, 0, 1, 0)
	start := func(ops ...litmus.Op) []litmus.Op {
		return append([]litmus.Op{litmus.Spawn(1), litmus.Spawn(2)}, ops...)
	}
	for _, test := range []struct {
		name    string
		threads [][]litmus.Op
	}{
		// ICB4: b1 (preempted) a1 a2 b2 comes through the state that a1 (preempted) b1 leads to, where the other one
		// runs.
		{"who runs", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Do(litmus.Store, 1, 1, 0), add}, {add, add}}},
		// ICB1: preempted before it unlocks, the first goroutine has the second one blocked, so that the third runs,
		// and then itself.
		{"unlock", [][]litmus.Op{start(litmus.L(0), add, litmus.U(0), add), {add, litmus.L(0), add}, {add}}},
		// ICB2: the same with Done and Wait, where Done is local.
		{"done", [][]litmus.Op{start(litmus.A(0, 1), add, litmus.A(0, -1), add), {add, litmus.Wait(0), add}, {add}}},
		// ICB2: who gives way is not preempted.
		{"gosched", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {add, litmus.Do(litmus.Gosched, 0, 0, 0), add}, {add, add}}},
		// ICB2: after a rendezvous either goes on.
		{"rendezvous", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.S(0, 1), add, add}, {litmus.Rcv(0), add, add}}},
		// ICB1: operations on what others touch are no local ones, whoever came first: who runs the function of a Once,
		// who waits for a lock to the end, and a Wait that may come before an Add.
		{"once", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.Do(litmus.OnceDo, 0, 1, 0), add}, {litmus.Do(litmus.OnceDo, 0, 1, 0), add}}},
		{"held", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.L(0), add}, {litmus.L(0), add}}},
		{"add", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.A(0, 1), add, litmus.A(0, -1)}, {litmus.Wait(0), add}}},
		// ICB1: a race that only a preemption shows makes its accesses points of preemption.
		{"race", [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, {litmus.W(0, 1), litmus.W(0, 2)}, {litmus.R(0), litmus.Do(litmus.Unless, 0, 1, 2), litmus.W(1, 1), litmus.W(1, 2), litmus.R(1)}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &litmus.Program{Threads: test.threads}
			by, all := oracle.SearchPreemptions(p, oracle.Limits{Executions: 200_000}, false)
			if !all.Complete || len(by) < 2 {
				t.Fatalf("%d schedules, complete %v, of up to %d preemptions", all.Executions, all.Complete, len(by)-1)
			}
			wrong, executions := icbAgainst(p, by, all)
			if len(wrong) > 0 {
				t.Error(strings.Join(wrong, "\n"))
			}
			t.Logf("%d schedules of up to %d preemptions, %d executions of all bounds", all.Executions, len(by)-1, executions)
		})
	}
}

// TestBoundThatWasCutOffIsNotClaimed: what one execution shows is not looked at to the end where the exploration is to
// stop, and then nothing is said of its bound. A share that ends in the midst of an execution that is no large part of
// the limit takes nothing away.
func TestBoundThatWasCutOffIsNotClaimed(t *testing.T) {
	adds := []litmus.Op{litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Add, 0, 1, 0)}
	p := &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, adds, adds}}
	for _, test := range []struct {
		name  string
		work  int64 // the limit
		share bool  // it is used up when the first execution has ended
		ask   bool  // the exploration is asked to stop then
		whole bool
	}{
		{"nothing", 10_000_000, false, false, true},
		{"asked", 10_000_000, false, true, false},
		{"a share, in a large execution", 20_000, true, false, false},
		{"a share, in a small execution", 10_000_000, true, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			stop := new(explore.Stop)
			s := explore.NewSession(p, explore.Limits{Executions: 1000, Events: 1 << 30, Work: test.work, Stop: stop})
			e := (&Explorer{Bounds: 1}).Begin(s)
			for e.visit(branch{}, 0); e.meets.fresh; e.visit(branch{}, 0) { // it learns which operations meet others (ICB3)
				e.meets.fresh = false
				e.again()
			}
			e.again()
			s.Observe = func(*trace.Trace) {
				if test.ask {
					stop.Ask()
				}
				if test.share {
					s.Part.Work = 1
				}
			}
			e.visit(branch{}, 0)
			if whole := e.queued > 1; whole != test.whole || whole == (e.ceiling == 0) {
				t.Errorf("%d branches are queued, and nothing is known of bounds from %d on", e.queued, e.ceiling)
			}
			if s.Result.Verdict == explore.Exhausted != test.whole {
				t.Errorf("%v: %s", s.Result.Verdict, s.Result.Reason)
			}
		})
	}
}
