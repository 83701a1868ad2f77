package program

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/program/gcorder/gcordertest"
)

// TestInitOrder compares with the order in which a compiled binary says that it initialises packages. The trace names
// only those that have something to run.
func TestInitOrder(t *testing.T) {
	// The short tests link less: the linker takes as long as the rest.
	imports, values := long.Pick("", "\t\"log/slog\"\n\t\"net/http\"\n\t\"text/template\"\n"), long.Pick("", `, "d": http.DefaultClient, "e": template.IsTrue, "g": slog.Default()`)
	dir := module(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"main.go": `package main

import (
	"context"
	"encoding/json"
	"fmt"
` + imports + `	"time"

	_ "example.com/m/b.c"
	_ "example.com/m/z"
)

var X = map[string]any{"a": context.Background(), "b": json.Valid, "c": fmt.Sprint(), "f": time.Now()` + values + `}

func main() { println(len(X)) }
`,
		"a/a.go":   "package a\n\nvar X = map[int]int{1: 2}\n\nfunc init() { X[1]++ }\n",
		"b.c/b.go": "package b\n\nvar X = map[int]int{1: 2}\n\nfunc init() { X[1]++ }\n",
		"z/z.go":   "package z\n\nimport \"example.com/m/a\"\n\nvar X = a.X[1]\n",
	})
	exe := filepath.Join(dir, "m.exe")
	env := append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	build := exec.Command("go", "build", "-tags="+strings.Join(stdTags, ","), "-o", exe, ".")
	build.Dir, build.Env = dir, env
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	run := exec.Command(exe)
	run.Env = append(env, "GODEBUG=inittrace=1")
	var trace bytes.Buffer
	run.Stderr = &trace
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @`).FindAllStringSubmatch(trace.String(), -1) {
		want = append(want, strings.ReplaceAll(m[1], "%2e", "."))
	}
	if len(want) < 20 {
		t.Fatalf("the trace is short:\n%s", trace.Bytes())
	}

	p := load(t, Config{Dir: dir}, ".")
	var got []string
	pos := map[*Package]int{}
	for i, pkg := range p.Init {
		pos[pkg] = i
		for _, d := range pkg.Imports {
			if pos[d] >= i && d != pkg {
				t.Errorf("%s is initialised before %s, which it imports", pkg.Path, d.Path)
			}
		}
		path := pkg.Path
		if path == "example.com/m" {
			path = "main"
		}
		if slices.Contains(want, path) {
			got = append(got, path)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("order of initialisation:\ngot  %s\nwant %s", strings.Join(got, " "), strings.Join(want, " "))
	}
}

func TestResolve(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"main.go": `package main

import (
	"fmt"
	"reflect"
	"sync"
	"time"
	"example.com/m/q"
	_ "unsafe"
)

//go:linkname pulled example.com/m/q.hidden
func pulled() int

//go:linkname method example.com/m/q.(*T).secret
func method(*q.T) int

//go:linkname pushedTo example.com/m/q.wanted
func pushedTo() int { return 3 }

//go:linkname alias example.com/m/q.variable
var alias int

func nowhere()

