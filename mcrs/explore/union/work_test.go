package union

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// A slowMachine interprets so many instructions in each execution.
type slowMachine struct {
	sched.Machine
	steps int64
}

func (m *slowMachine) Run(s sched.Scheduler, o sched.Options) *trace.Trace {
	t := m.Machine.Run(s, o)
	t.Steps = min(m.steps, o.MaxSteps)
	if m.steps > o.MaxSteps {
		t.Status, t.Reason = trace.Limit, "limit of instructions reached"
	}
	return t
}

// manyOrders is a program with more classes than a small limit of work has room for.
func manyOrders() *litmus.Program {
	p := &litmus.Program{Threads: [][]litmus.Op{nil}}
	for i := 1; i <= 4; i++ {
		p.Threads[0] = append(p.Threads[0], litmus.Spawn(i))
		p.Threads = append(p.Threads, []litmus.Op{litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Add, 0, 1, 0)})
	}
	return p
}

// manyGoroutines is a program of n goroutines: what they do costs less than to choose among them.
func manyGoroutines(n int) *litmus.Program {
	p := &litmus.Program{Threads: [][]litmus.Op{nil}}
	for i := 1; i <= n; i++ {
		p.Threads[0] = append(p.Threads[0], litmus.Spawn(i))
		p.Threads = append(p.Threads, litmustest.Loop(8, litmus.W(i, 1)))
	}
	return p
}

// TestLimitOfWork shows that an exploration ends at the limit of work, whichever work it is, says so, and does not go
// far beyond it. The number of workers changes nothing.
func TestLimitOfWork(t *testing.T) {
	const reason = "stopped at the limit of work (-limit.work)"
	for _, test := range []struct {
		name        string
		program     *litmus.Program
		steps, work int64
		executions  int   // at most
		times       int64 // the work is at most the limit so many times
	}{
		{"instructions", manyOrders(), 1_000_000, 7_500_000, 8, 2},
		{"one execution", manyOrders(), 1_000_000, 500_000, 2, 2},
		{"events and states", manyOrders(), 0, 90_000, 40, 2},
		// Without the limit it is 12 million. All executions but the first are of the beginning.
		{"goroutines to choose from", manyGoroutines(600), 0, 2_000_000, 140, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			var first *explore.Result
			for _, workers := range []int{0, 2} {
				m := &slowMachine{Machine: test.program, steps: test.steps}
				r := (&Explorer{Workers: workers}).Explore(m, explore.Limits{Work: test.work})
				if r.Verdict != explore.Incomplete || r.Reason != reason || r.Stats.Executions > test.executions || r.Stats.Executions < 1 {
					t.Errorf("%d workers: %s: %s, %d executions, at most %d are expected", workers, r.Verdict, r.Reason, r.Stats.Executions, test.executions)
				}
				if r.Stats.Work < test.work || r.Stats.Work > test.times*test.work {
					t.Errorf("%d workers: work %d, %d events, the limit is %d", workers, r.Stats.Work, r.Stats.Events, test.work)
				}
				if first == nil {
					first = r
				} else if r.Stats.Work != first.Stats.Work || r.Stats.Executions != first.Stats.Executions {
					t.Errorf("work %d in %d executions with workers, %d in %d without", r.Stats.Work, r.Stats.Executions, first.Stats.Work, first.Stats.Executions)
				}
			}
		})
	}
	r := new(Explorer).Explore(manyOrders(), explore.Limits{})
	if r.Verdict != explore.Exhausted {
		t.Errorf("with the default limit: %s: %s", r.Verdict, r.Reason)
	}
}

// TestSearchMayEnd has a limit of which the search needs a little more than its share. It goes on while the sweep may
// be the last.
func TestSearchMayEnd(t *testing.T) {
	add, load := litmus.Do(litmus.Add, 0, 1, 0), litmus.Do(litmus.Load, 0, 0, 0)
	m := &slowMachine{Machine: &litmus.Program{Threads: litmustest.Times(3, []litmus.Op{add, load, add})}, steps: 1_000_000}
	all := new(Explorer).Explore(m, explore.Limits{})
	shares := 0 // that were too small for all, by the time when they were used up
	for tenths := int64(10); tenths <= 30; tenths++ {
		r := new(Explorer).Explore(m, explore.Limits{Work: all.Stats.Work / 10 * tenths})
		if r.HandOver != "" {
			continue
		}
		if share := all.Stats.Work / 80 * 3 * tenths; share < all.Stats.Work {
			shares++
		}
		if r.Verdict != explore.Exhausted || r.Stats.Executions != all.Stats.Executions || r.Stats.States < all.Stats.States {
			t.Errorf("with %d tenths of the work: %s: %s, %d executions of %d, %d states of %d", tenths, r.Verdict, r.Reason, r.Stats.Executions, all.Stats.Executions, r.Stats.States,
				all.Stats.States)
		}
	}
	if shares == 0 {
		t.Error("no share was too small")
	}
}
