package explorers

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/explore"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/litmus/litmustest"
	"github.com/heddle-go/heddle/mcrs/report"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file compares how soon explorers meet bugs of known depth. The depth is the number of orderings of two steps
// that are enough for a bug (Burckhardt and others, ASPLOS 2010).

// A bug is a program that fails, and the depth of that.
type bug struct {
	name    string
	depth   int
	threads [][]litmus.Op // besides the main one, which starts them
	then    []litmus.Op   // of the main one, after that
}

// failIf panics unless the last value read is another one than v.
func failIf(v int) []litmus.Op {
	return []litmus.Op{litmus.Do(litmus.Unless, 0, v, 1), litmus.Do(litmus.Panic, 0, 0, 0)}
}

func ops(parts ...any) (out []litmus.Op) {
	for _, p := range parts {
		switch p := p.(type) {
		case litmus.Op:
			out = append(out, p)
		case []litmus.Op:
			out = append(out, p...)
		}
	}
	return out
}

// bugsOf has the bugs, with so many steps before, and between, what they need.
func bugsOf(loop int) []bug {
	r, w, p, l, u := litmus.R, litmus.W, litmus.P, litmus.L, litmus.U
	busy := litmustest.Loop(loop, l(9), u(9))
	skipUnless := func(v, n int) litmus.Op { return litmus.Do(litmus.Unless, 0, v, n) }
	return []bug{
		{"a read before the write", 1, [][]litmus.Op{ops(busy, w(0, 1)), ops(busy, busy, r(0), failIf(0))}, nil},
		{"a signal before the wait", 1, [][]litmus.Op{ops(busy, busy, litmus.Do(litmus.CondSignal, 0, 0, 0)), ops(busy, litmus.Do(litmus.CondWait, 0, 0, 0))}, nil},
		{"two locks in two orders", 2, [][]litmus.Op{ops(busy, l(0), l(1), u(1), u(0)), ops(busy, l(1), l(0), u(0), u(1))}, nil},
		{"a lost update", 2, [][]litmus.Op{ops(busy, r(0), p(0, 1), litmus.A(0, -1)), ops(busy, r(0), p(0, 1), litmus.A(0, -1))}, ops(litmus.Wait(0), r(0), failIf(1))},
		{"two reads that differ", 2, [][]litmus.Op{ops(busy, w(0, 1)), ops(busy, r(0), skipUnless(0, 3), r(0), failIf(1))}, nil},
		{"three locks in a cycle", 3, [][]litmus.Op{ops(busy, l(0), l(1), u(1), u(0)), ops(busy, l(1), l(2), u(2), u(1)), ops(busy, l(2), l(0), u(0), u(2))}, nil},
		{"three reads that differ", 4, [][]litmus.Op{ops(w(0, 1), busy, w(0, 2)), ops(busy, r(0), skipUnless(0, 6), r(0), skipUnless(1, 3), r(0), failIf(2))}, nil},
	}
}

// program adds goroutines that do something of their own.
func (b bug) program(idle, loop int) *litmus.Program {
	threads := append([][]litmus.Op{nil}, b.threads...)
	for i := range idle {
		threads = append(threads, litmustest.Loop(1+loop, litmus.L(20+i), litmus.U(20+i)))
	}
	if b.then != nil {
		threads[0] = append(threads[0], litmus.A(0, len(b.threads)))
	}
	for i := 1; i < len(threads); i++ {
		threads[0] = append(threads[0], litmus.Spawn(i))
	}
	threads[0] = append(threads[0], b.then...)
	return &litmus.Program{Threads: threads}
}

// fails reports whether an execution shows more than a race.
func fails(t *trace.Trace) bool {
	for _, f := range explore.Failures(t) {
		if f.Category != report.DataRace {
			return true
		}
	}
	return false
}

// soon says after how many executions an explorer meets a bug, and with how much work; 0 if it does not.
func soon(name string, p *litmus.Program) (executions int, work int64) {
	x, err := New(name)
	if err != nil {
		panic(err)
	}
	stop, met := new(explore.Stop), false
	lim := explore.Limits{Executions: 20_000, Events: 20_000_000, Work: explore.DefaultWork / 5, Stop: stop}
	r := x.Explore(watched{p, func(t *trace.Trace) {
		if fails(t) && !met {
			met = true
			stop.Ask()
		}
	}}, lim)
	if !met {
		return 0, 0
	}
	return r.Stats.Executions, r.Stats.Work
}

var table = flag.Bool("table", false, "TestDepths prints the table of docs/explorers.md, which takes ten minutes")

// TestDepths: delay bounding meets each bug, small and enlarged, with at most as many delays as it is deep.
func TestDepths(t *testing.T) {
	names := []string{"delay"}
	if *table {
		names = []string{"delay", "union", "systematic", "icb", "pct", "pos", "random"}
	}
	t.Logf("| bug | depth | idle goroutines | rounds | delays | %s |", strings.Join(names, " | "))
	for _, size := range []struct{ idle, loop int }{{0, 0}, {4, 2}, {8, 6}} {
		for _, b := range bugsOf(size.loop) {
			if !*table && size.idle > 0 && (b.depth > 2 || size.idle > 4) {
				continue
			}
			p := b.program(size.idle, size.loop)
			delays := delaysTo(p, b.depth)
			if delays < 0 {
				t.Errorf("%s, with %d idle goroutines and %d rounds: no schedule with %d delays shows it", b.name, size.idle, size.loop, b.depth)
			}
			if !*table {
				continue
			}
			row := fmt.Sprintf("| %s | %d | %d | %d | %d |", b.name, b.depth, size.idle, size.loop, delays)
			for _, name := range names {
				n, work := soon(name, p)
				if n == 0 {
					row += " none |"
					continue
				}
				row += fmt.Sprintf(" %d, %.2f |", n, float64(work)/1e6)
			}
			t.Log(row)
		}
	}
}
