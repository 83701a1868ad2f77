package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// module writes a module and returns its folder. files maps slash-separated names to text.
func module(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load lists and builds, and fails the test if that does not give exactly one program.
func load(t testing.TB, cfg Config, patterns ...string) *Program {
	t.Helper()
	l, err := List(cfg, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Errors) > 0 {
		t.Fatal(l.Errors)
	}
	if len(l.Recipes) != 1 {
		t.Fatalf("got %d recipes, want 1", len(l.Recipes))
	}
	u := NewUniverse(cfg)
	if cfg.Overlay == nil && cfg.Boundary == nil && cfg.KeepBody == nil && !cfg.LateBodies { // all that a universe takes from its settings
		u = plain
	}
	p, err := u.Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plain makes the programs of tests that have no wishes. They share the standard library, which takes longer to load
// than all of them.
var plain = NewUniverse(Config{})

// reachable builds and returns the functions that roots refer to, and methods of the types they convert to interfaces.
func reachable(p *Program, roots ...*ssa.Function) map[*ssa.Function]bool {
	seen := make(map[*ssa.Function]bool)
	for len(roots) > 0 {
		fn := roots[len(roots)-1]
		roots = roots[:len(roots)-1]
		if fn == nil || seen[fn] {
			continue
		}
		seen[fn] = true
		p.Build(fn)
		roots = append(roots, fn.AnonFuncs...)
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, op := range instr.Operands(nil) {
					if f, ok := (*op).(*ssa.Function); ok {
						roots = append(roots, f)
					}
				}
				if m, ok := instr.(*ssa.MakeInterface); ok {
					for sel := range p.SSA.MethodSets.MethodSet(m.X.Type()).Methods() {
						roots = append(roots, p.MethodValue(sel))
					}
				}
			}
		}
	}
	return seen
}

func entryNames(p *Program) string {
	var names []string
	for _, e := range p.Entries {
		names = append(names, e.Name)
	}
	return strings.Join(names, " ")
}

var basic = map[string]string{
	"go.mod": "module example.com/p\n\ngo 1.24\n",
	"p.go":   "package p\n\nfunc F() int { return 1 }\n",
	"q/q.go": "package q\n\nimport \"example.com/p\"\n\nvar X = p.F()\n",
	"p_test.go": `package p

import ("context"; "fmt"; "testing"; "time"; "sync")

func TestB(t *testing.T) { fmt.Println(context.Background(), time.Now()); var m sync.Mutex; m.Lock() }
func TestA(t *testing.T) {}
func Testlower(t *testing.T) {}
func TestMain(m *testing.M) { m.Run() }
func FuzzX(f *testing.F) {}
func Helper(t *testing.T) {}
`,
	"a_test.go": `package p_test

import ("testing"; "fmt"; "example.com/p"; "example.com/p/q")

func TestX(t *testing.T) { p.F(); _ = q.X }

func ExampleF() {
	fmt.Println("x")
	// Output: x
}

func ExampleF_unordered() {
	fmt.Println("x")
	// Unordered output: x
}

func ExampleF_silent() { fmt.Println("x") }
`,
}

func TestLoadTests(t *testing.T) {
	p := load(t, Config{Dir: module(t, basic), Tests: true}, ".")
	if got, want := entryNames(p), "TestB TestA TestX FuzzX ExampleF ExampleF_unordered"; got != want {
		t.Errorf("entries: %s, want %s", got, want)
	}
	if p.TestMain == nil || p.TestMain.Name() != "TestMain" {
		t.Errorf("TestMain = %v", p.TestMain)
	}
	if p.XTest == nil || p.XTest.Path != "example.com/p_test" {
		t.Errorf("XTest = %v", p.XTest)
	}
	if p.Test.ID != "example.com/p [example.com/p.test]" || p.Test.Types.Path() != "example.com/p" {
		t.Errorf("Test.ID = %s", p.Test.ID)
	}
	// q imports p: it is compiled again, against the p under test.
	q := p.PackageByPath("example.com/p/q")
	if q == nil || q.ID != "example.com/p/q [example.com/p.test]" || q.Types.Imports()[0] != p.Test.Types {
		t.Errorf("q is not the variant under test: %+v", q)
	}
	for _, e := range p.Entries {
		p.Build(e.Fn)
		if len(e.Fn.Blocks) == 0 {
			t.Errorf("%s has no body", e.Name)
		}
	}
	rt := p.PackageByPath("runtime")
	if rt == nil || !rt.Boundary || !p.IsStd(rt.Types) {
		t.Fatalf("runtime is not at the boundary: %+v", rt)
	}
	gc := rt.SSA.Func("GC")
	p.Build(gc)
	if gc.Blocks != nil {
		t.Error("runtime.GC has a body")
	}
}

