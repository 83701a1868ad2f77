package program

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/program/tables"
)

// TestLateBodies compares a program whose bodies of the standard library wait with one that is checked as a whole.
// Packages initialise their variables in the same order, and each late body gives the same SSA (one in five, without
// the long tests).
func TestLateBodies(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":    "module m\n\ngo 1.26\n",
		"m.go":      "package m\n\nimport (\n\t_ \"strings\"\n" + long.Pick("", "\t_ \"encoding/json\"\n\t_ \"os/exec\"\n\t_ \"text/template\"\n\t_ \"go/ast\"\n\t_ \"net/http/httptest\"\n") + ")\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {}\n",
	})
	load := func(late bool) *Program {
		cfg := Config{Dir: dir, Tests: true, LateBodies: late}
		l, err := List(cfg, ".")
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewUniverse(cfg).Build(l.Recipes[0])
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	whole, late := load(false), load(true)
	if len(whole.Init) != len(late.Init) {
		t.Fatalf("%d packages, and %d with late bodies", len(whole.Init), len(late.Init))
	}
	bodies, waiting := 0, 0
	for i, w := range whole.Init {
		l := late.Init[i]
		order := slices.DeleteFunc(slices.Clone(w.Info.InitOrder), func(in *types.Initializer) bool {
			return slices.ContainsFunc(l.Tables, func(t tables.Table) bool { return t.Var == in.Lhs[0].Name() })
		})
		if a, b := fmt.Sprint(order), fmt.Sprint(l.Info.InitOrder); w.ID != l.ID || a != b {
			t.Errorf("%s initialises, beside its tables, %.2000s;\n%s with late bodies initialises %.2000s", w.ID, a, l.ID, b)
		}
		fns, fns2 := functions(w), functions(l)
		for f := range w.Files {
			for d := range w.Files[f].Decls {
				decl, ok := w.Files[f].Decls[d].(*ast.FuncDecl)
				if !ok || decl.Body == nil {
					continue
				}
				bodies++
				decl2 := l.Files[f].Decls[d].(*ast.FuncDecl)
				if decl2.Body != nil {
					continue
				}
				if waiting++; waiting%long.Step(5) != 0 {
					continue
				}
				fn, fn2 := fns[decl], fns2[decl2]
				if fn == nil && fn2 == nil && decl.Name.Name == "_" {
					continue
				}
				if fn == nil || fn2 == nil {
					t.Fatalf("%s.%s: %v, with late bodies %v", w.Path, decl.Name.Name, fn, fn2)
				}
				whole.Build(fn)
				body := late.Body(fn2)
				if late.Declared(body) != fn2 {
					t.Errorf("%s: its late body is that of %s", fn2, late.Declared(body))
				}
				if a, b := listing(w, fn), listing(w, body); a != b {
					t.Fatalf("%s:\n%s\nlate:\n%s", fn, a, b)
				}
			}
		}
	}
	t.Logf("%d of %d bodies are late", waiting, bodies)
	if waiting < bodies/2 {
		t.Errorf("%d of %d bodies are late: most should be", waiting, bodies)
	}
}

