package sdg

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/analysistest/long"
)

// This file tests systems of random programs. It compares slices with a walk that keeps the whole stack of calls, and
// with what the compiled program does.

// A programWriter writes random programs of several functions; f0 is the one that is asked about.
type programWriter struct {
	r     *rand.Rand
	b     strings.Builder
	name  string // prefix of all names
	funcs int
	level int // number of the function at hand; it calls those of larger ones
	fresh int
	depth int // of loops
}

const declarations = `
type T struct{ x, y int }

func (t T) get(a int) int   { return t.x + a }
func (t *T) put(a int) int  { t.x = a; return t.y }

type U int

func (u U) get(a int) int { return int(u) }

type I interface{ get(int) int }
`

func (w *programWriter) v() string { return string("abcd"[w.r.IntN(4)]) }
func (w *programWriter) g() string { return w.name + "g" + strconv.Itoa(w.r.IntN(2)) }
func (w *programWriter) pr(format string, args ...any) {
	fmt.Fprintf(&w.b, format+"\n", args...)
}

func (w *programWriter) tmp() string {
	w.fresh++
	return "t" + strconv.Itoa(w.fresh)
}

func (w *programWriter) cond() string {
	return fmt.Sprintf("%s %s %d", w.v(), []string{"<", "==", ">"}[w.r.IntN(3)], w.r.IntN(4))
}

func (w *programWriter) callee() string {
	return w.name + "f" + strconv.Itoa(w.level+1+w.r.IntN(w.funcs-w.level-1))
}

func (w *programWriter) block(size int) {
	for range 1 + w.r.IntN(3) {
		w.statement(size)
	}
}

func (w *programWriter) statement(size int) {
	calls := w.level+1 < w.funcs
	x, y, z := w.v(), w.v(), w.v()
	switch k := w.r.IntN(20); {
	case k < 2 || size == 0:
		w.pr("%s = %s + %s", x, y, z)
	case k == 2:
		w.pr("%s = %d", x, w.r.IntN(4))
	case k < 6:
		w.pr("if %s {", w.cond())
		w.block(size - 1)
		if w.r.IntN(2) == 0 {
			w.pr("} else {")
			w.block(size - 1)
		}
		w.pr("}")
	case k == 6 && w.depth < 2:
		i := w.tmp()
		w.pr("for %s := range 2 {\n%s += %s", i, x, i)
		w.depth++
		w.block(size - 1)
		w.depth--
		w.pr("}")
	case k < 10 && calls:
		w.pr("%s, %s = %s(%s, %s, %s, %s)", x, map[bool]string{true: "_", false: z}[x == z], w.callee(), w.v(), w.v(), w.v(), w.v())
	case k == 10:
		h := w.tmp()
		w.pr("%s := func(e int) int {\n%s += e\nif e > 1 { return %s }\nreturn %s\n}", h, x, y, z)
		w.pr("%s = %s(%s)", w.v(), h, w.v())
	case k == 11:
		p := w.tmp()
		w.pr("%s := &%s", p, x)
		w.pr("if %s { %s = &%s }", w.cond(), p, y)
		w.pr("*%s = %s", p, z)
	case k == 12:
		t := w.tmp()
		w.pr("%s := T{%s, %s}\n%s.x = %s\n%s = %s.%s", t, x, y, t, z, w.v(), t, []string{"x", "y"}[w.r.IntN(2)])
		if w.r.IntN(2) == 0 {
			w.pr("%s = %s.put(%s)\n%s = %s.x", w.v(), t, w.v(), w.v(), t)
		}
	case k == 13:
		s := w.tmp()
		w.pr("%s := []int{%s, %s}\n%s[%s&1] = %s\n%s = append(%s, %s)\n%s = %s[%d]", s, x, y, s, w.v(), z, s, s, w.v(), w.v(), s, w.r.IntN(3))
	case k == 14:
		m := w.tmp()
		w.pr("%s := map[int]int{%s: %s}\n%s[%s] = %s\n%s = %s[%s] + len(%s)", m, x, y, m, w.v(), z, w.v(), m, w.v(), m)
	case k == 15:
		i := w.tmp()
		w.pr("var %s I = T{%s, %s}\nif %s { %s = U(%s) }\n%s = %s.get(%s)", i, x, y, w.cond(), i, z, w.v(), i, w.v())
	case k == 16:
		w.pr("%s = %s", w.g(), x)
	case k == 17:
		w.pr("%s = %s", x, w.g())
	case k == 18 && w.depth == 0:
		w.pr("defer func() { %s = %s; %s = %s }()", x, y, w.g(), z)
	case k == 19:
		w.pr("if %s { return %s, %s }", w.cond(), x, y)
	default:
		w.pr("%s -= %s", x, y)
	}
}

