package sdg

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/analysistest/long"
)

// This file tests slices against what they mean: random functions with one
// return are executed, and a parameter outside the slice of the return must not change its value.

// A writer writes a random function of the parameters a, b, c, d, which are assigned to as well.
type writer struct {
	r     *rand.Rand
	b     strings.Builder
	loops int // depth
	fresh int
}

func (w *writer) name() string { return string("abcd"[w.r.IntN(4)]) }

func (w *writer) cond() string {
	return fmt.Sprintf("%s %s %d", w.name(), []string{"<", "==", ">"}[w.r.IntN(3)], w.r.IntN(4))
}

func (w *writer) block(size int) {
	for range 1 + w.r.IntN(3) {
		switch k := w.r.IntN(8); {
		case k < 3 || size == 0:
			if w.r.IntN(4) == 0 {
				fmt.Fprintf(&w.b, "%s = %d\n", w.name(), w.r.IntN(4))
			} else {
				fmt.Fprintf(&w.b, "%s = %s %s %s\n", w.name(), w.name(), []string{"+", "-"}[w.r.IntN(2)], w.name())
			}
		case k < 6:
			fmt.Fprintf(&w.b, "if %s {\n", w.cond())
			w.block(size - 1)
			if w.r.IntN(2) == 0 {
				fmt.Fprintf(&w.b, "} else {\n")
				w.block(size - 1)
			}
			fmt.Fprintf(&w.b, "}\n")
		case k == 6:
			w.fresh++
			fmt.Fprintf(&w.b, "for i%d := 0; i%d < %d || %s; i%[1]d++ {\n", w.fresh, w.fresh, w.r.IntN(2), w.cond())
			w.loops++
			w.block(size - 1)
			w.loops--
			fmt.Fprintf(&w.b, "}\n")
		case w.loops > 0:
			fmt.Fprintf(&w.b, "if %s {\n%s\n}\n", w.cond(), []string{"break", "continue"}[w.r.IntN(2)])
		}
	}
}

// run executes fn and returns its result; false if it takes too long.
func run(fn *ssa.Function, args []int64) (int64, bool) {
	env := map[ssa.Value]int64{}
	for i, p := range fn.Params {
		env[p] = args[i]
	}
	get := func(v ssa.Value) int64 {
		if c, ok := v.(*ssa.Const); ok {
			if c.Value.Kind() == constant.Bool {
				return b2i(constant.BoolVal(c.Value))
			}
			return c.Int64()
		}
		return env[v]
	}
	from, at := -1, fn.Blocks[0]
	for range 500 {
		phis := map[ssa.Value]int64{} // all are read before any is written
		next := at
		for _, instr := range at.Instrs {
			switch x := instr.(type) {
			case *ssa.Phi:
				phis[x] = get(x.Edges[slices.IndexFunc(at.Preds, func(b *ssa.BasicBlock) bool { return b.Index == from })])
				continue
			}
			for v, n := range phis {
				env[v] = n
			}
			switch x := instr.(type) {
			case *ssa.BinOp:
				env[x] = binary(x.Op, get(x.X), get(x.Y))
			case *ssa.If:
				next = at.Succs[1-get(x.Cond)]
			case *ssa.Jump:
				next = at.Succs[0]
			case *ssa.Return:
				return get(x.Results[0]), true
			default:
				panic(fmt.Sprintf("no semantics for %T", instr))
			}
		}
		from, at = at.Index, next
	}
	return 0, false
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func binary(op token.Token, x, y int64) int64 {
	switch op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.LSS:
		return b2i(x < y)
	case token.GTR:
		return b2i(x > y)
	case token.EQL:
		return b2i(x == y)
	}
	panic("no semantics for " + op.String())
}

// TestInterference: with one return, data and gates alone determine the value that
// is returned, if the function ends.
func TestInterference(t *testing.T) {
	rounds := 1500
	if !long.On() {
		rounds = 150
	}
	outside, runs, needed := 0, 0, 0
	for seed := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), 5))
		w := &writer{r: r}
		w.block(3)
		src := "package p\nfunc f(a, b, c, d int) int {\n" + w.b.String() + "return " + w.name() + "\n}\n"
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "p.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		fn := build(t, fset, "p", []*ast.File{file}, nil, 0).Func("f")
		p := New(fn, 0)
		if err := p.Sanity(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var ret NodeID
		for id, n := range p.Nodes {
			if _, ok := n.Instr.(*ssa.Return); ok {
				ret = NodeID(id)
			}
		}
		with, without := p.Backward(Data|Gate, ret), p.Backward(Data, ret)
		for i := range fn.Params {
			param, _ := p.Node(fn.Params[i])
			inside := slices.Contains(with, param)
			if !inside {
				outside++
			}
			for range 20 {
				args := make([]int64, 4)
				for k := range args {
					args[k] = int64(r.IntN(6)) - 1
				}
				x, ok1 := run(fn, args)
				args[i] = int64(r.IntN(6)) - 1
				y, ok2 := run(fn, args)
				if !ok1 || !ok2 {
					continue
				}
				runs++
				if x == y {
					continue
				}
				if !inside {
					t.Fatalf("seed %d: %s changes the result, but is not in its slice:\n%s", seed, fn.Params[i].Name(), src)
				}
				if !slices.Contains(without, param) {
					needed++
				}
			}
		}
	}
	t.Logf("%d functions, %d parameters outside the slice, %d pairs of runs; in %d of them only a gate tells the dependence", rounds, outside, runs, needed)
}
