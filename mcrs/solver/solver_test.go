package solver

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
)

// A formula is what the tests give to a Solver and to enumerate.
type formula struct {
	nodes   int
	bools   int
	edges   [][2]int
	atoms   [][2]int
	clauses [][]int // ±(1+i): i < bools is a boolean, then come atoms
}

// holds reports whether literal l holds under a bit set of booleans and positions of nodes.
func (f *formula) holds(l int, bits uint, pos []int) bool {
	i := max(l, -l) - 1
	v := false
	if i < f.bools {
		v = bits>>i&1 == 1
	} else {
		a := f.atoms[i-f.bools]
		v = pos[a[0]] < pos[a[1]]
	}
	return v == (l > 0)
}

func (f *formula) model(assume []int, bits uint, pos []int) bool {
	for _, e := range f.edges {
		if pos[e[0]] >= pos[e[1]] {
			return false
		}
	}
	for _, l := range assume {
		if !f.holds(l, bits, pos) {
			return false
		}
	}
	for _, c := range f.clauses {
		if !slices.ContainsFunc(c, func(l int) bool { return f.holds(l, bits, pos) }) {
			return false
		}
	}
	return true
}

// enumerate is the definition: some permutation and some booleans satisfy everything.
func (f *formula) enumerate(assume []int) bool {
	pos := make([]int, f.nodes)
	var rec func(n int, used uint) bool
	rec = func(n int, used uint) bool {
		if n == f.nodes {
			for bits := uint(0); bits < 1<<f.bools; bits++ {
				if f.model(assume, bits, pos) {
					return true
				}
			}
			return false
		}
		for p := range f.nodes {
			if used>>p&1 == 0 {
				pos[n] = p
				if rec(n+1, used|1<<p) {
					return true
				}
			}
		}
		return false
	}
	return rec(0, 0)
}

// An encoded formula, with the literal of each boolean and atom.
type encoded struct {
	s    *CDCL
	f    *formula
	lits []Lit
}

func encode(f *formula) *encoded {
	e := &encoded{s: New(), f: f}
	for range f.nodes {
		e.s.NewNode(0)
	}
	for range f.bools {
		e.lits = append(e.lits, e.s.NewVar())
	}
	for _, a := range f.atoms {
		e.lits = append(e.lits, e.s.Before(Node(a[0]), Node(a[1])))
	}
	return e
}

func (e *encoded) lit(l int) Lit {
	if l < 0 {
		return e.lits[-l-1].Not()
	}
	return e.lits[l-1]
}

func (e *encoded) all(ls []int) []Lit {
	var out []Lit
	for _, l := range ls {
		out = append(out, e.lit(l))
	}
	return out
}

// read returns the last model as enumerate has it.
func (e *encoded) read() (bits uint, pos []int) {
	for i := range e.f.bools {
		if e.s.Value(e.lits[i]) {
			bits |= 1 << i
		}
	}
	pos = make([]int, e.f.nodes)
	for i, n := range e.s.Order(nil) {
		pos[n] = i
	}
	return bits, pos
}

// check solves under assume and compares with enumerate; a core is enumerated again.
func (e *encoded) check(o Options, assume []int) error {
	st := e.s.Solve(o, e.all(assume)...)
	want := e.f.enumerate(assume)
	switch {
	case st == Unknown:
		return fmt.Errorf("unknown without a limit")
	case (st == Sat) != want:
		return fmt.Errorf("got %v, enumeration says %v", st, want)
	case st == Sat:
		bits, pos := e.read()
		if !e.f.model(assume, bits, pos) {
			return fmt.Errorf("the model does not satisfy the formula")
		}
		for i := range e.lits { // atoms and order must agree, asked for or not
			if e.s.Value(e.lits[i]) != e.f.holds(i+1, bits, pos) {
				return fmt.Errorf("literal %d differs from the order", i+1)
			}
		}
	default:
		var core []int
		for _, l := range e.s.Core() {
			i := slices.IndexFunc(assume, func(a int) bool { return e.lit(a) == l })
			if i < 0 {
				return fmt.Errorf("core literal %v was not assumed", l)
			}
			core = append(core, assume[i])
		}
		if e.f.enumerate(core) {
			return fmt.Errorf("the core %v is satisfiable", core)
		}
	}
	return nil
}