func (w *programWriter) program() string {
	w.pr("var %sg0, %[1]sg1 int", w.name)
	for w.level = range w.funcs {
		w.pr("func %sf%d(a, b, c, d int) (int, int) {", w.name, w.level)
		if w.level == 0 {
			w.pr("%sg0, %[1]sg1 = 0, 0", w.name)
		}
		w.block(3)
		w.pr("return %s, %s\n}", w.v(), w.v())
	}
	return w.b.String()
}

func randomProgram(name string, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	return (&programWriter{r: r, name: name, funcs: 2 + r.IntN(3)}).program()
}

func buildSource(t *testing.T, src string) *ssa.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package main\n"+declarations+src, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return build(t, fset, "main", []*ast.File{file}, nil, 0)
}

// stackSlice is the definition of a context-sensitive slice: a walk backwards that keeps the calls it went into through
// their ends, and leaves each through the same call. It uses no summary edges. Programs without recursion have finitely
// many stacks.
func stackSlice(s *System, from NodeID, value bool) []NodeID {
	type at struct {
		node  NodeID
		value bool
		stack string
	}
	callOf := func(n NodeID) map[int]bool { // the calls that n stands for, by number of their instruction
		out := map[int]bool{}
		for i := range s.sites {
			if st := &s.sites[i]; st.call == n || slices.Contains(st.args, n) || slices.Contains(st.outs, n) {
				out[slices.IndexFunc(s.sites, func(o site) bool { return o.instr == st.instr })] = true
			}
		}
		return out
	}
	start := at{from, value, ""}
	seen := map[at]bool{start: true}
	for work := []at{start}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		visit := func(y at) {
			if !seen[y] {
				seen[y] = true
				work = append(work, y)
			}
		}
		for _, e := range s.In(x.node) {
			switch e.Kind {
			case Data, Gate:
				visit(at{e.From, x.value, x.stack})
			case Control:
				if !x.value {
					visit(at{e.From, false, x.stack})
				}
			case ParamOut:
				for c := range callOf(e.To) {
					visit(at{e.From, x.value, x.stack + string(rune(c))})
				}
			case ParamIn, Call:
				if e.Kind == Call && x.value {
					continue
				}
				if x.stack == "" {
					visit(at{e.From, x.value, ""})
					continue
				}
				runes := []rune(x.stack)
				if top := runes[len(runes)-1]; callOf(e.From)[int(top)] {
					visit(at{e.From, x.value, string(runes[:len(runes)-1])})
				}
			case Memory:
				visit(at{e.From, false, ""})
			}
		}
	}
	set := map[NodeID]bool{}
	for x := range seen {
		set[x.node] = true
	}
	out := make([]NodeID, 0, len(set))
	for n := range set {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// TestSlicesAgainstStacksOfCalls: the slices over summary edges are those of the definition.
func TestSlicesAgainstStacksOfCalls(t *testing.T) {
	rounds := 60
	if !long.On() {
		rounds = 12
	}
	nodes := 0
	for seed := range rounds {
		src := randomProgram("p", uint64(seed))
		pkg := buildSource(t, src)
		for _, mode := range []Mode{0, ImplicitExits} {
			s := NewSystem(Config{Roots: []*ssa.Function{pkg.Func("init"), pkg.Func("pf0")}, Mode: mode})
			if err := s.Sanity(); err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, src)
			}
			r := rand.New(rand.NewPCG(uint64(seed), 3))
			for range 12 {
				n := NodeID(r.IntN(s.Len()))
				for _, value := range []bool{false, true} {
					got := s.Backward(n)
					if value {
						got = s.BackwardValue(n)
					}
					if want := stackSlice(s, n, value); !slices.Equal(got, want) {
						t.Fatalf("seed %d, mode %d, node %s, value only %v:\ngot  %v\nwant %v\n%s", seed, mode, s.Label(n), value, got, want, src)
					}
					nodes += len(got)
				}
			}
		}
	}
	t.Logf("%d programs, %d nodes in slices", rounds, nodes)
}

// TestForwardIsTheConverseOfBackward: m is in the forward slice of n just if n is in the backward slice of m.
func TestForwardIsTheConverseOfBackward(t *testing.T) {
	for seed := range 10 {
		pkg := buildSource(t, randomProgram("p", uint64(seed)))
		s := NewSystem(Config{Roots: []*ssa.Function{pkg.Func("pf0")}})
		var back [][]NodeID
		for m := range s.Len() {
			back = append(back, s.Backward(NodeID(m)))
		}
		for n := range s.Len() {
			forward := s.Forward(NodeID(n))
			for m := range s.Len() {
				if got, want := Contains(forward, NodeID(m)), Contains(back[m], NodeID(n)); got != want {
					t.Fatalf("seed %d: %s forward to %s: %v; backward: %v", seed, s.Label(NodeID(n)), s.Label(NodeID(m)), got, want)
				}
			}
		}
	}
}

