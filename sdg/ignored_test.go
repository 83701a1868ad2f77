package sdg

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// stubs are what testdata/ignored/ignored.go uses of the standard library.
var stubs = map[string]string{
	"sync/atomic": `package atomic
type Int32 struct{ v int32 }
func (x *Int32) Load() int32 { return LoadInt32(&x.v) }
func (x *Int32) Store(n int32) { StoreInt32(&x.v, n) }
func (x *Int32) Add(n int32) int32 { return AddInt32(&x.v, n) }
func (x *Int32) CompareAndSwap(old, new int32) bool { return CompareAndSwapInt32(&x.v, old, new) }
func LoadInt32(p *int32) int32
func StoreInt32(p *int32, n int32)
func AddInt32(p *int32, n int32) int32
func CompareAndSwapInt32(p *int32, old, new int32) bool
`,
	"reflect": `package reflect
type Value struct{ p *int }
func ValueOf(x any) Value { return Value{} }
func (v Value) Int() int { return *v.p }
`,
}

// A stubImporter makes the types of stubs.
type stubImporter struct {
	fset *token.FileSet
	made map[string]*types.Package
}

func (m stubImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if m.made[path] == nil {
		f, err := parser.ParseFile(m.fset, path, stubs[path], 0)
		if err != nil {
			return nil, err
		}
		p, err := new(types.Config).Check(path, m.fset, []*ast.File{f}, nil)
		if err != nil {
			return nil, err
		}
		m.made[path] = p
	}
	return m.made[path], nil
}

// ignoredIn returns what the lines of a file load, by line: whether all of it is ignored.
func ignoredIn(t *testing.T, name string, runs func(fn *ssa.Function) bool) (marks map[int]string, all map[int]bool) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg := build(t, fset, "ignored", []*ast.File{file}, stubImporter{fset, map[string]*types.Package{}}, ssa.SanityCheckFunctions|ssa.InstantiateGenerics)
	var run []*ssa.Function
	for fn := range allFunctions(pkg) {
		if runs(fn) {
			run = append(run, fn)
		}
	}
	g := NewIgnored(run, nil, func(p *types.Package) bool { return p != pkg.Pkg })
	loads := g.Loads()
	marks, all = make(map[int]string), make(map[int]bool)
	for _, c := range file.Comments {
		if _, mark, ok := strings.Cut(c.Text(), "@"); ok {
			marks[fset.Position(c.Pos()).Line] = strings.TrimSpace(mark)
		}
	}
	g.each(func(_ *ssa.Function, in ssa.Instruction) {
		u, isLoad := in.(*ssa.UnOp)
		c, isCall := in.(*ssa.Call)
		if isLoad && u.Op == token.MUL && isNumber(u.Type()) || isCall && (atomicOf(c) == "Load" || atomicOf(c) == "Add") {
			line := fset.Position(in.Pos()).Line
			ignored, seen := all[line]
			all[line] = loads[in] && (ignored || !seen)
		}
	})
	return marks, all
}

// allFunctions returns the functions that a package declares, their literals, and all that these mention.
func allFunctions(pkg *ssa.Package) map[*ssa.Function]bool {
	out := make(map[*ssa.Function]bool)
	for todo := functions(pkg); len(todo) > 0; {
		fn := todo[0]
		if todo = todo[1:]; out[fn] {
			continue
		}
		out[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, v := range in.Operands(nil) {
					if f, ok := (*v).(*ssa.Function); ok {
						todo = append(todo, f)
					}
				}
			}
		}
	}
	return out
}

// TestIgnored compares which loads are ignored with the marks of testdata: rules IGN1 to IGN6.
func TestIgnored(t *testing.T) {
	testIgnored(t, "testdata/ignored/unsafe.go", false)
	testIgnored(t, "testdata/ignored/ignored.go", false)
	testIgnored(t, "testdata/ignored/ignored.go", true)
}

func testIgnored(t *testing.T, name string, reflects bool) {
	marks, all := ignoredIn(t, name, func(fn *ssa.Function) bool {
		return reflects || fn.Name() != "reflects" && !strings.Contains(fn.String(), "reflect.")
	})
	for _, line := range slices.Sorted(maps.Keys(all)) {
		mark := marks[line]
		want := mark == "ignored" || mark == "ignored reflect" && !reflects
		switch {
		case mark == "" && all[line]:
			t.Errorf("%s:%d: it is ignored, and has no mark", name, line)
		case mark != "" && all[line] != want:
			t.Errorf("%s:%d: ignored %v, want %v (reflection %v)", name, line, all[line], want, reflects)
		}
		delete(marks, line)
	}
	for line, mark := range marks {
		if !strings.Contains(mark, "\n") && mark != "" && line > 10 {
			t.Errorf("%s:%d: nothing is loaded, and it has the mark %s", name, line, mark)
		}
	}
}
