package code

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// host is a Host that notes what it is asked for.
type host struct {
	c    *Compiler
	rare []string
}

func (h *host) Start()                                               {}
func (h *host) Rare(in ssa.Instruction)                              { h.rare = append(h.rare, fmt.Sprintf("%T", in)) }
func (h *host) Builtin(n string, _ []Operand, _ int32, _ types.Type) { h.rare = append(h.rare, n) }
func (h *host) Lacks(what string)                                    { h.rare = append(h.rare, what) }
func (h *host) Accessed(ssa.Value)                                   {}
func (h *host) One(in ssa.Instruction)                               { h.c.Instr(in) }
func (h *host) Join(*ssa.BasicBlock)                                 {}
func (h *host) Branch(*ssa.If)                                       {}
func (h *host) Phis(*ssa.BasicBlock, int)                            {}

// compile compiles function F of a package.
func compile(t *testing.T, src string) (*ssa.Function, *Code, *host) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	fn, f, h, ls := pkg.Func("F"), &Code{RecoverPC: -1}, &host{}, layout.New("amd64")
	f.Sign(ls, fn)
	h.c = New(h, ls, fn, f)
	if !h.c.Compile() {
		t.Fatal("the frame is too large")
	}
	return fn, f, h
}

// TestLoopIsThreeInstructions shows that an addition in a loop is three instructions: the addition, the counter, and a
// fused test at the end.
func TestLoopIsThreeInstructions(t *testing.T) {
	_, f, h := compile(t, "func F(a, b int) int { s := 0; for i := a; i < b; i++ { s += i }; return s }")
	var ops []Op
	for _, in := range f.Instrs {
		ops = append(ops, in.Op)
	}
	last := slices.Index(ops, OpRet) - 2 // behind the loop come the result's move and the return
	if want := []Op{OpAdd, OpAddI, OpJLtS}; len(h.rare) > 0 || last < 2 || !slices.Equal(ops[last-2:last+1], want) {
		t.Errorf("the code is %v, with %v for the machine; want %v at the loop's end", f.Instrs, h.rare, want)
	}
	if back := f.Instrs[last]; last >= 2 && back.A != int32(last-2) {
		t.Errorf("the loop goes back to %d, want %d", back.A, last-2)
	}
}

// TestOnlyTheRareIsLeftToTheMachine shows that what only computes is not left to the machine, and that what allocates,
// or may panic in ways of its own, is.
func TestOnlyTheRareIsLeftToTheMachine(t *testing.T) {
	for _, tt := range []struct {
		src  string
		rare []string
		pure int
	}{
		{"func F(x, y float32, z complex128) float64 { return float64(x*y) + real(-z) }", []string{"real"}, 3},
		{"func F(s string, i int) (byte, string) { return s[i], s + s }", []string{"*ssa.BinOp"}, 0},
		{"func F(p *[4]int, i int, xs []int) int { return p[i] + xs[i] }", nil, 0},
		{"func F(c chan int, m map[int]int) int { return m[<-c] }", []string{"*ssa.UnOp", "*ssa.Lookup"}, 0},
		{"func F(p *[1 << 40]int8, i int) int8 { return p[i] }", []string{"*ssa.IndexAddr"}, 0},
	} {
		_, f, h := compile(t, tt.src)
		if !slices.Equal(h.rare, tt.rare) || len(f.Pure) != tt.pure {
			t.Errorf("%s: the machine is asked for %v, and %d instructions are pure; want %v and %d", tt.src, h.rare, len(f.Pure), tt.rare, tt.pure)
		}
	}
}

// TestLiveness asks which parameters can still be read after a call: b, and a no more.
func TestLiveness(t *testing.T) {
	fn, f, _ := compile(t, "func F(a, b int) int { g(a); return b }\nfunc g(int)")
	l := NewLiveness(layout.New("amd64"), fn, f)
	i := slices.IndexFunc(fn.Blocks[0].Instrs, func(in ssa.Instruction) bool { _, ok := in.(*ssa.Call); return ok })
	call := fn.Blocks[0].Instrs[i]
	dead := func(p Point, v ssa.Value) bool { return l.DeadAt(p).Has(int(f.Regs[v] / 8)) }
	if dead(Point{In: call}, fn.Params[0]) || !dead(Point{In: call, After: true}, fn.Params[0]) || dead(Point{In: call, After: true}, fn.Params[1]) {
		t.Errorf("before the call %v, after it %v", l.DeadAt(Point{In: call}), l.DeadAt(Point{In: call, After: true}))
	}
}

// TestLivenessOfLongBlocks compares what is looked up from marks, and kept, with what is alive by the equations. It
// does so at every point of blocks longer than the distance of two marks, and for the first ones again at the end.
func TestLivenessOfLongBlocks(t *testing.T) {
	src := strings.Builder{}
	src.WriteString("func F(a, b int) (s int) {\n")
	for i := range 150 {
		fmt.Fprintf(&src, "x%d := a * %d; g(x%d)\n", i, i+2, i/2)
	}
	src.WriteString("if b > x7 { a = x149 }\nfor i := range b {\n")
	for i := range 150 {
		fmt.Fprintf(&src, "s += i * x%d\n", i)
	}
	fn, f, _ := compile(t, src.String()+"}\nreturn s + a }\nfunc g(int)")
	l := NewLiveness(layout.New("amd64"), fn, f)
	checked, dead := 0, 0
	for _, b := range append(slices.Clone(fn.Blocks), fn.Blocks[0]) {
		for i, in := range b.Instrs {
			d := l.DeadAt(Point{In: in})
			alive := make(map[int32]bool)
			at := l.at(b, i)
			for v, n := range l.numbers {
				if at.Has(n) || l.rescue.Has(n) {
					alive[f.Regs[v]/8] = true
				}
			}
			for v := range l.numbers {
				w := f.Regs[v] / 8
				if checked++; d.Has(int(w)) == alive[w] {
					t.Fatalf("%v: word %d is dead: %v; alive: %v", in, w, d.Has(int(w)), alive[w])
				}
				if d.Has(int(w)) {
					dead++
				}
			}
		}
	}
	if checked < 50_000 || dead == 0 || dead == checked {
		t.Errorf("%d words of %d are dead", dead, checked)
	}
}
