package explore

import (
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore/litmus"
	"github.com/heddle-go/heddle/mcrs/explore/union"
)

// A row is a benchmark program with what is known of it: the number of complete local histories of its goroutines but the
// entry's, which has one.
type row struct {
	name      string
	prog      [][]litmus.Op
	start     []litmus.Op // of the entry's goroutine, before it starts the others
	histories int
}

func pingpong(n int) [][]litmus.Op {
	deref := []litmus.Op{litmus.R(0), litmus.Do(litmus.Unless, 0, 0, 1), litmus.Do(litmus.Panic, 0, 0, 0)}
	// Unless skips the next W operations unless r == V: the panic is skipped unless the value is 0.
	ops := append(append([]litmus.Op(nil), deref...), deref...)
	return times(n, append(ops, litmus.R(0), litmus.Do(litmus.Keep, 0, 0, 0), litmus.W(0, 0), litmus.P(0, 0)))
}

func rows() []row {
	r, w, p := litmus.R, litmus.W, litmus.P
	l, u := litmus.L, litmus.U
	one := []litmus.Op{w(0, 1), w(1, 1)}
	counter := func(n int) [][]litmus.Op { return threads(loop(n, r(0), p(0, 1)), loop(n, r(0), p(0, -1))) }
	fib := func(n int) [][]litmus.Op {
		return threads(loop(n, r(0), litmus.Do(litmus.Keep, 0, 0, 0), r(1), litmus.Do(litmus.Sum, 0, 0, 0), p(0, 0)),
			loop(n, r(1), litmus.Do(litmus.Keep, 0, 0, 0), r(0), litmus.Do(litmus.Sum, 0, 0, 0), p(1, 0)))
	}
	lockcnt := func(n int) [][]litmus.Op { return times(n, []litmus.Op{l(0), r(0), p(0, 1), u(0)}) }
	nwriters := func(n int) [][]litmus.Op {
		return [][]litmus.Op{append(loop(n, litmus.Spawn(1)), litmus.Spawn(2)), {w(0, 1)}, {r(0)}}
	}
	return []row{
		{"sb", threads([]litmus.Op{w(0, 1), r(1)}, []litmus.Op{w(1, 1), r(0)}), nil, 4},
		{"indep4", threads([]litmus.Op{w(0, 1)}, []litmus.Op{r(0)}, []litmus.Op{w(1, 1)}, []litmus.Op{r(1)}), nil, 6},
		{"nwriters 2", nwriters(2), nil, 4},
		{"nwriters 8", nwriters(8), nil, 10},
		{"nwriters 64", nwriters(64), nil, 66},
		{"counter 1", counter(1), nil, 4},
		{"counter 2", counter(2), nil, 16},
		{"counter 3", counter(3), nil, 74},
		{"counter 4", counter(4), nil, 360},
		{"fib 1", fib(1), one, 4},
		{"fib 2", fib(2), one, 18},
		{"fib 3", fib(3), one, 116},
		{"fib 4", fib(4), one, 846},
		{"lockcnt 2", lockcnt(2), nil, 4},
		{"lockcnt 6", lockcnt(6), nil, 36},
		{"lockcnt 8", lockcnt(8), nil, 64},
		{"lockcnt 10", lockcnt(10), nil, 100},
		{"lockcnt 12", lockcnt(12), nil, 144},
		{"pingpong 2", pingpong(2), []litmus.Op{w(0, 1)}, 8},
		{"pingpong 4", pingpong(4), []litmus.Op{w(0, 1)}, 16},
	}
}

func (r row) program() *litmus.Program {
	p := &litmus.Program{Threads: r.prog}
	if r.start != nil {
		ops := append([]litmus.Op(nil), r.start...)
		for i := 1; i < len(r.prog); i++ {
			ops = append(ops, litmus.Spawn(i))
		}
		p.Threads = append([][]litmus.Op{ops}, r.prog[1:]...)
	}
	return p
}

// TestUnionRows pins the number of local histories of the benchmark programs.
func TestUnionRows(t *testing.T) {
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			x := union.New()
			res := (&Union{Engine: x, Alone: true, Apart: true}).Explore(r.program(), Limits{Executions: 100000})
			if res.Verdict != Exhausted {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			s := res.Stats
			t.Logf("%d sweeps, %d histories, %d executions, %d replays, %d states, machine %.1f ms, all %.1f ms", x.Stats.Sweeps, s.Histories, s.Executions, s.Replays, s.States,
				float64(s.MachineNS)/1e6, float64(s.WallNS)/1e6)
			if s.Histories != r.histories+1 {
				t.Errorf("%d histories, want %d", s.Histories, r.histories+1)
			}
		})
	}
}
