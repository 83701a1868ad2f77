package litmustest

import (
	"github.com/heddle-go/heddle/mcrs/litmus"
)

// Mixes are what random programs are made of: every primitive is in some.
var Mixes = []litmus.Mix{litmus.Memory, litmus.Locks, litmus.Memory | litmus.Locks, litmus.Chans, litmus.Chans | litmus.Selects, litmus.Groups | litmus.Memory,
	litmus.Sync | litmus.Locks, litmus.Panics | litmus.Memory, litmus.All}

// Threads returns a program whose goroutines perform some operations each.
func Threads(ops ...[]litmus.Op) [][]litmus.Op { return append([][]litmus.Op{{}}, ops...) }

// Times returns a program of n goroutines that all perform the same operations.
func Times(n int, ops []litmus.Op) [][]litmus.Op {
	out := [][]litmus.Op{{}}
	for range n {
		out = append(out, ops)
	}
	return out
}

// Loop returns some operations n times.
func Loop(n int, ops ...litmus.Op) (out []litmus.Op) {
	for range n {
		out = append(out, ops...)
	}
	return
}

// A Row is a benchmark program with what is known of it: how many complete local histories its goroutines have. The
// entry's goroutine has one, which does not count.
type Row struct {
	Name      string
	Threads   [][]litmus.Op
	Start     []litmus.Op // of the entry's goroutine, before it starts the others
	Histories int
}

func pingpong(n int) [][]litmus.Op {
	deref := []litmus.Op{litmus.R(0), litmus.Do(litmus.Unless, 0, 0, 1), litmus.Do(litmus.Panic, 0, 0, 0)}
	// Unless skips the next W operations unless r == V: the panic is skipped unless the value is 0.
	ops := append(append([]litmus.Op(nil), deref...), deref...)
	return Times(n, append(ops, litmus.R(0), litmus.Do(litmus.Keep, 0, 0, 0), litmus.W(0, 0), litmus.P(0, 0)))
}

// Rows lists the benchmark programs.
func Rows() []Row {
	r, w, p := litmus.R, litmus.W, litmus.P
	l, u := litmus.L, litmus.U
	one := []litmus.Op{w(0, 1), w(1, 1)}
	counter := func(n int) [][]litmus.Op { return Threads(Loop(n, r(0), p(0, 1)), Loop(n, r(0), p(0, -1))) }
	fib := func(n int) [][]litmus.Op {
		return Threads(Loop(n, r(0), litmus.Do(litmus.Keep, 0, 0, 0), r(1), litmus.Do(litmus.Sum, 0, 0, 0), p(0, 0)),
			Loop(n, r(1), litmus.Do(litmus.Keep, 0, 0, 0), r(0), litmus.Do(litmus.Sum, 0, 0, 0), p(1, 0)))
	}
	lockcnt := func(n int) [][]litmus.Op { return Times(n, []litmus.Op{l(0), r(0), p(0, 1), u(0)}) }
	nwriters := func(n int) [][]litmus.Op {
		return [][]litmus.Op{append(Loop(n, litmus.Spawn(1)), litmus.Spawn(2)), {w(0, 1)}, {r(0)}}
	}
	return []Row{
		{"sb", Threads([]litmus.Op{w(0, 1), r(1)}, []litmus.Op{w(1, 1), r(0)}), nil, 4},
		{"indep4", Threads([]litmus.Op{w(0, 1)}, []litmus.Op{r(0)}, []litmus.Op{w(1, 1)}, []litmus.Op{r(1)}), nil, 6},
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

// Program returns the row as a program.
func (r Row) Program() *litmus.Program {
	p := &litmus.Program{Threads: r.Threads}
	if r.Start != nil {
		ops := append([]litmus.Op(nil), r.Start...)
		for i := 1; i < len(r.Threads); i++ {
			ops = append(ops, litmus.Spawn(i))
		}
		p.Threads = append([][]litmus.Op{ops}, r.Threads[1:]...)
	}
	return p
}
