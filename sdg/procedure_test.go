package sdg

import (
	"bytes"
	"fmt"
	"go/ast"
	gobuild "go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/analysistest/long"
)

// A marked file: functions, and the marks on lines.
type marked struct {
	fset  *token.FileSet
	pkg   *ssa.Package
	file  *ast.File
	marks map[int]string // by line
}

func load(t *testing.T, name string) *marked {
	t.Helper()
	m := &marked{fset: token.NewFileSet(), marks: map[int]string{}}
	var err error
	if m.file, err = parser.ParseFile(m.fset, name, nil, parser.ParseComments); err != nil {
		t.Fatal(err)
	}
	for _, g := range m.file.Comments {
		for _, c := range g.List {
			if mark, ok := strings.CutPrefix(c.Text, "// @"); ok {
				m.marks[m.fset.Position(c.Pos()).Line] = mark
			}
		}
	}
	m.pkg = build(t, m.fset, "testdata", []*ast.File{m.file}, unsafeImporter{}, ssa.SanityCheckFunctions)
	return m
}

type unsafeImporter struct{}

func (unsafeImporter) Import(path string) (*types.Package, error) {
	if path != "unsafe" {
		return nil, fmt.Errorf("no package %s", path)
	}
	return types.Unsafe, nil
}

// build makes the SSA form of a package. (It does what ssautil.BuildPackage does, which drags go/packages in.)
func build(t testing.TB, fset *token.FileSet, path string, files []*ast.File, imp types.Importer, mode ssa.BuilderMode) *ssa.Package {
	t.Helper()
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	pkg, err := (&types.Config{Importer: imp}).Check(path, fset, files, info)
	if err != nil {
		t.Fatal(err)
	}
	prog := ssa.NewProgram(fset, mode)
	made := map[*types.Package]bool{}
	var imports func(ps []*types.Package)
	imports = func(ps []*types.Package) {
		for _, p := range ps {
			if !made[p] {
				made[p] = true
				prog.CreatePackage(p, nil, nil, true)
				imports(p.Imports())
			}
		}
	}
	imports(pkg.Imports())
	p := prog.CreatePackage(pkg, files, info, false)
	p.Build()
	return p
}

// functions returns the declared functions and methods of p, and the literals in them.
func functions(p *ssa.Package) (fns []*ssa.Function) {
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		fns = append(fns, fn)
		for _, a := range fn.AnonFuncs {
			add(a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Members)) {
		switch x := p.Members[name].(type) {
		case *ssa.Function:
			add(x)
		case *ssa.Type:
			if named, ok := x.Type().(*types.Named); ok {
				for i := range named.NumMethods() {
					add(p.Prog.FuncValue(named.Method(i)))
				}
			}
		}
	}
	return fns
}

// mark names a node by the mark of its line: "entry", a parameter's name, "" if it has none.
func (m *marked) mark(n Node) string {
	if n.Param != nil {
		return n.Param.Name()
	}
	switch x := n.Instr.(type) {
	case nil:
		return "entry"
	case *ssa.Phi, *ssa.Jump:
		return ""
	case *ssa.If: // has no position
		return m.marks[m.fset.Position(x.Cond.Pos()).Line]
	case *ssa.MakeClosure: // has none either
		return m.marks[m.fset.Position(x.Fn.Pos()).Line]
	case *ssa.RunDefers:
		return m.marks[m.fset.Position(x.Parent().Syntax().End()).Line]
	}
	return m.marks[m.fset.Position(n.Instr.Pos()).Line]
}

// facts says on what each mark depends, as WANT comments do.
func (m *marked) facts(p *Procedure) []string {
	deps := map[string]map[Kind]map[string]bool{}
	note := func(to string, k Kind, from string) {
		if deps[to] == nil {
			deps[to] = map[Kind]map[string]bool{Control: {}, Data: {}, Gate: {}}
		}
		deps[to][k][from] = true
	}
	for id, n := range p.Nodes {
		to := m.mark(n)
		if to == "" || n.Instr == nil {
			continue
		}
		seen := map[NodeID]bool{}
		var through func(id NodeID)
		through = func(id NodeID) {
			for _, e := range p.In(id) {
				from := m.mark(p.Nodes[e.From])
				switch {
				case e.Kind == Control:
				case from == to && !isPhi(p.Nodes[e.To]): // within the line
				case from != "":
					note(to, e.Kind, from)
				case !seen[e.From]:
					seen[e.From] = true
					through(e.From)
				}
			}
		}
		through(NodeID(id))
		for _, e := range p.In(NodeID(id)) {
			if e.Kind == Control {
				note(to, Control, m.mark(p.Nodes[e.From]))
			}
		}
	}
	var out []string
	for to, kinds := range deps {
		var parts []string
		for _, k := range []Kind{Control, Data, Gate} {
			if len(kinds[k]) > 0 {
				parts = append(parts, fmt.Sprintf("%v %s", k, strings.Join(slices.Sorted(maps.Keys(kinds[k])), " ")))
			}
		}
		out = append(out, to+": "+strings.Join(parts, "; "))
	}
	slices.Sort(out)
	return out
}

func isPhi(n Node) bool {
	_, ok := n.Instr.(*ssa.Phi)
	return ok
}