func randomLits(r *rand.Rand, f *formula, n int) []int {
	var out []int
	for range n {
		l := 1 + r.IntN(f.bools+len(f.atoms))
		if r.IntN(2) == 0 {
			l = -l
		}
		out = append(out, l)
	}
	return out
}

func randomFormula(r *rand.Rand) *formula {
	f := &formula{nodes: 3 + r.IntN(4), bools: r.IntN(5)}
	for range 2 + r.IntN(3*f.nodes) {
		f.atoms = append(f.atoms, [2]int{r.IntN(f.nodes), r.IntN(f.nodes)})
	}
	return f
}

var formulas = flag.Int("formulas", 6000, "number of random formulas that TestRandom compares with enumeration")

// holdsNow reports whether clause c holds in the last model, or, while Branch runs, in the search.
func (e *encoded) holdsNow(c []int) bool {
	return slices.ContainsFunc(c, func(l int) bool { return e.s.Value(e.lit(l)) })
}

// hooks returns options that show the solver the clauses of the formula from hidden on only when a model breaks them.
func (e *encoded) hooks(r *rand.Rand, hidden *int, branch bool) Options {
	many := r.IntN(2) == 0
	state := func() {
		for i := *hidden; i < len(e.f.clauses); i++ {
			if c := e.f.clauses[i]; !e.holdsNow(c) {
				e.s.AddClause(e.all(c)...)
				e.f.clauses[i], e.f.clauses[*hidden] = e.f.clauses[*hidden], c
				*hidden++
				if !many {
					return
				}
			}
		}
	}
	o := Options{Refine: state}
	if branch {
		o.Branch = func() Lit {
			before := *hidden
			if r.IntN(8) == 0 {
				if state(); many && *hidden > before {
					return 0 // asked again
				}
			}
			for _, c := range e.f.clauses[:*hidden] {
				if e.holdsNow(c) {
					continue
				}
				var open []Lit
				for _, l := range c {
					if !e.s.Known(e.lit(l)) {
						open = append(open, e.lit(l))
					}
				}
				if len(open) > 0 { // else it has just been stated, and is false
					return open[r.IntN(len(open))]
				}
			}
			state()
			return 0
		}
	}
	return o
}

// TestRandom lets random formulas grow, and asks after each step under random assumptions. The solver knows all
// clauses, or is shown the later ones when a model breaks them. It branches itself, or is told what to decide.
func TestRandom(t *testing.T) {
	rounds := *formulas
	if !long.On() {
		rounds /= 10
	}
	var n [3]int
	var work Stats
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		f := randomFormula(r)
		e := encode(f)
		e.s.maxLrn = 1 + r.IntN(4) // so that learnt clauses are dropped
		hidden := 0                // f.clauses[hidden:] are not shown to the solver
		for step := range 5 {
			lazy := r.IntN(3) == 0
			for range r.IntN(6) {
				c := randomLits(r, f, 1+r.IntN(2)+r.IntN(3))
				f.clauses = append(f.clauses, c)
				if !lazy {
					e.s.AddClause(e.all(c)...)
					last := len(f.clauses) - 1
					f.clauses[last], f.clauses[hidden] = f.clauses[hidden], c
					hidden++
				}
			}
			if r.IntN(6) == 0 {
				a, b := r.IntN(f.nodes), r.IntN(f.nodes)
				f.edges = append(f.edges, [2]int{a, b})
				e.s.AddEdge(Node(a), Node(b))
			}
			if step == 3 { // make the formula be tidied
				for range 40 {
					e.s.AddClause(e.s.NewVar())
				}
			}
			var o Options
			if r.IntN(3) > 0 || hidden < len(f.clauses) {
				o = e.hooks(r, &hidden, r.IntN(2) == 0)
			}
			o.Fresh = seed%2 == 0
			if err := e.check(o, randomLits(r, f, r.IntN(5))); err != nil {
				t.Fatalf("seed %d, step %d: %v\n%+v", seed, step, err, *f)
			}
			if len(e.s.Core()) > 0 {
				n[2]++
			} else if e.s.dead {
				n[1]++
			} else {
				n[0]++
			}
		}
		st := e.s.Stats()
		work.Conflicts += st.Conflicts
		work.Dropped += st.Dropped
		work.Reorders += st.Reorders
		work.Satisfied += st.Satisfied
		work.Refined += st.Refined
	}
	t.Logf("%d formulas: %d queries satisfiable, %d not, %d not under their assumptions; %d conflicts, %d learnt clauses dropped, %d satisfied, %d reorders, %d models refused",
		rounds, n[0], n[1], n[2], work.Conflicts, work.Dropped, work.Satisfied, work.Reorders, work.Refined)
}