func main() { fmt.Println(pulled(), method(nil), q.Wanted(), alias, time.Now(), reflect.TypeOf(1), sync.Mutex{}); nowhere() }
`,
		"main.s":   "",
		"q/q.go":   "package q\n\nimport _ \"unsafe\"\n\nvar variable int\n\nfunc hidden() int { return 1 }\n\ntype T struct{}\n\nfunc (*T) secret() int { return 2 }\n\nfunc wanted() int\n\nfunc Wanted() int { return wanted() }\n",
		"q/q.s":    "",
		"x/unused": "",
	})
	p := load(t, Config{Dir: dir}, ".")
	fn := func(path, name string) *ssa.Function {
		t.Helper()
		f := p.PackageByPath(path).SSA.Func(name)
		if f == nil {
			t.Fatalf("no %s.%s", path, name)
		}
		return f
	}
	const m, q = "example.com/m", "example.com/m/q"
	tests := []struct{ path, name, body, symbol string }{
		{m, "pulled", "example.com/m/q.hidden", q + ".hidden"},
		{m, "method", "(*example.com/m/q.T).secret", "(*example.com/m/q.T).secret"},
		{q, "wanted", "example.com/m.pushedTo", m + ".pushedTo"},
		{m, "nowhere", "", m + ".nowhere"},
		{m, "main", m + ".main", m + ".main"},
		{"time", "Sleep", "", "time.Sleep"},
		{"sync/atomic", "AddInt32", "", "sync/atomic.AddInt32"},
		{"reflect", "unsafe_New", "", "reflect.unsafe_New"},
		{"sync", "runtime_Semacquire", "", "sync.runtime_Semacquire"},
		{"sync", "throw", "", "sync.throw"},
		{"os", "runtime_args", "", "os.runtime_args"},
		{"internal/poll", "runtimeNano", "", "runtime.nanotime"},
		{"os", "checkClonePidfd", "syscall.os_checkClonePidfd", "syscall.os_checkClonePidfd"},
	}
	for _, test := range tests {
		body, symbol := p.Resolve(fn(test.path, test.name))
		got := ""
		if body != nil {
			got = body.String()
		}
		if got != test.body || symbol != test.symbol {
			t.Errorf("%s.%s: body %q, symbol %q; want %q, %q", test.path, test.name, got, symbol, test.body, test.symbol)
		}
	}
	v, symbol := p.ResolveVar(p.Root.SSA.Var("alias"))
	if v.String() != "example.com/m/q.variable" || symbol != "example.com/m/q.variable" {
		t.Errorf("alias: %v, %s", v, symbol)
	}
}

// TestUnresolved counts what stays without a body in a large closure, as a guard against directives that are not
// followed.
func TestUnresolved(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":  "module example.com/m\n\ngo 1.24\n",
		"main.go": "package main\n\nimport (\n\t_ \"" + long.Pick("os/exec", "net/http") + "\"\n\t\"encoding/json\"\n)\n\nfunc main() { println(json.Valid) }\n",
	})
	p := load(t, Config{Dir: dir}, ".")
	bodies, without, functions := 0, 0, 0
	for _, pkg := range p.Init {
		for _, mem := range pkg.SSA.Members {
			f, ok := mem.(*ssa.Function)
			if !ok || pkg.Boundary || pkg.Path == "unsafe" {
				continue
			}
			functions++
			p.Build(f)
			gcordertest.Check(t, f)
			if len(f.Blocks) > 0 {
				continue
			}
			if body, symbol := p.Resolve(f); body != nil {
				bodies++
				if len(body.Blocks) == 0 {
					t.Errorf("%s resolves to %s, which has no body", f, body)
				}
			} else {
				without++
				if symbol == "" {
					t.Errorf("%s has no symbol", f)
				}
			}
		}
	}
	t.Logf("%d packages, %d functions; of those without body %d were found elsewhere, %d were not", len(p.Init), functions, bodies, without)
	if bodies == 0 || without > 300 {
		t.Errorf("found %d, not found %d", bodies, without)
	}
}

// TestPositions checks that no instruction of user code lacks a line, and that the line is one of its function.
func TestPositions(t *testing.T) {
	dir := module(t, map[string]string{
		"go.mod":  "module example.com/m\n\ngo 1.24\n",
		"main.go": positionSource,
	})
	p := load(t, Config{Dir: dir}, ".")
	n := 0
	for fn := range reachable(p, p.Root.SSA.Func("init"), p.Root.SSA.Func("main")) {
		pkg := p.u.packageOf(fn)
		if pkg == nil || pkg.Std || fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "instance of") && !(fn.Synthetic == "package initializer") {
			continue
		}
		var first, last int
		if s := fn.Syntax(); s != nil {
			first, last = p.Fset.Position(s.Pos()).Line, p.Fset.Position(s.End()).Line
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				n++
				switch pos := p.Pos(instr); {
				case (fn.Synthetic == "package initializer") && pos.Line == 0 && len(b.Instrs) == 1: // the return of an empty initialiser
				case pos.Line == 0 || filepath.Base(pos.Filename) != "main.go":
					t.Errorf("%s: %s has no position (%v)", fn, instr, pos)
				case first > 0 && (pos.Line < first || pos.Line > last):
					t.Errorf("%s: %s is said to stand at %v", fn, instr, pos)
				}
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d instructions", n)
	}
}

const positionSource = `package main

import (
	"fmt"
	"sync"
)

type T struct {
	mu sync.Mutex
	n  int
}

var total = make(map[string]int)

func (t *T) add(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n += n
	total["x"] += n
}

func sum[X int | float64](xs ...X) (s X) {
	for _, x := range xs {
		s += x
	}
	return
}

func main() {
	var wg sync.WaitGroup
	t := &T{}
	shared := 0
	c := make(chan int)
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shared++
			t.add(i)
			select {
			case c <- shared:
			default:
			}
		}()
	}
	wg.Wait()
	var x any = shared
	switch y := x.(type) {
	case int:
		fmt.Println(y, sum(1, 2, y), total)
	case error:
		panic(y)
	}
	for k, v := range total {
		if v > 0 && shared > 1 || k == "" {
			fmt.Println(k)
		}
	}
	for v := range func(yield func(int) bool) { yield(shared) } {
		shared += v
	}
}
`