// TestLateUserBodies compares packages of the user's whose bodies wait with the same that are built as a whole.
func TestLateUserBodies(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module m\n\ngo 1.26\n",
		"m.go": `package m

import (
	"fmt"
	"iter"
	"m/dep"
)

type T struct{ n int }

var v = first()

func first() int                            { return second(1) }
func second(int) int                        { return dep.F() }
func (T) unnamed(int, string)               {}
func (*T) blank(_ int, s ...string) (n int) { defer func() { n += len(s) }(); return 1 }
func (t *T) get() (n int, err error) {
	type local struct{ a, b int }
	x := local{b: t.n}
	f := func() int { return x.b + func() int { return n }() }
	for i := range t.all() {
		if i > 3 {
			return f(), fmt.Errorf("%d", i)
		}
	}
	switch y := any(x).(type) {
	case local:
		n = y.a
	case fmt.Stringer:
		go y.String()
	}
	return n, nil
}
func (t T) all() iter.Seq[int] { return func(yield func(int) bool) { _ = yield(t.n) } }
func generic[P any](p P) P     { return p }
func calls() {
	var t T
	for _, f := range []func(int, string){t.unnamed, func(int, string) { generic[string]("") }} {
		f(generic(1), "")
	}
	h := (*T).get
	fmt.Println(h(&t))
	select {}
}
`,
		"dep/dep.go": "package dep\n\nfunc F() int { return g() }\n\nfunc g() int { return 2 }\n",
		"m_test.go":  "package m\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { calls() }\n",
	})
	load := func(late bool) (*Program, error) {
		cfg := Config{Dir: dir, Tests: true, LateBodies: late}
		l, err := List(cfg, ".")
		if err != nil {
			t.Fatal(err)
		}
		return NewUniverse(cfg).Build(l.Recipes[0])
	}
	whole, err := load(false)
	if err != nil {
		t.Fatal(err)
	}
	late, err := load(true)
	if err != nil {
		t.Fatal(err)
	}
	waiting := 0
	for i, w := range whole.Init {
		if w.Std {
			continue
		}
		fns, fns2 := named(functions(w)), named(functions(late.Init[i]))
		if len(fns) != len(fns2) {
			t.Errorf("%s: %d functions, %d with late bodies", w.ID, len(fns), len(fns2))
		}
		for name, fn := range fns {
			fn2 := fns2[name]
			whole.Build(fn)
			late.Build(fn2)
			body := late.Body(fn2)
			if body == fn2 {
				continue
			}
			waiting++
			if late.Declared(body) != fn2 {
				t.Errorf("%s: its late body is that of %s", fn2, late.Declared(body))
			}
			if a, b := listing(w, fn), listing(late.Init[i], body); a != b {
				t.Errorf("%s:\n%s\nlate:\n%s", fn, a, b)
			}
		}
	}
	if waiting != 9 { // not those of test files, generic ones and initialisers
		t.Errorf("%d bodies wait", waiting)
	}
	// An error in a body that nobody calls is told.
	if err := os.WriteFile(filepath.Join(dir, "dep", "dep.go"), []byte("package dep\n\nfunc F() int { return 1 }\n\nfunc g() int { return \"\" }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := load(true); err == nil || !strings.Contains(err.Error(), "dep.go:5:23") {
		t.Errorf("an error in a body that waits: %v", err)
	}
}

func named(fns map[ast.Node]*ssa.Function) map[string]*ssa.Function {
	out := make(map[string]*ssa.Function)
	for _, fn := range fns {
		out[fn.String()] = fn
	}
	return out
}

// functions returns the functions of a package's declarations, methods included.
func functions(p *Package) map[ast.Node]*ssa.Function {
	out := make(map[ast.Node]*ssa.Function)
	for _, m := range p.SSA.Members {
		if fn, ok := m.(*ssa.Function); ok {
			out[fn.Syntax()] = fn
		}
	}
	for _, name := range p.Types.Scope().Names() {
		obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if named, ok := obj.Type().(*types.Named); ok && !obj.IsAlias() {
			for m := range named.Methods() {
				fn := p.SSA.Prog.FuncValue(m)
				out[fn.Syntax()] = fn
			}
		}
	}
	return out
}

var methodValue = regexp.MustCompile(`[\w().*]+\$(thunk|bound)`)

// listing is the text of a function and the literals in it, without the package's path and the function's name.
func listing(p *Package, fn *ssa.Function) string {
	var b strings.Builder
	var write func(fn *ssa.Function)
	write = func(fn *ssa.Function) {
		fmt.Fprintln(&b, fn.Prog.Fset.Position(fn.Pos()), fn.Signature.Results(), fn.Signature.Variadic())
		for _, v := range fn.Params {
			fmt.Fprintf(&b, "parameter %s\n", v.Type()) // one without a name is called arg0, or _
		}
		for _, block := range fn.Blocks {
			fmt.Fprintf(&b, "%d: %s %v\n", block.Index, block.Comment, block.Succs)
			for _, instr := range block.Instrs {
				if v, ok := instr.(ssa.Value); ok {
					fmt.Fprintf(&b, "%s %s = ", v.Name(), v.Type())
				}
				fmt.Fprintln(&b, instr, fn.Prog.Fset.Position(instr.Pos()), fn.Prog.Fset.Position(InstrPos(instr)))
			}
		}
		for _, anon := range fn.AnonFuncs {
			write(anon)
		}
	}
	write(fn)
	own := func(s string) string { return strings.ReplaceAll(s, p.Path+".", "") }
	text := strings.NewReplacer(own(fn.String())+"$", "$", fn.Name()+"$", "$").Replace(own(b.String()))
	return methodValue.ReplaceAllString(text, "$$$1") // that of the method itself has lost its name
}

