package program

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// listErrors lists a module and returns what is wrong with its packages, from List or else from Build.
func listErrors(t *testing.T, cfg Config, patterns ...string) string {
	t.Helper()
	l, err := List(cfg, patterns...)
	if err != nil {
		return err.Error()
	}
	if len(l.Errors) > 0 {
		return l.Errors.Error()
	}
	u := NewUniverse(cfg)
	for _, r := range l.Recipes {
		if _, err := u.Build(r); err != nil {
			return err.Error()
		}
	}
	return ""
}

func TestErrors(t *testing.T) {
	const mod = "module example.com/p\n\ngo 1.24\n"
	tests := []struct {
		name    string
		files   map[string]string
		pattern string
		want    string // with DIR for the module's folder
	}{
		{"type error", map[string]string{"p.go": "package p\n\nvar x int = \"a\"\n"}, ".", `DIR/p.go:3:13: cannot use "a"`},
		{"type error in dependency", map[string]string{"p.go": "package p\n\nimport _ \"example.com/p/q\"\n", "q/q.go": "package q\n\nvar x = y\n"}, ".", "DIR/q/q.go:3:9: undefined: y"},
		{"two type errors", map[string]string{"p.go": "package p\n\nvar x = y\nvar z = w\n"}, ".", "DIR/p.go:3:9: undefined: y (and 1 more errors)"},
		{"type error in test", map[string]string{"p.go": "package p\n", "p_test.go": "package p\n\nvar x = y\n"}, ".", "DIR/p_test.go:3:9: undefined: y"},
		{"parse error", map[string]string{"p.go": "package p\n\nfunc {\n"}, ".", "DIR/p.go:3:6: expected 'IDENT', found '{'"},
		{"parse error in test", map[string]string{"p.go": "package p\n", "p_test.go": "package p\n\nfunc {\n"}, ".", "DIR/p_test.go:3:6: expected 'IDENT', found '{'"},
		{"missing package", map[string]string{"p.go": "package p\n\nimport _ \"example.com/p/none\"\n"}, ".", "DIR/p.go:3:8: cannot find module providing package example.com/p/none"},
		{"missing module", map[string]string{"p.go": "package p\n\nimport _ \"example.org/none\"\n"}, ".", "DIR/p.go:3:8: cannot find module providing package example.org/none"},
		{"missing import of test", map[string]string{"p.go": "package p\n", "p_test.go": "package p\n\nimport _ \"example.org/none\"\n"}, ".", "DIR/p_test.go:3:8: cannot find module providing package example.org/none"},
		{"no Go files", map[string]string{"p.txt": ""}, ".", "no Go files in DIR"},
		{"excluded", map[string]string{"p.go": "//go:build ignore\n\npackage p\n"}, ".", "build constraints exclude all Go files in DIR"},
		{"no such folder", map[string]string{"p.go": "package p\n"}, "./none", "directory not found"},
		{"nothing matches", map[string]string{"p.txt": ""}, "./...", "matched no packages"},
		{"two packages", map[string]string{"p.go": "package p\n", "q.go": "package q\n"}, ".", "found packages p (p.go) and q (q.go)"},
		{"import cycle", map[string]string{"p.go": "package p\n\nimport _ \"example.com/p/q\"\n", "q/q.go": "package q\n\nimport _ \"example.com/p\"\n"}, ".", "import cycle not allowed"},
		{"wrong signature", map[string]string{"p.go": "package p\n", "p_test.go": "package p\n\nfunc TestX() {}\n"}, ".", "DIR/p_test.go:3:1: wrong signature for TestX, must be: func TestX(t *testing.T)"},
		{"no main", map[string]string{"p.go": "package main\n"}, ".", "function main is undeclared"},
		{"broken go.mod", map[string]string{"go.mod": "modul x\n", "p.go": "package p\n"}, ".", "go.mod:1: unknown directive: modul"},
		{"future Go", map[string]string{"go.mod": "module x\n\ngo 1.99\n", "p.go": "package p\n"}, ".", "go.mod requires go >= 1.99"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.files["go.mod"] == "" {
				test.files["go.mod"] = mod
			}
			dir := module(t, test.files)
			env := append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOTOOLCHAIN=local")
			if strings.HasPrefix(test.name, "missing") {
				env = append(env, "GOFLAGS=-mod=readonly")
			}
			got := listErrors(t, Config{Dir: dir, Tests: true, Env: env}, test.pattern)
			if want := strings.ReplaceAll(test.want, "DIR", dir); !strings.Contains(got, want) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if strings.Contains(got, "\n") {
				t.Errorf("more than one line: %q", got)
			}
		})
	}
}