// TestEntryDetails checks what entries and packages say besides their names.
func TestEntryDetails(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":     "module example.com/p\n\ngo 1.20\n",
		"a.txt":      "a",
		"d/b.txt":    "b",
		"p.go":       "package p\n\nimport \"embed\"\n\n//go:embed a.txt \"d\"\nvar FS embed.FS\n\n//go:embed a.txt\nvar text string\n",
		"p_test.go":  "package p\n\nimport \"fmt\"\n\nfunc Example() {\n\tfmt.Println(1, text)\n\t// Output:\n\t// 1\n\t// 2\n}\n\nfunc ExampleFS() {\n\tfmt.Println(1)\n\t// Unordered output: 1\n}\n\nfunc Example_empty() {\n\t// Output:\n}\n",
		"p2_test.go": "package p\n\nimport (\n\t_ \"embed\"\n\t\"testing\"\n)\n\n//go:embed a.txt\nvar again string\n\ntype T = testing.T\n\nfunc Test(t *T) { for i := range []int{1} { go func() { println(i) }() } }\nfunc Testé(t *testing.T) {}\nfunc TestÉ(t *testing.T) {}\nfunc (x X) TestMethod(t *testing.T) {}\ntype X int\n",
	})
	p := load(t, Config{Dir: dir, Tests: true}, ".")
	if got, want := entryNames(p), "Test TestÉ Example ExampleFS Example_empty"; got != want {
		t.Fatalf("entries: %s, want %s", got, want)
	}
	for i, want := range []Entry{{Output: "1\n2\n"}, {Output: "1", Unordered: true}, {Output: ""}} {
		got := p.Entries[i+2]
		if strings.TrimSpace(got.Output) != strings.TrimSpace(want.Output) || got.Unordered != want.Unordered || !got.HasOutput || got.Kind != Example {
			t.Errorf("%s: %+v", got.Name, got)
		}
	}
	if !strings.Contains(p.GODEBUG, "panicnil=1") {
		t.Errorf("GODEBUG = %q", p.GODEBUG)
	}
	if got := p.Test.Embeds; len(got) != 3 || strings.Join(got[0].Patterns, " ") != "a.txt d" || got[1].Var.Name() != "text" {
		t.Errorf("Embeds = %v", got)
	}
	if got := strings.Join(p.Test.EmbedFiles, " "); got != "a.txt d/b.txt" {
		t.Errorf("EmbedFiles = %s", got)
	}
	// Before Go 1.22 the loop variable is one for all rounds: it is allocated outside the loop.
	fn := p.Entries[0].Fn
	p.Build(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.Alloc); ok && a.Comment == "i" && b.Index != 0 {
				t.Errorf("the loop variable is allocated in %s", b)
			}
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := module(b, basic)
	cfg := Config{Dir: dir, Tests: true}
	b.Run("List", func(b *testing.B) {
		for b.Loop() {
			if _, err := List(cfg, "."); err != nil {
				b.Fatal(err)
			}
		}
	})
	l, err := List(cfg, ".")
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Build", func(b *testing.B) {
		for b.Loop() {
			if _, err := NewUniverse(cfg).Build(l.Recipes[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("BuildAllBodies", func(b *testing.B) {
		for b.Loop() {
			p, err := NewUniverse(cfg).Build(l.Recipes[0])
			if err != nil {
				b.Fatal(err)
			}
			for _, pkg := range p.Init {
				pkg.SSA.Build()
			}
		}
	})
}

// TestConcurrentBuilds builds programs at the same time from one universe, while their functions are built. Run it with
// -race.
func TestConcurrentBuilds(t *testing.T) {
	files := map[string]string{"go.mod": "module example.com/p\n\ngo 1.24\n"}
	for _, name := range []string{"a", "b", "c", "d"} {
		files[name+"/x.go"] = "package x\n\nimport (\"fmt\"; \"strings\"; \"slices\")\n\nfunc F(s []string) string { slices.Sort(s); return fmt.Sprint(strings.Join(s, \",\")) }\n"
		files[name+"/x_test.go"] = "package x\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { t.Log(F(nil)) }\n"
	}
	cfg := Config{Dir: module(t, files), Tests: true}
	l, err := List(cfg, "./...")
	if err != nil || len(l.Recipes) != 4 {
		t.Fatal(err, l)
	}
	u := NewUniverse(cfg)
	programs := make([]*Program, len(l.Recipes))
	each(len(programs), func(i int) {
		p, err := u.Build(l.Recipes[i])
		if err != nil {
			t.Error(err)
			return
		}
		programs[i] = p
		if n := len(reachable(p, p.Entries[0].Fn)); n < 100 {
			t.Errorf("%s reaches only %d functions", p.Path, n)
		}
	})
	if t.Failed() {
		return
	}
	for _, p := range programs[1:] {
		if p.PackageByPath("fmt") != programs[0].PackageByPath("fmt") {
			t.Error("fmt was checked twice")
		}
	}
}
