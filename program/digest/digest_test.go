package digest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/program"
)

var universe = program.NewUniverse(program.Config{LateBodies: true})

// std is a recipe with the packages of the standard library.
var std *program.Recipe

const text = `package p

import (
	"fmt"
	m "math"
)

type T struct{ A, b int }

func (t *T) Get() int { return t.b }

type G[E any] struct{ e E }

func (g G[E]) Elem() E { return g.e }

const N = 3

var v = other()

var w int

func other() int { return 1 }

func init() { w = 2 }

func F(x int) int {
	s := 0
	for i := range x {
		if i > N {
			s += i
		}
	}
	fmt.Println(s, m.Pi, len("abc"), v)
	defer func() { recover() }()
	return other() + H(x)
}

func H[E any](e E) int { return int(m.Abs(1)) }

func variadic(x ...int) { variadic(x...) }

func unused() {}

func local() any {
	type L int
	return G[L]{}
}
`

// load digests the package whose only file is src.
func load(t *testing.T, src string) *Program {
	t.Helper()
	return loadIn(t, t.TempDir(), src)
}

// loadIn is load with the folder of the source.
func loadIn(t *testing.T, dir, src string) *Program {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	p := program.PackageRecipe{ID: "p", Path: "p", Name: "p", Dir: dir, GoFiles: []string{"p.go"}, GoVersion: "go1.26", Imports: []string{"fmt", "math"}}
	if strings.Contains(src, `"errors"`) {
		p.Imports = append(p.Imports, "errors")
	}
	if err := p.SetDigest("go1.26"); err != nil {
		t.Fatal(err)
	}
	if std == nil {
		std = program.Compose(p, nil)
		if err := std.Complete(program.Config{Extra: []string{"errors"}}); err != nil {
			t.Fatal(err)
		}
	}
	prog, err := universe.Build(program.Compose(p, []*program.Recipe{std}))
	if err != nil {
		t.Fatal(err)
	}
	return New(prog)
}

// An edit changes the digests of what depends on it, and of nothing else.
func TestDigests(t *testing.T) {
	before := load(t, text)
	names := before.Names()
	for _, tt := range []struct{ old, new, changes string }{
		{"func F(", "// A comment.\nfunc F(", ""},
		{"s := 0", "s := 0 // a comment", ""},
		{"{ return t.b }", "{\n\treturn t.b\n}", ""},
		{"defer func() { recover() }()", "defer func() {\n\n\trecover()\n\n}()", ""},
		{"func unused() {}", "", "-"}, // it is gone itself
		{"func unused() {}", "func unused() {}\n\nfunc more() int { return 7 }", ""},
		{"func unused() {}", "func unused() { println() }", "unused"},
		{"s := 0", "s := 1", "F"},
		{"i > N", "i >= N", "F"},
		{"i > N", "(i > N)", "F"}, // a miss too many, and harmless
		{"s += i", "s -= i", "F"},
		{"N = 3", "N = 4", "F"},
		{"N = 3", "N int = 3", "F"},
		{"N = 3", "N = 1 + 2", ""},
		{"return 1 }", "return 2 }", "other"},
		{"func other() int { return 1 }", "func other() int { return 1 }\n\nfunc len(string) int { return 9 }", "F"},
		{"m \"math\"", "m \"math\"\n\t\"errors\"\n", "shell"},
		{"x ...int) { variadic(x...)", "x ...int) { variadic(x[0])", "variadic"},
		{"H[E any](e E)", "H[E comparable](e E)", "F H"},
		{"var v = other()", "var v = other() + 1", "shell"},
		{"var v = other()", "var v int = other()", "shell"},
		{"var v = other()", "var v = int8(other())", "F shell"},
		{"var w int", "var w int16", "shell"},
		{"w = 2", "w = 3", "shell"},
		{"A, b int", "A, b, c int", "type T"},
		{"A, b int", "b, A int", "type T"},
		{"A, b int", "A, b int `x:\"y\"`", "type T"},
		{"func (t *T) Get", "func (t *T) Set() {}\n\nfunc (t *T) Get", "type T"},
		{"func (t *T) Get", "func (t T) Get", "T.Get type T"},
		{"{ return g.e }", "{ e := g.e; return e }", "G.Elem"},
		{"G[E any] struct", "G[E comparable] struct", "G.Elem local type G"},
		{"type T struct", "type U = T\n\ntype T struct", ""},
		{"type T struct", "type U struct{ T }\n\nfunc (U) Get() int { return 1 }\n\ntype T struct", ""},
		{"var w int", "var w int\n\nvar ww T", "shell"},
		{"func other() int { return 1 }", "func other() int { type L int; return int(L(1)) }", "local other"},
		{"type T struct", "func before() { type L int }\n\ntype T struct", "local"}, // the number of its type
		{"type T struct", "func before() { type L = int }\n\ntype T struct", ""},
	} {
		src := strings.Replace(text, tt.old, tt.new, 1)
		if src == text {
			t.Fatalf("there is no %q", tt.old)
		}
		if strings.Contains(tt.new, `"errors"`) {
			src += "\nvar _ = errors.New\n"
		}
		after := load(t, src)
		var got []string
		for _, name := range names {
			if now := after.Of(name); now != before.Of(name) && now != "" {
				got = append(got, strings.TrimPrefix(Show(name), "p."))
			}
		}
		for _, name := range []string{"T", "G"} {
			if full := "p" + nameSep + name; after.Type(full) != before.Type(full) {
				got = append(got, "type "+name)
			}
		}
		if after.Shell() != before.Shell() {
			got = append(got, "shell")
		}
		if s := strings.Join(got, " "); s != strings.Trim(tt.changes, "-") {
			t.Errorf("%q -> %q changes %q, want %q", tt.old, tt.new, s, tt.changes)
		}
	}
}