// TestRandomLarger has fewer formulas, large enough to make the solver learn, forget and restart.
func TestRandomLarger(t *testing.T) {
	rounds := 300
	if !long.On() {
		rounds = 30
	}
	var work Stats
	sat := 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 4))
		f := &formula{nodes: 7, bools: 3 + r.IntN(3)}
		for a := range f.nodes {
			for b := range a {
				f.atoms = append(f.atoms, [2]int{a, b})
			}
		}
		e := encode(f)
		e.s.maxLrn = 5
		for range 50 + r.IntN(35) {
			c := randomLits(r, f, 3)
			f.clauses = append(f.clauses, c)
			e.s.AddClause(e.all(c)...)
		}
		for range 3 {
			if err := e.check(Options{}, randomLits(r, f, r.IntN(4))); err != nil {
				t.Fatalf("seed %d: %v\n%+v", seed, err, *f)
			}
		}
		if e.s.Solve(Options{}) == Sat {
			sat++
		}
		st := e.s.Stats()
		work.Conflicts += st.Conflicts
		work.Dropped += st.Dropped
		work.Restarts += st.Restarts
	}
	t.Logf("%d of %d satisfiable; %d conflicts, %d learnt clauses dropped, %d restarts", sat, rounds, work.Conflicts, work.Dropped, work.Restarts)
}

// exclusive demands that n critical sections, of a begin and an end each, do not
// overlap, and that together they begin before any ends: unsatisfiable, and each pair is needed.
func exclusive(n int) (s *CDCL, overlap Lit) {
	s = New()
	var b, e []Node
	for range n {
		b, e = append(b, s.NewNode(0)), append(e, s.NewNode(0))
		s.AddEdge(b[len(b)-1], e[len(e)-1])
	}
	overlap = s.NewVar()
	some := []Lit{overlap.Not()}
	for i := range n {
		for j := range i {
			s.AddClause(s.Before(e[i], b[j]), s.Before(e[j], b[i]))
			both := s.NewVar()
			s.AddClause(both.Not(), s.Before(b[i], e[j]))
			s.AddClause(both.Not(), s.Before(b[j], e[i]))
			some = append(some, both)
		}
	}
	s.AddClause(some...)
	return s, overlap
}

// slots asks for n nodes in n-1 slots between fixed posts, one in each: a pigeonhole problem.
func slots(n, holes int) *CDCL {
	s := New()
	var post, node []Node
	for i := range holes + 1 {
		post = append(post, s.NewNode(0))
		if i > 0 {
			s.AddEdge(post[i-1], post[i])
		}
	}
	var in [][]Lit
	for range n {
		x := s.NewNode(0)
		node = append(node, x)
		s.AddEdge(post[0], x)
		s.AddEdge(x, post[holes])
		var row []Lit
		for h := range holes {
			l := s.NewVar() // if x stands between posts h and h+1
			s.AddClause(l, s.Before(x, post[h]), s.Before(post[h+1], x))
			row = append(row, l)
		}
		for _, other := range in {
			for h := range holes {
				s.AddClause(row[h].Not(), other[h].Not())
			}
		}
		in = append(in, row)
	}
	return s
}

