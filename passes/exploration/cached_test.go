package exploration

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/passes/cache"
	"github.com/heddle-go/heddle/passes/closure"
	"github.com/heddle-go/heddle/program"
	"github.com/heddle-go/heddle/program/digest"
)

// The module of these tests: package p with tests of its own, and package q that it imports.
var keptModule = map[string]string{
	"p/p.go": `package p

import (
	_ "embed"
	"example.com/q"
)

type T struct{ n int }

func (t T) Get() int { return t.n }

const Size = 2

//go:embed data.txt
var data string

var start = initial()

func initial() int { return 1 }

func init() { start++ }

func helper() int { return q.Two() + Size }

func reaches(x any) bool { _, ok := x.(interface{ String() string }); return ok }

func unused() int { return 3 }

var shared int
`,
	"p/data.txt":       "embedded",
	"p/testdata/f.txt": "file",
	"p/p_test.go": `package p

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
)

func both(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	f()
	wg.Wait()
}

func TestHelper(t *testing.T) {
	ch := make(chan int)
	go func() { ch <- helper() }()
	if <-ch != 4 {
		t.Error("helper")
	}
}

func TestRace(t *testing.T) {
	n := 0
	both(func() { n++ })
}

func TestFile(t *testing.T) {
	_, err := os.Stat("missing.txt")
	text, _ := os.ReadFile("testdata/f.txt")
	if both(func() {}); string(text) != "file" || err == nil {
		t.Error("file")
	}
}

func TestFolder(t *testing.T) {
	list, _ := os.ReadDir("testdata")
	if both(func() {}); len(list) != 1 {
		t.Error(list)
	}
}

func TestWhere(t *testing.T) {
	_, _, line, _ := runtime.Caller(0)
	if both(func() {}); line%2 == 1 {
		t.Error("odd")
	}
}

func TestEnv(t *testing.T) {
	if both(func() {}); os.Getenv("HOME") != "/tmp" {
		t.Error(os.Getenv("HOME"))
	}
}

func TestParallelA(t *testing.T) {
	t.Parallel()
	shared++
}

func TestParallelB(t *testing.T) {
	t.Parallel()
	both(func() {})
	shared++
}

func TestData(t *testing.T) {
	if both(func() {}); data != "embedded" || start != 2 || reaches(T{}) {
		t.Error(data)
	}
}

func ExamplePrint() {
	both(func() {})
	fmt.Println("a")
	// Output: a
}
`,
	"q/q.go": `package q

func Two() Number { return two }

type Number = int

const two = 2
`,
}

// A kept is a copy of the module on disk.
type kept struct {
	t     *testing.T
	dir   string
	files map[string]string
}

func newKept(t *testing.T) *kept {
	k := &kept{t, t.TempDir(), map[string]string{}}
	for name, text := range keptModule {
		k.write(name, text)
	}
	return k
}

func (k *kept) write(name, text string) {
	k.t.Helper()
	k.files[name] = text
	file := filepath.Join(k.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		k.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		k.t.Fatal(err)
	}
}

// recipe is that of a package with what it imports of the module.
func (k *kept) recipe(name string) *program.Recipe {
	k.t.Helper()
	dir := filepath.Join(k.dir, name)
	p := program.PackageRecipe{ID: "example.com/" + name, Path: "example.com/" + name, Name: name, Dir: dir, GoVersion: "go1.26"}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	var deps []*program.Recipe
	imports := map[string]bool{}
	for _, file := range files {
		base := filepath.Base(file)
		switch filepath.Ext(base) {
		case ".txt":
			p.EmbedFiles = append(p.EmbedFiles, base)
		case ".go":
			p.GoFiles = append(p.GoFiles, base)
			syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				k.t.Fatal(err)
			}
			for _, spec := range syntax.Imports {
				path, _ := strconv.Unquote(spec.Path.Value)
				if rest, own := strings.CutPrefix(path, "example.com/"); own && !imports[path] {
					deps = append(deps, k.recipe(rest))
				}
				imports[path] = true
			}
		}
	}
	for path := range imports {
		p.Imports = append(p.Imports, path)
	}
	slices.Sort(p.Imports)
	if err := p.SetDigest("go1.26"); err != nil {
		k.t.Fatal(err)
	}
	return program.Compose(p, deps)
}

