package machine

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-go/heddle/analysistest/long"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

var update = flag.Bool("update", false, "write the golden files")

// boundaryPackages are packages that tests of ordinary programs are made of; their closures overlap.
var boundaryPackages = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring", "context", "crypto/sha256", "crypto/tls",
	"embed", "encoding/base64", "encoding/binary", "encoding/gob", "encoding/json", "encoding/xml", "errors", "expvar", "flag", "fmt",
	"html/template", "io", "io/fs", "iter", "log", "log/slog", "maps", "math", "math/big", "math/rand", "math/rand/v2",
	"net", "net/http", "net/http/httptest", "os", "os/exec", "os/signal", "path/filepath", "reflect", "regexp", "runtime",
	"runtime/debug", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "syscall", "testing", "testing/fstest",
	"testing/iotest", "testing/quick", "testing/synctest", "text/template", "time", "unicode/utf8", "unique", "unsafe", "weak",
}

// loadMain builds a main package of one file.
func loadMain(t *testing.T, file string) *program.Program {
	t.Helper()
	cfg := program.Config{Overlay: Overlay(), KeepBody: KeepBody, Extra: []string{"runtime"}, LateBodies: true}
	once.Do(func() { universe = program.NewUniverse(cfg) })
	return loadIn(t, universe, cfg, file)
}

// universe holds the standard library that all programs share.
var (
	universe *program.Universe
	once     sync.Once
)

func loadIn(t *testing.T, u *program.Universe, cfg program.Config, file string) *program.Program {
	t.Helper()
	l, err := program.List(cfg, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Errors) > 0 {
		t.Fatal(l.Errors)
	}
	p, err := u.Build(l.Recipes[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestBoundary lists the functions without a body that code of common packages calls, and that the machine does not
// have: a program that calls one ends as Unsupported. The list is testdata/missing.txt, so that it can be read.
// Run with -update to write it.
func TestBoundary(t *testing.T) {
	long.Only(t, "builds the SSA of most of the standard library")
	file := filepath.Join(t.TempDir(), "main.go")
	var src strings.Builder
	src.WriteString("package main\n\nimport (\n")
	for _, p := range boundaryPackages {
		fmt.Fprintf(&src, "\t_ %q\n", p)
	}
	src.WriteString(")\n\nfunc main() {}\n")
	if err := os.WriteFile(file, []byte(src.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg := program.Config{Overlay: Overlay(), KeepBody: KeepBody, Extra: []string{"runtime"}} // all bodies
	m := New(loadIn(t, program.NewUniverse(cfg), cfg, file), Config{}).vm
	callers := map[string]map[string]bool{}
	seen := map[*ssa.Function]bool{}
	var visit func(fn *ssa.Function)
	visit = func(fn *ssa.Function) {
		if fn.TypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 || fn.Signature.RecvTypeParams().Len() > 0 && len(fn.TypeArgs()) == 0 {
			return
		}
		f := m.Func(fn)
		if seen[f.SSA] || f.Intrinsic != nil {
			return
		}
		seen[f.SSA] = true
		for _, b := range f.SSA.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					callee, ok := (*op).(*ssa.Function)
					if !ok || callee.TypeParams().Len() > 0 && len(callee.TypeArgs()) == 0 {
						continue
					}
					if g := m.Callee(f, callee); g.Missing != "" {
						if callers[g.Missing] == nil {
							callers[g.Missing] = map[string]bool{}
						}
						callers[g.Missing][f.Name] = true
					} else if callee.Parent() != nil || callee.Origin() != nil {
						visit(callee)
					}
				}
			}
		}
	}
	for _, p := range m.Program.Init {
		if p.Boundary {
			continue
		}
		for _, mem := range p.SSA.Members {
			switch mem := mem.(type) {
			case *ssa.Function:
				visit(mem)
			case *ssa.Type:
				for _, fn := range methodsOf(m, mem) {
					visit(fn)
				}
			}
		}
	}
	var lines []string
	for name, by := range callers {
		var names []string
		for c := range by {
			names = append(names, c)
		}
		sort.Strings(names)
		if len(names) > 3 {
			names = append(names[:3], fmt.Sprintf("and %d more", len(names)-3))
		}
		lines = append(lines, name+": "+strings.Join(names, ", ")+"\n")
	}
	sort.Strings(lines)
	golden(t, "testdata/missing.txt", strings.Join(lines, ""))
}

// methodsOf returns the declared methods of a type.
func methodsOf(m *vm.Machine, t *ssa.Type) []*ssa.Function {
	named, ok := t.Type().(*types.Named)
	if !ok || named.TypeParams().Len() > 0 {
		return nil
	}
	var fns []*ssa.Function
	for f := range named.Methods() {
		if fn := m.Program.SSA.FuncValue(f); fn != nil {
			fns = append(fns, fn)
		}
	}
	return fns
}

// golden compares text with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if v := runtime.Version(); !strings.HasPrefix(v, "go1.26") {
		t.Skip("the list is that of go1.26, this is", v)
	}
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is out of date (go test -run %s -update): got\n%s", file, t.Name(), got)
	}
}