func TestMainPackages(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":         "module example.com/p\n\ngo 1.24\n",
		"a/main.go":      "package main\n\nfunc main() { println(1) }\n",
		"b/main.go":      "package main\n\nfunc main() { println(1) }\n",
		"b/main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestMain(t *testing.T) {}\n",
		"c/c.go":         "package c\n",
	})
	cfg := Config{Dir: dir, Tests: true, Mains: true, Extra: []string{"testing"}}
	l, err := List(cfg, "./...")
	if err != nil || len(l.Errors) > 0 {
		t.Fatal(err, l.Errors)
	}
	u := NewUniverse(cfg)
	var got []string
	for _, r := range l.Recipes {
		p, err := u.Build(r)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p.Path+":"+entryNames(p))
		if p.PackageByPath("testing") == nil {
			t.Errorf("%s: Extra is not in the program", p.Path)
		}
	}
	want := []string{"example.com/p/a:main", "example.com/p/b:TestMain", "example.com/p/b:main", "example.com/p/c:"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}

	p := load(t, Config{Dir: dir}, "a/main.go")
	if entryNames(p) != "main" || p.Path != "command-line-arguments" {
		t.Errorf("files: %s of %s", entryNames(p), p.Path)
	}
}

func TestBuildTags(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module example.com/p\n\ngo 1.24\n",
		"a.go":   "//go:build special\n\npackage p\n\nconst Which = \"special\"\n",
		"b.go":   "//go:build !special\n\npackage p\n\nconst Which = \"plain\"\n",
	})
	for _, test := range []struct {
		cfg  Config
		want string
	}{
		{Config{}, `"plain"`},
		{Config{BuildFlags: []string{"-tags=other,special"}}, `"special"`},
		{Config{BuildFlags: []string{"-tags", "special"}}, `"special"`},
		{Config{Env: append(os.Environ(), "GOFLAGS=-tags=special")}, `"special"`},
		{Config{Env: append(os.Environ(), "GOFLAGS=-tags=special"), BuildFlags: []string{"-tags=x"}}, `"plain"`},
	} {
		test.cfg.Dir = dir
		p := load(t, test.cfg, ".")
		if got := p.Root.Types.Scope().Lookup("Which").(*types.Const).Val().String(); !strings.Contains(got, test.want) {
			t.Errorf("%v: %s, want %s", test.cfg.BuildFlags, got, test.want)
		}
	}
}

// What is compiled with -overlay is not what stands on disk.
func TestBuildOverlay(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m.go": "package m\n"})
	for _, cfg := range []Config{
		{Dir: dir, Env: append(os.Environ(), "GOFLAGS=-mod=mod -overlay=o.json")},
		{Dir: dir, Env: append(os.Environ(), "GOFLAGS=-mod=mod '-overlay=o p.json'")},
		{Dir: dir, Env: append(os.Environ(), "GOFLAGS="), BuildFlags: []string{"--overlay", "o.json"}},
	} {
		if _, err := List(cfg, "."); err == nil || !strings.Contains(err.Error(), "-overlay") {
			t.Errorf("%v: %v", cfg.BuildFlags, err)
		}
	}
	if _, err := List(Config{Dir: dir, Env: append(os.Environ(), "GOFLAGS="), BuildFlags: []string{"-tags", "overlay"}}, "."); err != nil {
		t.Error(err)
	}
}

// What the linker gives to variables does not stand in the source.
func TestLinkerSetsVariables(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": "module m\n\ngo 1.26\n", "m.go": "package m\n\nvar V string\n"})
	for flags, refused := range map[string]bool{
		"-ldflags=-X=m.V=1":                true,
		"'-ldflags=-s -X m.V=1'":           true,
		`--ldflags=all=-X=m.V=1`:           true,
		`"-ldflags=m=-w --X 'm.V=a b'"`:    true,
		"-ldflags=-s":                      false,
		"'-ldflags=-s -extldflags=-X'":     false,
		"'-ldflags=-s -w' -tags=ldflags,X": false,
		"-mod=mod":                         false,
	} {
		_, err := List(Config{Dir: dir, Env: append(os.Environ(), "GOFLAGS="+flags)}, ".")
		if said := err != nil && strings.Contains(err.Error(), "-ldflags"); said != refused || err != nil && !refused {
			t.Errorf("GOFLAGS=%s: %v", flags, err)
		}
	}
}

