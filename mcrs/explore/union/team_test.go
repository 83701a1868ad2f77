package union

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// told is what an exploration says and does, without times.
func told(x *Explorer, m sched.Machine) string {
	var b strings.Builder
	x.Observe = func(t *trace.Trace) { fmt.Fprintln(&b, t.Status, sched.SeedOf(t)) }
	res := x.Explore(m, explore.Limits{Executions: long.Pick(200, 500), Events: 1 << 30})
	s := res.Stats
	s.MachineNS, s.WitnessNS, s.WallNS = 0, 0, 0
	fmt.Fprintf(&b, "%s %s %+v\n", res.Verdict, res.Reason, s)
	for _, f := range res.Findings {
		fmt.Fprintln(&b, f.Key, f.Seed)
	}
	return b.String()
}

// TestWorkers compares what different numbers of workers tell: all executions, in order, and the result.
// Without the long tests each program is compared with one number of workers.
func TestWorkers(t *testing.T) {
	compared := 0
	compare := func(name string, p *litmus.Program) (executions int) {
		one := told(&Explorer{Workers: 1}, p)
		compared++
		for _, n := range long.Pick([]int{2 + compared%2}, []int{2, 3}) {
			if many := told(&Explorer{Workers: n}, p); many != one {
				t.Fatalf("%s with %d workers:\n%s\nwith one:\n%s\nof\n%s", name, n, many, one, p)
			}
		}
		return strings.Count(one, "\n")
	}
	for _, r := range litmustest.Rows() {
		compare(r.Name, r.Program())
	}
	shared := 0
	for seed := uint64(1); seed <= long.Pick[uint64](16, 20); seed++ {
		p := litmus.Generate(seed, litmus.Memory|litmus.Locks, 8, 18)
		n := compare(fmt.Sprint("program ", seed), p)
		if n > 2*aheadEvery {
			shared++
		}
	}
	if shared < long.Pick(3, 5) {
		t.Errorf("only %d of the programs need enough executions for work to be shared", shared)
	}
}

// A faulty machine panics in its last execution.
type faulty struct {
	*litmus.Program
	left int
}

func (m *faulty) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	if m.left--; m.left == 0 {
		panic("the machine failed")
	}
	return m.Program.Run(s, o)
}

// TestWorkersFault makes the machine panic in a helper: the explorer must panic with it, and end.
func TestWorkersFault(t *testing.T) {
	for _, r := range litmustest.Rows() {
		if r.Name != "fib 3" {
			continue
		}
		defer func() {
			v := recover()
			if f, ok := v.(*explore.Fault); ok {
				v = f.Value
			}
			if v != "the machine failed" {
				t.Errorf("it panics with %v", v)
			}
		}()
		(&Explorer{Workers: 2}).Explore(&faulty{r.Program(), aheadEvery + 20}, explore.Limits{})
		t.Error("the explorer goes on")
	}
}
