package sample

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares what is guaranteed of beginnings with brute force: with all schedules that put goroutines off, and
// with all that PCT may draw.

// A beginning is a program with a bug, the steps after which it is stopped, and the depth that the bug has then.
type beginning struct {
	steps, depth int
	p            *litmus.Program
}

// beginnings are programs of which runs end late: goroutines go on for long after what matters, but for one that ends.
func beginnings() map[string]beginning {
	r, w := litmus.R, litmus.W
	panicsAt := func(v int) []litmus.Op { // if that is what was read
		return []litmus.Op{litmus.Do(litmus.Unless, 0, v, 1), litmus.Do(litmus.Panic, 0, 0, 0)}
	}
	program := func(ends int, threads ...[]litmus.Op) *litmus.Program {
		all := [][]litmus.Op{nil}
		for i, ops := range threads {
			all[0] = append(all[0], litmus.Spawn(i+1))
			if i != ends {
				ops = append(ops[:len(ops):len(ops)], litmustest.Loop(400, w(5+i, 1))...)
			}
			all = append(all, ops)
		}
		return &litmus.Program{Threads: all}
	}
	early := append([]litmus.Op{r(0)}, panicsAt(0)...)
	between := append([]litmus.Op{r(0)}, panicsAt(1)...)
	twice := append(append([]litmus.Op{r(0), litmus.Do(litmus.Unless, 0, 1, 3)}, r(0)), panicsAt(0)...)
	return map[string]beginning{
		"a read before a write":                    {12, 1, program(-1, []litmus.Op{w(0, 1)}, early)},
		"that, beside one who never waits":         {12, 2, program(-1, nil, []litmus.Op{w(0, 1)}, early)},
		"a read between two writes":                {12, 2, program(-1, []litmus.Op{w(0, 1), w(0, 0)}, between)},
		"a read before them, and one between them": {9, 3, program(0, []litmus.Op{w(0, 1), w(0, 0)}, twice)},
	}
}

// A putOff lets goroutines go on in an order, but puts one off from the beginning, and others when they stand at one of
// their steps. Who is put off goes on where nobody else can, and who was put off last comes last. It stops after so
// many steps.
type putOff struct {
	order []int
	first int
	at    [][2]int32 // goroutine and step
	late  []int32    // who was put off at a step
	steps int
}

func (p *putOff) Next(s *sched.State) int {
	if s.Step >= p.steps {
		return sched.Panics(s)
	}
	among := sched.Foremost(s, nil)
	rank := func(i int32) int {
		for n, j := range p.late {
			if i == j {
				return -1 - n
			}
		}
		if int(i) == p.first {
			return 0
		}
		return 1 + p.order[i]
	}
	for {
		best := among[0]
		for _, i := range among[1:] {
			if rank(s.Enabled[i].Thread) > rank(s.Enabled[best].Thread) {
				best = i
			}
		}
		t := s.Enabled[best].Thread
		if n := len(p.late); n == len(p.at) || p.at[n] != [2]int32{t, s.Threads[t].Seq} {
			return best
		}
		p.late = append(p.late, t)
	}
}

// permutations calls f with all of n numbers.
func permutations(n int, f func([]int)) {
	var rec func(p []int)
	rec = func(p []int) {
		if len(p) == n {
			f(append([]int(nil), p...))
			return
		}
	next:
		for i := range n {
			for _, j := range p {
				if i == j {
					continue next
				}
			}
			rec(append(p, i))
		}
	}
	rec(make([]int, 0, n))
}

// everyTuple calls f with all tuples of n numbers below a bound, until it returns true.
func everyTuple(n, below int, f func([]int) bool) bool {
	at := make([]int, n)
	for {
		if f(at) {
			return true
		}
		i := 0
		for ; i < n; i++ {
			if at[i]++; at[i] < below {
				break
			}
			at[i] = 0
		}
		if i == n {
			return false
		}
	}
}

// has reports whether the bug of a beginning has some depth: whether goroutines can be put off so that it shows in
// whatever order the others come.
func (b beginning) has(depth int) bool {
	n := len(b.p.Threads)
	shows := func(first int, at [][2]int32) bool {
		all := true
		permutations(n, func(order []int) {
			all = all && fails(b.p.Run(&putOff{order: order, first: first, at: at, steps: b.steps}, sched.Options{}))
		})
		return all
	}
	const most = 4 // steps of a goroutine that matter
	for first := range n {
		if everyTuple(depth-1, n*most, func(tuple []int) bool {
			at := make([][2]int32, len(tuple))
			for i, x := range tuple {
				at[i] = [2]int32{int32(x / most), int32(x % most)}
			}
			return shows(first, at)
		}) {
			return true
		}
	}
	return false
}

// probability is with which a run of PCT shows the bug: of all that it may draw.
func (b beginning) probability(depth int) float64 {
	n, met, all := len(b.p.Threads), 0, 0
	permutations(n, func(order []int) {
		everyTuple(depth-1, b.steps, func(at []int) bool {
			p := &pct{r: rand.New(rand.NewPCG(1, 1)), slots: order, changes: make(map[int]int)}
			for i, step := range at {
				p.changes[step] = i + 1 - depth
			}
			all++
			if fails(b.p.Run(&watch{of: p, within: b.steps}, sched.Options{})) {
				met++
			}
			return false
		})
	})
	return float64(met) / float64(all)
}