// TestSystemInterference: what is not in the slice of a result does not change it, in the compiled program.
func TestSystemInterference(t *testing.T) {
	programs, inputs := 300, 10
	if !long.On() {
		programs = 40
	}
	var all, driver strings.Builder
	all.WriteString("package main\n" + declarations)
	for p := range programs {
		all.WriteString(randomProgram(fmt.Sprintf("p%d", p), uint64(p)))
		fmt.Fprintf(&driver, "p%df0,", p)
	}
	fmt.Fprintf(&all, `
func main() {
	in := int64(1)
	for _, f := range []func(a, b, c, d int) (int, int){%s} {
		for range %d {
			var x [5]int
			for i := range x {
				in = (in*6364136223846793005 + 1442695040888963407) & (1<<62 - 1)
				x[i] = int(in>>33)%%5 - 1
			}
			println(f(x[0], x[1], x[2], x[3]))
			println(f(x[4], x[1], x[2], x[3]))
			println(f(x[0], x[4], x[2], x[3]))
			println(f(x[0], x[1], x[4], x[3]))
			println(f(x[0], x[1], x[2], x[4]))
		}
	}
}
`, driver.String(), inputs)
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(all.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", file)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %.2000s", err, text)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != programs*inputs*5 {
		t.Fatalf("%d lines", len(lines))
	}
	outside, changes := 0, 0
	for p := range programs {
		name := fmt.Sprintf("p%d", p)
		src := randomProgram(name, uint64(p))
		pkg := buildSource(t, src)
		fn := pkg.Func(name + "f0")
		s := NewSystem(Config{Roots: []*ssa.Function{fn}})
		for result, node := range s.Outcomes(fn)[:2] {
			slice := s.BackwardValue(node)
			for i, param := range fn.Params {
				n, _ := s.Node(param)
				inside := Contains(slice, n)
				if !inside {
					outside++
				}
				for k := range inputs {
					at := lines[(p*inputs+k)*5:]
					before, after := strings.Fields(at[0])[result], strings.Fields(at[1+i])[result]
					if before == after {
						continue
					}
					changes++
					if !inside {
						t.Fatalf("program %d: %s changes result %d from %s to %s, but is not in its slice:\n%s", p, param.Name(), result, before, after, src)
					}
				}
			}
		}
	}
	if outside < programs/4 || changes < programs {
		t.Errorf("too little is tested: %d of %d parameters outside slices, %d changes", outside, programs*8, changes)
	}
	t.Logf("%d programs: %d of %d parameters outside the slice of a result, %d changed results", programs, outside, programs*8, changes)
}

// TestNotFound: to ask for what is not in the graph is an error that names it.
func TestNotFound(t *testing.T) {
	pkg := buildSource(t, "func f(a int) int { return a + 1 }\n\nfunc alone(b int) int { return b * 2 }\n\nfunc maker() func() int { c := 0; return func() int { c++; return c } }\n")
	f, alone := pkg.Func("f"), pkg.Func("alone")
	s := NewSystem(Config{Roots: []*ssa.Function{f}})
	if n, err := s.Node(f.Params[0]); err != nil || s.Param(n) != ssa.Value(f.Params[0]) {
		t.Errorf("a parameter of f: %d, %v", n, err)
	}
	if n, err := s.Node(f.Blocks[0].Instrs[0]); err != nil || s.Instr(n) != f.Blocks[0].Instrs[0] {
		t.Errorf("an instruction of f: %d, %v", n, err)
	}
	inner := pkg.Func("maker").AnonFuncs[0]
	for _, c := range []struct {
		x    any
		want string
	}{
		{alone.Blocks[0].Instrs[0], "sdg: b * 2:int of main.alone is not in the graph"},
		{alone.Blocks[0].Instrs[1], "sdg: return t0 of main.alone is not in the graph"},
		{alone.Params[0], "sdg: parameter b : int of main.alone is not in the graph"},
		{inner.FreeVars[0], "sdg: freevar c : *int of main.maker$1 is not in the graph"},
		{ssa.NewConst(constant.MakeInt64(7), types.Typ[types.Int]), "sdg: 7:int (*ssa.Const) is no instruction, parameter or free variable"},
		{f, "sdg: main.f (*ssa.Function) is no instruction, parameter or free variable"},
		{nil, "sdg: <nil> (<nil>) is no instruction, parameter or free variable"},
	} {
		_, err := s.Node(c.x)
		var missing *NotFoundError
		if !errors.As(err, &missing) || missing.X != c.x || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.x, err, c.want)
		}
		if _, err := New(f, 0).Node(c.x); err == nil {
			t.Errorf("the graph of f has %v", c.x)
		}
	}
}
