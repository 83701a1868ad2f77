package sdg_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/sdg"
	"golang.org/x/tools/go/ssa"
)

func load(t testing.TB, path string) (*program.Program, []*ssa.Function) {
	t.Helper()
	cfg := program.Config{Tests: true}
	l, err := program.List(cfg, path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	var roots []*ssa.Function
	for _, q := range p.Init {
		q.SSA.Build()
		roots = append(roots, q.SSA.Func("init"))
	}
	for _, e := range p.Entries {
		roots = append(roots, e.Fn)
	}
	return p, roots
}

func TestX(t *testing.T) {
	for _, path := range []string{"fmt"} {
		p, roots := load(t, path)
		for _, mode := range []sdg.Mode{0, sdg.ImplicitExits} {
			runtime.GC()
			t0 := time.Now()
			s := sdg.NewSystem(sdg.Config{Roots: roots, Mode: mode, Body: func(fn *ssa.Function) *ssa.Function {
				if b, _ := p.Resolve(fn); b != nil {
					return b
				}
				return fn
			}})
			d := time.Since(t0)
			var ms runtime.MemStats
			runtime.ReadMemStats(&ms)
			fmt.Println(path, mode, len(s.Procedures), s.Len(), s.Edges(), d, ms.Sys>>20)
			t0 = time.Now()
			n, _ := s.Entry(s.Procedures[len(s.Procedures)/2].Func)
			fmt.Println(len(s.Backward(n)), time.Since(t0))
		}
	}
}