// keptStd is a recipe with the packages of the standard library.
var keptStd *program.Recipe

var keptUniverse = program.NewUniverse(closure.Config(""))

// explore explores package p with a cache, nil for none. It returns all that a user is shown, and the names of the
// entries that were explored.
func (k *kept) explore(store *cache.Store) (shown, explored string) {
	k.t.Helper()
	shown, explored, err := k.try(store)
	if err != nil {
		k.t.Fatal(err)
	}
	return shown, explored
}

// try is explore of a module that may not compile.
func (k *kept) try(store *cache.Store) (shown, explored string, err error) {
	k.t.Helper()
	Cache = store
	defer func() { Cache = nil }()
	r := k.recipe("p")
	if keptStd == nil {
		none := program.PackageRecipe{ID: "none", Path: "none"}
		if err := none.SetDigest("go1.26"); err != nil {
			k.t.Fatal(err)
		}
		keptStd = program.Compose(none, nil)
		cfg := closure.Config(k.dir)
		cfg.Extra = append(cfg.Extra, "embed", "fmt", "os", "runtime", "sync", "testing", "container/ring")
		if err := keptStd.Complete(cfg); err != nil {
			k.t.Fatal(err)
		}
	}
	r = program.Compose(*r.Package(r.Root), []*program.Recipe{r, keptStd})
	c := &closure.Result{Recipe: r, Universe: keptUniverse, Packages: []string{"example.com/p", "example.com/p_test"}}
	rest := new(Rest)
	w := Watcher{Turns: new(Turns)}
	res := explorePackage(c, w, rest)
	rest.report = func() {}
	rest.Turns(w)
	rest.Finish(w)
	if res.Err != nil {
		return "", "", res.Err
	}
	var b, again strings.Builder
	fmt.Fprintln(&b, res.Names, res.Matched, res.Skipped, res.Sequential, res.Conflicts, res.ConflictsLeft)
	for _, e := range res.all() {
		s := e.Result.Stats
		fmt.Fprintln(&b, e.Name, e.Kind, e.Pos, e.Verdict(), s.Executions, s.Events, s.Classes, s.Replays, s.Work, e.Result.SkipText)
		for i := range e.Result.Findings {
			f := &e.Result.Findings[i]
			v := e.View(f)
			fmt.Fprintln(&b, v.Position(f), v.Message(f), v.Text(f), v.Table(f), v.Fingerprint(f), v.Related(f))
		}
		if !e.Cached {
			fmt.Fprint(&again, strings.TrimPrefix(e.Name, "Test"), " ")
		}
	}
	return b.String(), strings.TrimSpace(again.String()), nil
}

// all are the entries, and the pair with a race, as explore names them.
const all = "Helper Race File Folder Where Env ParallelA ParallelB Data ExamplePrint ParallelA|TestParallelB"

// pairs are those that are explored where one of the two is.
const pairs = "ParallelA ParallelB ParallelA|TestParallelB"