// wants returns the sections of a doc comment. The key is "", "implicit" or a function's name, and the value the lines
// after it, normalised.
func wants(doc string) map[string][]string {
	out := map[string][]string{}
	section, in := "", false
	for _, l := range strings.Split(doc, "\n") {
		if s, ok := strings.CutPrefix(l, "WANT"); ok {
			section, in = strings.Trim(s, " :"), true
		} else if in && l != "" {
			to, rest, _ := strings.Cut(l, ": ")
			var parts []string
			for _, p := range strings.Split(rest, "; ") {
				words := strings.Fields(p)
				slices.Sort(words[1:])
				parts = append(parts, strings.Join(words, " "))
			}
			out[section] = append(out[section], to+": "+strings.Join(parts, "; "))
		}
	}
	for _, ls := range out {
		slices.Sort(ls)
	}
	return out
}

// TestGraphsByHand compares graphs with what their functions' comments say, worked out by hand from the source.
func TestGraphsByHand(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.go")
	for _, name := range files {
		m := load(t, name)
		for _, d := range m.file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			sections := wants(fd.Doc.Text())
			if len(sections) == 0 {
				t.Errorf("%s: no WANT", fd.Name)
			}
			for section, want := range sections {
				fn, mode := m.pkg.Func(fd.Name.Name), Mode(0)
				switch section {
				case "":
				case "implicit":
					mode = ImplicitExits
				default:
					fn = fn.AnonFuncs[0]
				}
				p := New(fn, mode)
				if err := p.Sanity(); err != nil {
					t.Error(err)
				}
				if got := m.facts(p); !slices.Equal(got, want) {
					var ssaText bytes.Buffer
					fn.WriteTo(&ssaText)
					t.Errorf("%s %s:\ngot\n\t%s\nwant\n\t%s\n%s", fd.Name, section, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"), &ssaText)
				}
			}
		}
	}
}

func TestSlice(t *testing.T) {
	m := load(t, "testdata/branches.go")
	p := New(m.pkg.Func("above"), 0)
	find := func(mark string) (out []NodeID) {
		for id, n := range p.Nodes {
			if m.mark(n) == mark {
				out = append(out, NodeID(id))
			}
		}
		return out
	}
	marks := func(ids []NodeID) string {
		set := map[string]bool{}
		for _, id := range ids {
			set[m.mark(p.Nodes[id])] = true
		}
		delete(set, "")
		return strings.Join(slices.Sorted(maps.Keys(set)), " ")
	}
	for _, c := range []struct {
		what, got, want string
	}{
		{"backward from call", marks(p.Backward(All, find("call")...)), "a b call entry far near two"},
		{"by data alone", marks(p.Backward(Data, find("call")...)), "a b call two"},
		{"by data and gates", marks(p.Backward(Data|Gate, find("call")...)), "a b call near two"},
		{"forward from near", marks(p.Forward(All, find("near")...)), "call near two"},
		{"forward from two", marks(p.Forward(All, find("two")...)), "call two"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %s, want %s", c.what, c.got, c.want)
		}
	}
}

func TestDOT(t *testing.T) {
	m := load(t, "testdata/branches.go")
	var a, b bytes.Buffer
	New(m.pkg.Func("abs"), 0).WriteDOT(&a)
	New(m.pkg.Func("abs"), 0).WriteDOT(&b)
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("two dumps differ")
	}
	for _, want := range []string{`[label="entry"]`, `[label="x"]`, `if t0 goto`, `label="true"`, `style=dashed`} {
		if !strings.Contains(a.String(), want) {
			t.Errorf("no %s in\n%s", want, &a)
		}
	}
}

var realPackages = []string{"sort", "strconv", "encoding/json", "text/template", "go/types", "regexp"}

// realFunctions builds packages of the standard library from source.
func realFunctions(t testing.TB) []*ssa.Function {
	t.Helper()
	fset := token.NewFileSet()
	imp := importer.ForCompiler(fset, "source", nil)
	var fns []*ssa.Function
	for _, path := range realPackages {
		bp, err := gobuild.Import(path, "", 0)
		if err != nil {
			t.Skipf("no source of the standard library: %v", err)
		}
		var files []*ast.File
		for _, name := range bp.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(bp.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		fns = append(fns, functions(build(t, fset, path, files, imp, 0))...)
	}
	return fns
}

// TestGraphsOfRealCode checks the graphs of real code in both modes.
func TestGraphsOfRealCode(t *testing.T) {
	long.Only(t, "loads packages")
	nodes, edges := 0, map[Mode]map[Kind]int{0: {}, ImplicitExits: {}}
	fns := realFunctions(t)
	for _, fn := range fns {
		for _, mode := range []Mode{0, ImplicitExits} {
			p := New(fn, mode)
			if err := p.Sanity(); err != nil {
				t.Error(err)
			}
			if mode == 0 {
				nodes += len(p.Nodes)
			}
			for n := range p.Nodes {
				for _, e := range p.Out(NodeID(n)) {
					edges[mode][e.Kind]++
				}
			}
		}
	}
	t.Logf("%d functions, %d nodes, edges %v, with implicit exits %v", len(fns), nodes, edges[0], edges[ImplicitExits])
}

func BenchmarkReal(b *testing.B) {
	fns := realFunctions(b)
	for _, mode := range []Mode{0, ImplicitExits} {
		b.Run(fmt.Sprintf("mode=%d", mode), func(b *testing.B) {
			nodes := 0
			for b.Loop() {
				nodes = 0
				for _, fn := range fns {
					nodes += len(New(fn, mode).Nodes)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
		})
	}
}