// A declaration reaches the types of its expressions, and what they are made of; the shell those of variables and
// initialisers.
func TestTypes(t *testing.T) {
	const more = `
type (
	A struct{ b []B }
	B interface{ M(C) map[D]chan E }
	C = struct{ L }
	D int
	E func(G[P1]) (x *P1)
	L int
	P1 int
	I int
	J int
	K struct{}
	P2 int
	O = P2
	P int
	Q interface{ ~int | R }
	R string
	S[E Q] struct{}
	U int
	V int
	W int
	X int
	Y int
)

func (L) M(I) {}

func (K) M() J { return 0 }

func deep() { _ = A{} }

func call() { K.M(K{}) }

func infer() { through(O(1)) }

func through[E any](e E) { return }

func generic[E Q]() { _ = S[E]{} }

func closure() { _ = func(U) { var x any = 1; _, _ = x.(V) } }

func value() int { return len(variable) }

func none() int { return 1 }

var variable []W

var initial = func() int { return int(X(1)) }()
`
	d := load(t, text+more)
	for name, want := range map[string]string{
		"deep": "A B C D E G I L P1", "call": "J K", "infer": "O P2", "through": "", "generic": "Q R S", "closure": "U V",
		"value": "W", "none": "", "H": "", "T.Get": "T", "local": "G",
	} {
		var got []string
		for _, x := range d.Types("p" + nameSep + name) {
			got = append(got, strings.TrimPrefix(x, "p"+nameSep))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s reaches %q, want %q", name, s, want)
		}
	}
	for name, in := range map[string]bool{"W int": true, "X int": true, "Y int": false, "P int": false, "D int": false} {
		after := load(t, text+strings.Replace(more, "\t"+name+"\n", "\t"+name+"8\n", 1))
		if (after.Shell() != d.Shell()) != in {
			t.Errorf("%s is in the shell: %t", name, !in)
		}
		if after.AllTypes() == d.AllTypes() {
			t.Errorf("%s is not among all types", name)
		}
	}
}

// The lines of a declaration are those of its own tokens; a place keeps its token when lines move.
func TestLinesOfADeclaration(t *testing.T) {
	dir := t.TempDir()
	a, b := loadIn(t, dir, text), loadIn(t, dir, strings.Replace(text, "func F(", "\nfunc F(", 1))
	c := loadIn(t, dir, text)
	name := "p" + nameSep + "F"
	if a.Lines(name) == b.Lines(name) {
		t.Error("a declaration has moved, and its lines are the same")
	}
	if a.Lines(name) != c.Lines(name) {
		t.Error("the same text in the same place has other lines")
	}
	if other := "p" + nameSep + "other"; strings.Contains(a.Lines(other), "?") || a.Lines(other) == "" || c.Of(name) != a.Of(name) {
		t.Error("the digest of the same text is another")
	}
	fn := a.p.Root.SSA.Func("F")
	at, ok := a.Place(fn, fn.Pos())
	p, q := a.Position(at), b.Position(at)
	if !ok || p.Line == 0 || q.Line != p.Line+1 || p.Column != q.Column {
		t.Errorf("the place %v (%t) is %v in one text, and %v in the other, where a line comes before", at, ok, p, q)
	}
	if _, ok := a.Place(fn, a.p.Root.SSA.Func("other").Pos()); ok {
		t.Error("a position of another function has a place")
	}
}