// TestKey shows that an answer depends on each part of the key. After an edit of a part, the entries that depend on it
// are explored again, and others are not. What is shown is in each case what a run without a cache shows. Every run of
// the tests makes the edits that are marked; package digest tests more of them.
func TestKey(t *testing.T) {
	k, store := newKept(t), cache.Open(t.TempDir())
	before, explored := k.explore(store)
	if explored != all {
		t.Fatalf("with an empty cache %s were explored", explored)
	}
	for _, tt := range []struct {
		name, file, old, new string
		again                string // what is explored
		always               bool
	}{
		{"comment (DIG1)", "p/p.go", "func helper", "// A comment.\nfunc helper", "", false},
		{"comment before who asks for lines (KEY6)", "p/p_test.go", "func TestWhere", "// A comment.\nfunc TestWhere", "Where", true},
		{"unused function", "p/p.go", "func unused", "func unused2() int { return 4 }\n\nfunc unused", "", false},
		{"layout", "p/p.go", "{ return q.Two() + Size }", "{\n\treturn q.Two() +\n\t\tSize\n}", "", false},
		{"body of a function that nobody calls", "p/p.go", "return 3", "return 5", "", false},
		{"body (KEY5)", "p/p.go", "q.Two() + Size", "Size + q.Two()", "Helper", true},
		{"body of an import", "q/q.go", "return two", "return two + 0", "Helper", false},
		{"constant (DIG1)", "p/p.go", "Size = 2", "Size = 3", "Helper", false},
		{"constant of an import", "q/q.go", "two = 2", "two = 3", "Helper", false},
		{"test with a race", "p/p_test.go", "n++", "n += 2", "Race " + pairs, false},
		{"function that hides a universal one", "p/p_test.go", "func ExamplePrint", "func len([]os.DirEntry) int { return 1 }\n\nfunc ExamplePrint", "Folder", false},
		{"method (DIG4)", "p/p.go", "func (t T) Get", "func (t T) String() string { return \"\" }\n\nfunc (t T) Get", "Data", true},
		{"field (DIG4)", "p/p.go", "n int }", "n, m int }", "Data", false},
		{"tag (DIG4)", "p/p.go", "n int }", "n int `json:\"n\"` }", "Data", false},
		{"type", "q/q.go", "const two", "type U int\n\nconst two", "", false},
		{"variable (DIG2)", "q/q.go", "const two", "var V = 1\n\nconst two", all, false},
		{"initialiser (DIG2)", "p/p.go", "start = initial()", "start = initial() + 0", all, false},
		{"what an initialiser calls (NOTE2)", "p/p.go", "return 1", "return 1 + 0", all, true},
		{"init function (DIG2)", "p/p.go", "start++", "start += 1", all, false},
		{"embedded file (DIG2)", "p/data.txt", "embedded", "embedded.", all, false},
		{"mention of TryLock (KEY7)", "p/p.go", "func unused", "func f(m interface{ TryLock() bool }) { m.TryLock() }\n\nfunc unused", all, false},
		{"file that was read (KEY8)", "p/testdata/f.txt", "file", "life", "File", false},
		{"file in a folder that was listed (KEY8)", "p/testdata/g.txt", "", "more", "Folder", true},
		{"expected output (KEY2)", "p/p_test.go", "Output: a", "Output: b", "ExamplePrint", false},
		{"a parallel test", "p/p_test.go", "\tshared++\n}\n\nfunc TestParallelB", "\tshared += 2\n}\n\nfunc TestParallelB", pairs, true},
	} {
		if !tt.always && !long.On() {
			continue
		}
		text, was := k.files[tt.file]
		if tt.old != "" && !strings.Contains(text, tt.old) {
			t.Fatalf("%s: %s has no %q", tt.name, tt.file, tt.old)
		}
		k.write(tt.file, strings.Replace(text, tt.old, tt.new, 1))
		shown, explored := k.explore(store)
		if explored != tt.again {
			t.Errorf("%s: %s were explored again; want %s", tt.name, explored, tt.again)
		}
		if long.On() {
			if want, _ := k.explore(nil); shown != want {
				t.Errorf("%s: with the cache:\n%s\nwithout:\n%s", tt.name, shown, want)
			}
		}
		if k.write(tt.file, text); !was {
			_ = os.Remove(filepath.Join(k.dir, tt.file))
			delete(k.files, tt.file)
		}
	}
	if shown, explored := k.explore(store); shown != before || explored != "" {
		t.Errorf("after all edits were undone %s were explored", explored)
	}
}