func TestVendorAndWorkspace(t *testing.T) {
	vendored := module(t, map[string]string{
		"go.mod":                        "module example.com/p\n\ngo 1.24\n\nrequire example.org/d v1.0.0\n",
		"p.go":                          "package p\n\nimport \"example.org/d\"\n\nvar X = d.D\n",
		"vendor/example.org/d/d.go":     "package d\n\nvar D = 1\n",
		"vendor/modules.txt":            "# example.org/d v1.0.0\n## explicit; go 1.21\nexample.org/d\n",
		"vendor/example.org/d/d_oth.go": "//go:build windows\n\npackage d\n\nvar E = 1\n",
	})
	p := load(t, Config{Dir: vendored, Tests: true, Env: append(os.Environ(), "GOFLAGS=")}, ".")
	d := p.PackageByPath("example.org/d")
	if d == nil || d.GoVersion != "go1.21" || p.Root.GoVersion != "go1.24" {
		t.Errorf("vendored package: %+v", d)
	}

	work := module(t, map[string]string{
		"go.work":  "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n",
		"a/go.mod": "module example.com/a\n\ngo 1.24\n",
		"a/a.go":   "package a\n\nimport \"example.com/b\"\n\nvar X = b.B\n",
		"b/go.mod": "module example.com/b\n\ngo 1.20\n",
		"b/b.go":   "package b\n\nvar B = 1\n",
	})
	cfg := Config{Dir: work, Tests: true, Env: append(os.Environ(), "GOFLAGS=", "GOWORK=")}
	l, err := List(cfg, "./a", "./b")
	if err != nil || len(l.Errors) > 0 || len(l.Recipes) != 2 {
		t.Fatal(err, l)
	}
	p, err = NewUniverse(cfg).Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	if b := p.PackageByPath("example.com/b"); b == nil || b.GoVersion != "go1.20" || b.Dir != filepath.Join(work, "b") {
		t.Errorf("workspace module: %+v", b)
	}
}

func TestCgo(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":    "module example.com/p\n\ngo 1.24\n",
		"p.go":      "package p\n\nimport (\n\t\"example.com/p/c\"\n\t\"example.com/p/only\"\n)\n\nfunc F() int { return c.One() + only.X() }\n",
		"only/c.go": "package only\n\nimport \"C\"\n\nfunc X() int { return 1 }\n",
		"c/c.go":    "package c\n\n// int one(void) { return 1; }\nimport \"C\"\n\nimport \"errors\"\n\nvar V = int(C.one())\nvar E = errors.New(\"x\")\n\nfunc One() int { return int(C.one()) }\n",
		"c/more.go": "package c\n\nfunc Two() int { return 2 }\n",
	})
	p := load(t, Config{Dir: dir, Tests: true, Env: append(os.Environ(), "CGO_ENABLED=1")}, ".")
	c := p.PackageByPath("example.com/p/c")
	if c == nil || !c.Cgo {
		t.Fatalf("not marked as cgo: %+v", c)
	}
	c.SSA.Build()
	if fn := c.SSA.Func("One"); fn.Blocks != nil {
		t.Error("c.One has a body")
	}
	if p.PackageByPath("errors") == nil {
		t.Error("what only the cgo file imports is missing")
	}
	if body, symbol := p.Resolve(c.SSA.Func("One")); body != nil || symbol != "example.com/p/c.One" {
		t.Errorf("Resolve(c.One) = %v, %s", body, symbol)
	}
}

// TestOverlayOfVariant has an overlay import what the package itself does not, where both are compiled again for the
// tests of a third one.
func TestOverlayOfVariant(t *testing.T) {
	const m = "example.com/m/"
	dir := module(t, map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.24\n",
		"a/a.go":      "package a\n\nconst A = 1\n",
		"a/a_test.go": "package a\n",
		"a/x_test.go": "package a_test\n\nimport _ \"" + m + "b\"\n",
		"b/b.go":      "package b\n\nimport _ \"" + m + "a\"\nimport _ \"" + m + "d\"\n",
		"c/c.go":      "package c\n\nimport \"" + m + "a\"\n\nconst C = a.A\n",
		"d/d.go":      "package d\n\nimport _ \"" + m + "c\"\n",
	})
	p := load(t, Config{Dir: dir, Tests: true, Overlay: map[string]map[string]string{
		m + "b": {"more.go": "package b\n\nimport \"" + m + "c\"\n\nconst B = c.C\n"},
	}}, "./a")
	if b := p.PackageByPath(m + "b"); b == nil || b.Types.Scope().Lookup("B") == nil || b.ID != m+"b ["+m+"a.test]" {
		t.Errorf("package b is %v", b)
	}
}