func TestExclusive(t *testing.T) {
	s, overlap := exclusive(12)
	if st := s.Solve(Options{}); st != Sat {
		t.Fatalf("without overlap: %v", st)
	}
	if st := s.Solve(Options{}, overlap); st != Unsat || !slices.Equal(s.Core(), []Lit{overlap}) {
		t.Fatalf("with overlap: %v, core %v", st, s.Core())
	}
	if st := s.Solve(Options{}); st != Sat {
		t.Fatalf("afterwards: %v", st)
	}
}

func TestSlots(t *testing.T) {
	if st := slots(6, 6).Solve(Options{}); st != Sat {
		t.Errorf("6 in 6: %v", st)
	}
	if st := slots(6, 5).Solve(Options{}); st != Unsat {
		t.Errorf("6 in 5: %v", st)
	}
}

// TestSolverGoesOnAfterALimit: a limit that strikes leaves the solver able to go on.
func TestSolverGoesOnAfterALimit(t *testing.T) {
	s := slots(6, 5)
	tries := 1
	for s.Solve(Options{Limit: 50}) == Unknown {
		tries++
		if tries > 1000 {
			t.Fatal("no end")
		}
	}
	if tries < 3 {
		t.Errorf("%d tries of 50 conflicts each; the limit seems not to strike", tries)
	}
	if st := s.Solve(Options{}); st != Unsat {
		t.Errorf("afterwards: %v", st)
	}
}

// TestOrderHasTheNodesWhoseLiteralIsTrue: Order lists a node if its literal is true, and the first order is that of
// creation.
func TestOrderHasTheNodesWhoseLiteralIsTrue(t *testing.T) {
	s := New()
	in := s.NewVar()
	a, b, c := s.NewNode(0), s.NewNode(in), s.NewNode(0)
	if s.Solve(Options{}); !slices.Equal(s.Order(nil), []Node{a, c}) {
		t.Errorf("b left out: %v", s.Order(nil))
	}
	if s.Solve(Options{}, in, s.Before(c, b)); !slices.Equal(s.Order(nil), []Node{a, c, b}) {
		t.Errorf("b last: %v", s.Order(nil))
	}
	if l := s.Before(a, a); s.Solve(Options{}, l) != Unsat || !slices.Equal(s.Core(), []Lit{l}) {
		t.Errorf("a before itself: core %v", s.Core())
	}
}

// TestSearchBeginsWithTheOrderAskedFor: a search begins with the order of creation if it is asked to and may, else with
// the one before.
func TestSearchBeginsWithTheOrderAskedFor(t *testing.T) {
	s := New()
	a, b, c := s.NewNode(0), s.NewNode(0), s.NewNode(0)
	s.Solve(Options{}, s.Before(c, a))
	left := s.Order(nil)
	if s.Solve(Options{}); slices.Equal(left, []Node{a, b, c}) || !slices.Equal(s.Order(nil), left) {
		t.Errorf("left: %v, then %v", left, s.Order(nil))
	}
	if s.Solve(Options{Fresh: true}); !slices.Equal(s.Order(nil), []Node{a, b, c}) {
		t.Errorf("fresh: %v", s.Order(nil))
	}
	s.AddClause(s.Before(c, b))
	if st := s.Solve(Options{Fresh: true}, s.Before(b, a)); st != Sat || !slices.Equal(s.Order(nil), []Node{c, b, a}) {
		t.Errorf("a fact forbids that order: %v, %v", st, s.Order(nil))
	}
}

// TestDeterministic: the same calls do the same work.
func TestDeterministic(t *testing.T) {
	run := func() string {
		s := slots(6, 5)
		s.Solve(Options{Limit: 200})
		u := slots(7, 7)
		u.Solve(Options{})
		return fmt.Sprint(s.Stats(), u.Stats(), u.Order(nil))
	}
	if a, b := run(), run(); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
}

func TestLuby(t *testing.T) {
	want := []int{1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8}
	for i, w := range want {
		if g := luby(i + 1); g != w {
			t.Errorf("luby(%d) = %d, want %d", i+1, g, w)
		}
	}
}
