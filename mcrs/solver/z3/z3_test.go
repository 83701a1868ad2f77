package z3

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/solver"
)

func newOrSkip(t testing.TB) *Solver {
	s, err := New()
	if err != nil {
		t.Skip("NOT COMPARED WITH Z3: ", err)
	}
	return s
}

// TestAbsentLibraryIsOneLine: a library that is not there is one line that says what to do.
func TestAbsentLibraryIsOneLine(t *testing.T) {
	_, err := open([]string{"libz3-is-not-there.so"})
	if err == nil {
		t.Fatal("opened what is not there")
	}
	if m := err.Error(); strings.Contains(m, "\n") || !strings.Contains(m, "libz3-is-not-there.so") || !strings.Contains(m, "install") {
		t.Errorf("message: %q", m)
	}
}

// TestSecondOpinion gives growing random formulas to Z3 and to the built-in solver. They must agree in verdicts, and
// about cores and models.
func TestSecondOpinion(t *testing.T) {
	rounds := 60
	if !long.On() {
		rounds = 10
	}
	var n [3]int
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		ours, z := solver.New(), newOrSkip(t)
		nodes := 3 + r.IntN(8)
		for range nodes {
			ours.NewNode(0)
			z.NewNode(0)
		}
		var ls, zs []solver.Lit
		for range 1 + r.IntN(6) {
			ls, zs = append(ls, ours.NewVar()), append(zs, z.NewVar())
		}
		for range 2 * nodes {
			a, b := solver.Node(r.IntN(nodes)), solver.Node(r.IntN(nodes))
			ls, zs = append(ls, ours.Before(a, b)), append(zs, z.Before(a, b))
		}
		choose := func(k int) (mine, its []solver.Lit) {
			for range k {
				i := r.IntN(len(ls))
				m, s := ls[i], zs[i]
				if r.IntN(2) == 0 {
					m, s = m.Not(), s.Not()
				}
				mine, its = append(mine, m), append(its, s)
			}
			return
		}
		var clauses, hidden [][]solver.Lit // of Z3
		for range 4 {
			for range r.IntN(8) {
				mine, its := choose(1 + r.IntN(3))
				ours.AddClause(mine...)
				if r.IntN(3) == 0 {
					hidden = append(hidden, its)
				} else {
					z.AddClause(its...)
				}
				clauses = append(clauses, its)
			}
			if r.IntN(5) == 0 {
				a, b := solver.Node(r.IntN(nodes)), solver.Node(r.IntN(nodes))
				ours.AddEdge(a, b)
				z.AddEdge(a, b)
			}
			holds := func(c []solver.Lit) bool { return slices.ContainsFunc(c, z.Value) }
			refine := func() {
				hidden = slices.DeleteFunc(hidden, func(c []solver.Lit) bool {
					if holds(c) {
						return false
					}
					z.AddClause(c...)
					return true
				})
			}
			mine, its := choose(r.IntN(4))
			want, got := ours.Solve(solver.Options{}, mine...), z.Solve(solver.Options{Refine: refine}, its...)
			if want != got {
				t.Fatalf("seed %d: Z3 says %v, the built-in solver %v", seed, got, want)
			}
			n[got]++
			if got == solver.Sat {
				for _, c := range clauses {
					if !holds(c) {
						t.Fatalf("seed %d: Z3's model breaks a clause", seed)
					}
				}
				at := make([]int, nodes)
				for i, x := range z.Order(nil) {
					at[x] = i
				}
				for k, l := range z.atoms {
					if k[0] != k[1] && z.Value(l) != (at[k[0]] < at[k[1]]) {
						t.Fatalf("seed %d: Z3's order and atoms disagree", seed)
					}
				}
				continue
			}
			var core []solver.Lit // Z3's must be one for us, too
			for _, l := range z.Core() {
				core = append(core, mine[slices.Index(its, l)])
			}
			if ours.Solve(solver.Options{}, core...) != solver.Unsat {
				t.Fatalf("seed %d: the core %v is satisfiable", seed, core)
			}
		}
	}
	t.Logf("%d satisfiable, %d not", n[solver.Sat], n[solver.Unsat])
}

func TestEval(t *testing.T) {
	newOrSkip(t)
	out, err := Eval("(declare-const x Int)(assert (< x x))(check-sat)")
	if err != nil || strings.TrimSpace(out) != "unsat" {
		t.Errorf("got %q, %v", out, err)
	}
}