func TestOverlay(t *testing.T) {
	dir := module(t, basic)
	cfg := Config{Dir: dir, Tests: true, Overlay: map[string]map[string]string{
		"sync": {"heddle_shim.go": "package sync\n\nimport \"unsafe\"\n\nfunc HeddleShim(m *Mutex) unsafe.Pointer { return unsafe.Pointer(m) }\n"},
	}}
	p := load(t, cfg, ".")
	fn := p.PackageByPath("sync").SSA.Func("HeddleShim")
	if fn == nil {
		t.Fatal("the overlay is not there")
	}
	if p.Build(fn); len(fn.Blocks) == 0 {
		t.Error("the overlay's function has no body")
	}
	cfg.Overlay["sync"]["bad.go"] = "package sync\n\nvar x int = nil\n"
	if got := listErrors(t, cfg, "."); !strings.Contains(got, "bad.go:3:13: cannot use nil") {
		t.Errorf("bad overlay: %s", got)
	}
}

func TestKeepBody(t *testing.T) {
	cfg := Config{Dir: module(t, basic), Tests: true, KeepBody: func(path, name string) bool {
		return path == "runtime" && (name == "(*Func).Name" || name == "Version")
	}}
	p := load(t, cfg, ".")
	rt := p.PackageByPath("runtime").SSA
	for name, want := range map[string]bool{"Version": true, "GC": false} {
		p.Build(rt.Func(name))
		if got := rt.Func(name).Blocks != nil; got != want {
			t.Errorf("runtime.%s has a body: %t", name, got)
		}
	}
}

// TestRecipe checks that a recipe survives encoding, is the same every time, and changes with its sources.
func TestRecipe(t *testing.T) {
	dir := module(t, basic)
	cfg := Config{Dir: dir, Tests: true}
	recipe := func() *Recipe {
		l, err := List(cfg, ".")
		if err != nil || len(l.Recipes) != 1 {
			t.Fatal(err, l)
		}
		return l.Recipes[0]
	}
	a, b := recipe(), recipe()
	if !reflect.DeepEqual(a, b) {
		t.Error("two listings differ")
	}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var c, d Recipe
	if err := json.Unmarshal(text, &c); err != nil || !reflect.DeepEqual(a, &c) {
		t.Errorf("JSON round trip: %v", err)
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(a); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d packages, %d bytes of JSON, %d of gob", len(a.Packages), len(text), buf.Len())
	if per := buf.Len() / len(a.Packages); per > 500 {
		t.Errorf("%d bytes for each package", per)
	}
	if err := gob.NewDecoder(&buf).Decode(&d); err != nil || d.Digest != a.Digest {
		t.Errorf("gob round trip: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "q/q.go"), []byte(basic["q/q.go"]+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if e := recipe(); e.Digest == a.Digest {
		t.Error("the digest does not see a change in a dependency")
	}
}

// TestStdClosure compares the standard packages as read from GOROOT with go list's answer.
func TestStdClosure(t *testing.T) {
	cfg := Config{Dir: module(t, basic), Tests: true}
	l, err := List(cfg, ".")
	if err != nil {
		t.Fatal(err)
	}
	std, _, err := stdClosure(cfg, []string{"testing", "net/http", "unsafe"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]PackageRecipe{}
	for _, p := range std {
		have[p.ID] = p
	}
	for _, p := range l.Recipes[0].Packages {
		if p.Std && !reflect.DeepEqual(p, have[p.ID]) {
			t.Errorf("%s:\ngo list %+v\nGOROOT  %+v", p.ID, p, have[p.ID])
		}
	}
}

// TestCompose makes a recipe package by package, as a vet tool does, and builds it.
func TestCompose(t *testing.T) {
	dir := module(t, basic)
	cfg := Config{Dir: dir, Tests: true, Extra: []string{"testing"}}
	entry := func(id, name, sub string, imports []string, files ...string) PackageRecipe {
		p := PackageRecipe{ID: id, Path: strings.Fields(id)[0], Name: name, Dir: filepath.Join(dir, sub), GoFiles: files, Imports: imports, GoVersion: "go1.24"}
		if err := p.SetDigest(""); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := Compose(entry("example.com/p", "p", "", []string{"context", "fmt", "sync", "testing", "time"}, "p.go", "p_test.go"), nil)
	q := Compose(entry("example.com/p/q", "q", "q", []string{"example.com/p"}, "q.go"), []*Recipe{p})
	p.AddXTest(entry("example.com/p_test", "p_test", "", []string{"example.com/p", "example.com/p/q", "fmt", "testing"}, "a_test.go"), []*Recipe{q})
	if err := p.Complete(cfg); err != nil {
		t.Fatal(err)
	}
	prog, err := NewUniverse(cfg).Build(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := entryNames(prog), "TestB TestA TestX FuzzX ExampleF ExampleF_unordered"; got != want {
		t.Errorf("entries: %s, want %s", got, want)
	}
}