// TestWhichBodiesWait checks which bodies wait: not those that an initialiser may come to.
func TestWhichBodiesWait(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", `package p

import (
	"errors"
	other "fmt"
)

var (
	a = errors.New("a")
	b = called()
	c = T{}.method
	d = other.Sprint(func() any { errors := T{}; return errors.Is }())
)

func called() any      { return deeper }
func deeper()          { var t T; t.field() }
func New()             {}
func method()          {}
func Sprint()          {}
func (T) Sprint()      {}
func (T) called()      {}
func (T) method()      {}
func (T) field()       {}
func (T) Is()          {}
func (T) waits()       { called() }
func init()            { New() }
func generic[P any]()  {}
`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var waits []string
	for _, b := range separate([]*ast.File{f}, nil, func(*ast.File) bool { return false }) {
		waits = append(waits, declName(b.decl))
	}
	want := "[New method Sprint T.Sprint T.called T.waits]"
	if fmt.Sprint(waits) != want {
		t.Errorf("%s wait, want %s", waits, want)
	}
}

// TestMethodsThatWait checks that a method waits where an initialiser selects one of another type, or a field, and
// does not wait where the type is not certain.
func TestMethodsThatWait(t *testing.T) {
	const types = `package p

import (
	"sync"
	other "other.org/other"
)

type T struct {
	field func()
	inner U
	once  sync.Once
	face  interface{ run() }
	any   Face
	all   map[string]U
	plain []int
	mixed Mixed
	gen   G[U]
}
type U struct{ n int }
type Face interface{ run() }
type Same = U
type Mixed struct{ U }
type Deep T
type G[P any] struct{ p P }

var known U
var unknown = f()

func f() U             { return U{} }
func (T) run()         {}
func (*U) run()        {}
func (T) field2()      {}
func (U) field()       {}
func (U) Do()          {}
func (g *G[U]) use(u U) { u.run() }
`
	cases := []struct{ body, needed string }{ // of func x(t T, u *U, o other.O)
		{"t.field()", ""},
		{"t.run()", "T.run"},
		{"u.run()", "(*U).run"},
		{"t.inner.run()", "(*U).run"},
		{"t.once.Do(nil)", ""},
		{"t.any.run()", ""},
		{"t.face.run()", "T.run (*U).run"}, // a type without a name
		{"t.all.run()", ""},
		{"t.plain.run()", ""},
		{"t.mixed.run()", "T.run (*U).run"}, // promoted
		{"t.gen.run()", "T.run (*U).run"},
		{"o.run()", ""},
		{"other.V.run()", ""},
		{"known.run()", "(*U).run"},
		{"unknown.run()", "T.run (*U).run"},
		{"new(U).run()", "T.run (*U).run"},
		{"(&U{}).run()", "(*U).run"},
		{"T.run(t)", "T.run"},
		{"_ = (*U).run", "(*U).run"},
		{"var s Same; s.run()", "T.run (*U).run"},
		{"Same{}.run()", "T.run (*U).run"},
		{"Deep{}.inner.run()", "(*U).run"},
		{"Deep{}.run()", "T.run (*U).run"},
		{"func(t U) { t.run() }(U{})", "T.run (*U).run"}, // t is two things
		{"type U = T; U{}.run()", "T.run (*U).run"},
		{"known := t; known.run()", "T.run (*U).run"},
		{"other := t; other.V.run()", "T.run (*U).run"},
		{"t := u; t.run()", "T.run (*U).run"},
		{"any(t).(T).run()", "T.run"},
		{"new(G[T]).use(t)", "T.run (*U).run"}, // its U is a type parameter
	}
	for _, c := range cases {
		f, err := parser.ParseFile(token.NewFileSet(), "p.go", types+"\nvar v = x(T{}, nil, other.O{})\n\nfunc x(t T, u *U, o other.O) any {\n\t"+c.body+"\n\treturn nil\n}\n", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		before := make(map[string]bool)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && !isGeneric(fn) {
				before[declName(fn)] = true
			}
		}
		for _, b := range separate([]*ast.File{f}, nil, func(*ast.File) bool { return false }) {
			delete(before, declName(b.decl))
		}
		needed := slices.Sorted(maps.Keys(before))
		want := strings.Fields(c.needed)
		slices.Sort(want)
		if !slices.Equal(needed, want) {
			t.Errorf("%s needs %v, want %v", c.body, needed, want)
		}
	}
}
