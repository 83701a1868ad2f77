package causality

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/litmus"
	"github.com/heddle-go/heddle/mcrs/sched"
)

// TestHappensBefore asks two things of the default execution of small programs: whether the last operation of the
// second goroutine is after the first one of the first, and how many reversals the trace has.
func TestHappensBefore(t *testing.T) {
	l, u, w, r := litmus.L(0), litmus.U(0), litmus.W(0, 1), litmus.R(0)
	for _, test := range []struct {
		name      string
		threads   [2][]litmus.Op
		caps      []int
		ordered   bool
		reversals int
	}{
		{"a write and a read of it", [2][]litmus.Op{{w}, {r}}, nil, true, 1},
		{"two reads", [2][]litmus.Op{{r}, {r}}, nil, false, 0},
		{"accesses of two variables", [2][]litmus.Op{{w}, {litmus.R(1)}}, nil, false, 0},
		{"one lock", [2][]litmus.Op{{l, w, u}, {l, r, u}}, nil, true, 1},
		{"two locks", [2][]litmus.Op{{l, u}, {litmus.L(1), litmus.U(1)}}, nil, false, 0},
		{"an element of a channel", [2][]litmus.Op{{litmus.S(1, 1)}, {litmus.Rcv(1)}}, []int{0, 1}, true, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := &litmus.Program{Threads: [][]litmus.Op{{}, test.threads[0], test.threads[1]}, Caps: test.caps}
			rec := NewRecorder(sched.RunToBlock{})
			g := NewGraph(p.Run(rec, sched.Options{}), rec, false)
			first, last := threadAt(g, "G1.1"), threadAt(g, "G1.2")
			ops := int32(len(test.threads[1]))
			if got := g.Knows(last, ops, Ref{first, 0}); got != test.ordered {
				t.Errorf("ordered: %v, want %v", got, test.ordered)
			}
			found := reversals{}
			(&Reverser{Graph: g, Out: found}).Run()
			if n := found.count(); n != test.reversals {
				t.Errorf("%d reversals, want %d", n, test.reversals)
			}
		})
	}
}

func threadAt(g *Graph, id event.ThreadID) int32 {
	for i := range g.Trace.Threads {
		if g.Trace.Threads[i].ID == id {
			return int32(i)
		}
	}
	return -1
}

// reversals are the moves that a Reverser offers, each once.
type reversals map[uint64]bool

func (x reversals) Seen(fingerprint uint64) bool {
	seen, known := x[fingerprint]
	x[fingerprint] = seen
	return known
}

func (x reversals) Candidate(g *Graph, k Cut, m *Move) { x[g.fingerprint(k, m)] = true }
func (reversals) Race(*Graph, Cut, Ref, Ref)           {}
func (reversals) Spend(int) bool                       { return true }

func (x reversals) count() (n int) {
	for _, offered := range x {
		if offered {
			n++
		}
	}
	return n
}

// TestCausesAreASet: each event is a cause once, and no event is one of which the thread knows.
func TestCausesAreASet(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	twice, known := 0, 0
	for n := range uint64(20) {
		rec := NewRecorder(sched.NewRandom(sched.RandSeed(n)))
		g := NewGraph(litmus.Generate(n, litmus.Memory|litmus.Locks, 4, 12).Run(rec, sched.Options{}), rec, false)
		last := &g.Trace.Events[len(g.Trace.Events)-1]
		me := Ref{last.Thread, last.Seq}
		g.set++
		var got, want []Ref
		for range 40 {
			e := &g.Trace.Events[r.IntN(len(g.Trace.Events))]
			f := Ref{e.Thread, e.Seq}
			got = g.addDep(got, me, f)
			switch {
			case slices.Contains(want, f):
				twice++
			case f.Thread == me.Thread || g.Knows(me.Thread, me.Seq, f):
				known++
			default:
				want = append(want, f)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("program %d: causes %v, want %v", n, got, want)
		}
	}
	if twice == 0 || known == 0 {
		t.Errorf("%d events came twice, %d were known: the programs show nothing", twice, known)
	}
}

// TestNoSearchIsUnbounded: where a Wait may be enabled without some of the Adds, each set of them is a configuration of
// its own. Every one is paid for, so that a bound on the work ends the search.
func TestNoSearchIsUnbounded(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{}, {litmus.A(0, 1), litmus.Wait(0)}}}
	for range 16 {
		p.Threads = append(p.Threads, []litmus.Op{litmus.A(0, 1), litmus.A(0, -1)})
	}
	events := len(p.Run(NewRecorder(sched.RunToBlock{}), sched.Options{}).Events)
	rec := NewRecorder(sched.RunToBlock{})
	g := NewGraph(p.Run(rec, sched.Options{MaxEvents: events}), rec, false)
	for _, limit := range []int{100, 1000} {
		x := &bounded{reversals: reversals{}, left: limit}
		(&Reverser{Graph: g, Out: x}).Run()
		if len(x.reversals) > limit {
			t.Errorf("%d configurations were looked at, of which at most %d were paid for", len(x.reversals), limit)
		}
		if x.left > 0 {
			t.Fatalf("the program has too few configurations: %d were paid for, want %d", limit-x.left, limit)
		}
	}
}

// A bounded is a Sink that lets so many configurations be made.
type bounded struct {
	reversals
	left int
}

func (b *bounded) Spend(int) bool {
	b.left--
	return b.left > 0
}

// TestFrontsStaySmall: where somebody looks at the stacks of all, each step is one that may be seen. Of those of a
// thread the last one is enough, else each step would be compared with all before it. What comes after a cut is
// compared with the same ones.
func TestFrontsStaySmall(t *testing.T) {
	p := &litmus.Program{Threads: [][]litmus.Op{{}}}
	for v := range 3 {
		ops := slices.Repeat([]litmus.Op{litmus.R(v), litmus.W(v, 1)}, 20)
		p.Threads = append(p.Threads, ops)
	}
	rec := NewRecorder(sched.NewRandom(1))
	run := p.Run(rec, sched.Options{})
	looks := run.Events[len(run.Events)-20:]
	for i := range looks {
		if looks[i].Kind == event.Read {
			looks[i].Kind, looks[i].Key = event.Goroutines, 2
		}
	}
	g := NewGraph(run, rec, false)
	c := &g.Cells[g.Cell(CellKey{Space: spaceSteps})]
	if n, most := len(c.front), 2*len(run.Threads); n == 0 || n > most {
		t.Fatalf("%d steps of %d are compared with later ones, want at most %d", n, len(run.Events), most)
	}
	for _, cl := range []class{classSees, classSeen} {
		var want, got []Ref
		for _, o := range c.front {
			if cl.conflictsWith(o.class) {
				want = append(want, o.ref)
			}
		}
		g.frontAt(g.Full(), &Move{Past: make(Cut, len(g.Lines))}, c, cl, func(f Ref) { got = append(got, f) })
		slices.Reverse(got)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("after the cut of all: %v, want %v", got, want)
		}
	}
}