// TestKeyFlags shows that what the flags say is in the key: another limit, another environment, another explorer. The
// number of workers changes nothing, and is not in it.
func TestKeyFlags(t *testing.T) {
	long.Only(t, "it explores a module seven times")
	k, store := newKept(t), cache.Open(t.TempDir())
	k.explore(store)
	for _, tt := range []struct {
		set  func()
		miss bool
	}{
		{func() { flags.workers = 2 }, false},
		{func() { flags.executions = 5 }, true},
		{func() { flags.events = 500 }, true},
		{func() { flags.env = EnvFlag{"HOME=/x"} }, true},
		{func() { flags.explorer = "systematic" }, true},
		{func() { flags.leaks = "all" }, true},
		{func() { SpecialOf = func(_, _, entry string) (s Special) { s.Events = 700; return s } }, true},
	} {
		saved := flags
		tt.set()
		shown, explored := k.explore(store)
		if want, _ := k.explore(nil); shown != want {
			t.Errorf("with the cache:\n%s\nwithout:\n%s", shown, want)
		}
		if (explored != "") != tt.miss {
			t.Errorf("explored: %s", explored)
		}
		flags, SpecialOf = saved, nil
	}
}

// TestWholeProgram shows that what is not called counts where executions ignore what no function of the program acts
// upon.
func TestWholeProgram(t *testing.T) {
	saved := flags
	defer func() { flags = saved }()
	for _, tt := range []struct{ deps, again string }{{"static", all}, {"dynamic", ""}} {
		flags.deps = tt.deps
		k, store := newKept(t), cache.Open(t.TempDir())
		k.explore(store)
		k.write("p/p.go", strings.Replace(k.files["p/p.go"], "return 3", "return 5", 1))
		if _, explored := k.explore(store); explored != tt.again {
			t.Errorf("-deps=%s: explored: %q, want %q", tt.deps, explored, tt.again)
		}
	}
}

// TestLengthOfLog shows that an entry is explored again if a position that it logs is written with more characters, for
// that is more work.
func TestLengthOfLog(t *testing.T) {
	k, store := newKept(t), cache.Open(t.TempDir())
	logs := "package p\n\nimport \"testing\"\n" + strings.Repeat("\n", 10) + "func TestLogs(t *testing.T) {\n\tboth(func() {})\n\tt.Log(1)\n}\n"
	k.write("p/q_test.go", logs)
	k.explore(store)
	become := func(name, text string) {
		files := maps.Clone(k.files)
		for _, old := range []string{"p/q_test.go", "p/q_more_test.go"} {
			delete(files, old)
		}
		files[name] = text
		k.become(files)
	}
	for _, tt := range []struct{ name, text, again string }{
		{"p/q_test.go", strings.Replace(logs, "func", "\nfunc", 1), ""},
		{"p/q_test.go", strings.Replace(logs, "func", strings.Repeat("\n", 100)+"func", 1), "Logs"},
		{"p/q_more_test.go", logs, "Logs"},
	} {
		become(tt.name, tt.text)
		shown, explored := k.explore(store)
		if want, _ := k.explore(nil); shown != want || explored != tt.again {
			t.Errorf("%s: explored: %q, want %q; with the cache:\n%s\nwithout:\n%s", tt.name, explored, tt.again, shown, want)
		}
	}
}

// TestNumberOfLocalType shows that an entry is explored again if a function that it does not call declares a type
// before one that it names: the compiler numbers such types, and programs can print the number.
func TestNumberOfLocalType(t *testing.T) {
	k, store := newKept(t), cache.Open(t.TempDir())
	names := `package p

import (
	"fmt"
	"testing"
)

type list[E any] []E

func TestNames(t *testing.T) {
	type local int
	both(func() {})
	if s := fmt.Sprintf("%T", list[local]{}); s != "p.list[example.com/p.local·1]" {
		t.Error(s)
	}
}
`
	k.write("p/q_test.go", names)
	k.explore(store)
	for _, before := range []bool{true, false} {
		const more = "func uncalled() { type other int }\n"
		text, again := names+"\n"+more, ""
		if before {
			text, again = strings.Replace(names, "func TestNames", more+"\nfunc TestNames", 1), "Names"
		}
		k.write("p/q_test.go", text)
		shown, explored := k.explore(store)
		if want, _ := k.explore(nil); shown != want || explored != again {
			t.Errorf("before: %t: explored: %q, want %q; with the cache:\n%s\nwithout:\n%s", before, explored, again, shown, want)
		}
	}
}