// TestWithin shows by brute force of which depth bugs are within the first steps (WITHIN1), and that a run
// meets them at least as likely as is guaranteed. A goroutine that never waits adds one to the depth.
func TestWithin(t *testing.T) {
	for name, b := range beginnings() {
		depth := 1
		for !b.has(depth) && depth <= explore.MaxDepth {
			depth++
		}
		if depth != b.depth {
			t.Errorf("%s: depth %d by brute force, not %d", name, depth, b.depth)
		}
		least := 1 / (float64(len(b.p.Threads)) * math.Pow(float64(b.steps), float64(b.depth-1)))
		p := b.probability(b.depth)
		t.Logf("%s: probability %.4f, guaranteed %.4f", name, p, least)
		if p < least || p == 1 {
			t.Errorf("%s: a run shows it with %.4f, at least %.4f is guaranteed, and not 1", name, p, least)
		}
	}
}

// TestClaims draws many samplings of beginnings. It compares how many met the bug with how many should have, by what
// each of them claims of bugs of that depth.
func TestClaims(t *testing.T) {
	const samplings = 40
	for name, b := range beginnings() {
		met, claimed := 0, 0.0
		for i := range uint64(samplings) {
			s := explore.NewSession(b.p, explore.Limits{Executions: 30})
			found := false
			s.Observe = func(t *trace.Trace) { found = found || fails(t) }
			d := new(Explorer).Begin(s)
			d.planned, d.run = true, i<<32
			d.note(b.steps, len(b.p.Threads))
			d.Run()
			x := s.Result.Stats.Sampling
			if x.Within != b.steps || x.Runs[b.depth-1] != 10 {
				t.Fatalf("%s: %+v", name, x)
			}
			claimed += x.Probability(b.depth)
			if found {
				met++
			}
		}
		t.Logf("%s: %d of %d samplings met it, %.1f are claimed", name, met, samplings, claimed)
		if float64(met) < claimed {
			t.Errorf("%s: %d samplings met it, %.1f are claimed", name, met, claimed)
		}
	}
}

// A lacking machine cannot go on after so many steps of some runs.
type lacking struct {
	sched.Machine
	after int
	runs  int
}

func (m *lacking) Run(sc sched.Scheduler, o sched.Options) *trace.Trace {
	m.runs++
	if m.runs%3 != 0 {
		return m.Machine.Run(sc, o)
	}
	t := m.Machine.Run(upTo{sc, m.after}, o)
	if t.Status == trace.Stopped {
		t.Status, t.Reason = trace.Unsupported, "not supported"
	}
	return t
}

// upTo stops after so many steps.
type upTo struct {
	sched.Scheduler
	steps int
}

func (u upTo) Next(s *sched.State) int {
	if n := u.Scheduler.Next(s); s.Step < u.steps {
		return n
	}
	return sched.Stop
}

// TestCutOff shows that runs which are cut off somewhere count, and that bugs are spoken of up to there only (WITHIN2);
// of none, where a run was cut off before its first step.
func TestCutOff(t *testing.T) {
	for _, within := range []int{0, 12} {
		for _, after := range []int{0, 7, 1000} {
			b := beginnings()["a read before a write"]
			s := explore.NewSession(&lacking{Machine: b.p, after: after}, explore.Limits{Executions: 60})
			d := new(Explorer).Begin(s)
			d.planned = true
			if d.size = (explore.Sampling{Threads: 3, Steps: 1000}); within > 0 {
				d.note(within, 3)
			}
			d.Run()
			want := explore.Sampling{Threads: 3, Steps: max(within, d.size.Steps), Runs: [explore.MaxDepth]int{20, 20, 20}, Within: after}
			switch {
			case after == 0:
				want = explore.Sampling{}
			case after == 1000:
				want.Within = within
			}
			if x := s.Result.Stats.Sampling; x != want {
				t.Errorf("cut off after %d steps, stopped after %d: %+v, want %+v", after, within, x, want)
			}
		}
	}
}

// TestLastRun shows that the run which the limits of the exploration cut off does not count (WITHIN3).
func TestLastRun(t *testing.T) {
	write := func(v int) []litmus.Op { return litmustest.Loop(400, litmus.W(v, 1)) }
	b := beginning{12, 1, &litmus.Program{Threads: [][]litmus.Op{{litmus.Spawn(1), litmus.Spawn(2)}, write(0), write(1)}}}
	cut := 0
	for work := int64(100_000); work < 110_000; work += 1_000 {
		s := explore.NewSession(b.p, explore.Limits{Work: work})
		whole := 0
		s.Observe = func(t *trace.Trace) {
			if t.Status != trace.Limit {
				whole++
			}
		}
		d := new(Explorer).Begin(s)
		d.planned = true
		d.note(b.steps, len(b.p.Threads))
		d.Run()
		x := s.Result.Stats.Sampling
		if n := x.Runs[0] + x.Runs[1] + x.Runs[2]; n != whole || n == 0 || x.Within != b.steps {
			t.Errorf("%+v, of %d executions that were not cut off", x, whole)
		}
		cut += s.Result.Stats.Executions - whole
	}
	if cut == 0 {
		t.Error("no execution was cut off")
	}
}