// TestPairsHaveTheirTurn shows that a test of which pairs want the accesses is explored with the bound it was first
// explored with. With a larger one it took more work, which was then said of it.
func TestPairsHaveTheirTurn(t *testing.T) {
	saved := flags
	defer func() { flags = saved }()
	flags.work = 2
	k, store := newKept(t), cache.Open(t.TempDir())
	k.explore(store)
	k.write("p/p_test.go", strings.Replace(k.files["p/p_test.go"], "shared++\n}\n\nfunc TestData", "shared += 2\n}\n\nfunc TestData", 1))
	shown, explored := k.explore(store)
	if explored != pairs {
		t.Errorf("explored: %s", explored)
	}
	if want, _ := k.explore(nil); shown != want {
		t.Errorf("with the cache:\n%s\nwithout:\n%s", shown, want)
	}
}

// All settings that an answer may depend on are filled in.
func TestSettings(t *testing.T) {
	k := newKept(t)
	Cache = cache.Open(t.TempDir())
	defer func() { Cache = nil }()
	r := k.recipe("q")
	r.GoVersion, r.GOOS, r.GOARCH, r.GODEBUG = "go1.26", "linux", "amd64", "panicnil=1"
	v := reflect.ValueOf(newKeeper(&closure.Result{Recipe: r, Packages: []string{"example.com/q"}}, Watcher{Turns: new(Turns)}).base)
	for _, name := range []string{"Heddle", "Go", "GOROOT", "GOOS", "GOARCH", "GODEBUG", "Package", "Dir", "Flags", "Env", "Turns"} {
		if v.FieldByName(name).IsZero() {
			t.Errorf("%s is not in the key", name)
		}
	}
}

// A record holds only if each of its parts does.
func TestHolds(t *testing.T) {
	k := newKept(t)
	r := k.recipe("q")
	r.GOARCH = "amd64"
	prog, err := keptUniverse.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	d, file := digest.New(prog), filepath.Join(k.dir, "q/q.go")
	name := d.Names()[0]
	typ := d.Types(name)[0]
	depends := func() cache.Depends {
		return cache.Depends{Files: "then", Shell: d.Shell(), Facts: "facts", Decls: map[string]string{name: d.Of(name)}, Types: map[string]string{typ: d.Type(typ)},
			Lines: map[string]string{name: d.Lines(name)}, World: []cache.Seen{{Path: file, Digest: cache.Look(file)}}}
	}
	for part, change := range map[string]func(*cache.Depends){
		"nothing": func(*cache.Depends) {},
		"shell":   func(d *cache.Depends) { d.Shell = "x" },
		"facts":   func(d *cache.Depends) { d.Facts = "x" },
		"decl":    func(d *cache.Depends) { d.Decls[name] = "x" },
		"type":    func(d *cache.Depends) { d.Types[typ] = "x" },
		"no type": func(d *cache.Depends) { d.Types["none"] = "x" },
		"no decl": func(d *cache.Depends) { d.Decls["none"] = "x" },
		"lines":   func(d *cache.Depends) { d.Lines[name] = "x" },
		"world":   func(d *cache.Depends) { d.World[0].Digest = "missing" },
		"whole":   func(d *cache.Depends) { d.Whole = true },
	} {
		was := depends()
		change(&was)
		for _, files := range []string{"now", "then"} {
			// If all files are the same only the world can be another.
			want := part == "nothing" || files == "then" && part != "world"
			if got := was.Holds(&cache.Current{Files: files, Digest: d, Facts: "facts"}); got != want {
				t.Errorf("%s is another, files are as %s: holds: %t", part, files, got)
			}
		}
	}
}
