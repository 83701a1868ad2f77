// Package bugs reads the blocking bugs that the Go distribution carries for its goroutine leak profile, from GOROOT,
// and makes tests of them.
package bugs

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// A Bug is one program of the collection.
type Bug struct {
	Name   string           // of its function
	Expect []*regexp.Regexp // "function(…) [wait]" of the goroutines that leak, as goroutineleakprofile_test.go has them
	source []byte           // the adapted program
}

// Package is the path of the bug's package in the module of tests.
func (b *Bug) Package() string { return "./" + strings.ToLower(b.Name) }

// Folder is the folder of the programs in GOROOT; expectations is the test that drives them.
const (
	Folder       = "src/runtime/testdata/testgoroutineleakprofile/goker"
	expectations = "src/runtime/goroutineleakprofile_test.go"
)

// Read returns the bugs of a GOROOT, sorted by name, adapted.
func Read(goroot string) ([]Bug, error) {
	want, err := readExpectations(filepath.Join(goroot, filepath.FromSlash(expectations)))
	if err != nil {
		return nil, err
	}
	names, err := filepath.Glob(filepath.Join(goroot, filepath.FromSlash(Folder), "*.go"))
	if err != nil {
		return nil, err
	}
	var bugs []Bug
	for _, file := range names {
		if filepath.Base(file) == "main.go" {
			continue
		}
		name, src, err := adapt(file)
		if err != nil {
			return nil, err
		}
		bugs = append(bugs, Bug{name, want[name], src})
	}
	if len(bugs) == 0 {
		return nil, fmt.Errorf("%s has no programs: the collection came with Go 1.26", filepath.Join(goroot, Folder))
	}
	slices.SortFunc(bugs, func(a, b Bug) int { // the order of their packages
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return bugs, nil
}

// readExpectations returns the expressions by program: the arguments of makeTest and makeFlakyTest. One program's
// stand in a comment there, because it also crashes natively now and then.
func readExpectations(name string) (map[string][]*regexp.Regexp, error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	want := map[string][]*regexp.Regexp{}
	add := func(texts []string) error {
		for _, t := range texts[1:] {
			rx, err := regexp.Compile(t)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			want[texts[0]] = append(want[texts[0]], rx)
		}
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if id, ok := call.Fun.(*ast.Ident); !ok || id.Name != "makeTest" && id.Name != "makeFlakyTest" {
			return true
		}
		var texts []string
		for _, a := range call.Args {
			if lit, ok := a.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				s, e := strconv.Unquote(lit.Value)
				if e != nil {
					err = e
				}
				texts = append(texts, s)
			}
		}
		if len(texts) == len(call.Args) && len(texts) > 0 {
			if e := add(texts); e != nil {
				err = e
			}
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	quoted := regexp.MustCompile("\"[A-Z][a-z]+[0-9]+\"|`[^`]+`")
	for _, g := range f.Comments {
		if t := g.Text(); strings.Contains(t, "makeTest(testCase{") {
			var texts []string
			for _, q := range quoted.FindAllString(t, -1) {
				texts = append(texts, strings.Trim(q, "\"`"))
			}
			if err := add(texts); err != nil {
				return nil, err
			}
		}
	}
	return want, nil
}

// adapt makes a test of one program. It changes four things:
//
//   - The calls of the profile and of the registry go.
//   - A loop in the registered function itself starts many copies of the program, so that one of them may fail
//     natively. It makes one copy.
//   - A loop elsewhere of at least manyRounds waits for the unlikely in the same way (Kubernetes58107 has the only
//     two). It makes one round.
//   - The function is called by a test of its name.
func adapt(file string) (name string, src []byte, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments) // astutil.UsesImport needs the objects
	if err != nil {
		return "", nil, err
	}
	f.Name.Name = Module
	decls := f.Decls[:0]
	var main *ast.FuncDecl
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && fn.Name.Name == "init" {
			if name != "" {
				return "", nil, fmt.Errorf("%s: a second init", file)
			}
			if name = registered(fn); name == "" {
				return "", nil, fmt.Errorf("%s: init registers no program", file)
			}
			continue
		}
		decls = append(decls, d)
	}
	f.Decls = decls
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == name {
			main = fn
		}
	}
	if main == nil {
		return "", nil, fmt.Errorf("%s: no function %q", file, name)
	}
	profile, loops := 0, 0
	astutil.Apply(main.Body, func(c *astutil.Cursor) bool {
		switch s := c.Node().(type) {
		case *ast.AssignStmt:
			if id, ok := s.Lhs[0].(*ast.Ident); ok && id.Name == "prof" {
				profile++
				c.Delete()
				return false
			}
		case *ast.ExprStmt:
			if call, ok := s.X.(*ast.CallExpr); ok {
				if sel, ok := call.Fun.(*ast.SelectorExpr); ok && isIdent(sel.X, "prof") {
					profile++
					c.Delete()
					return false
				}
			}
		}
		return true
	}, nil)
	for _, s := range main.Body.List {
		if loop, ok := s.(*ast.ForStmt); ok {
			if err := once(loop); err != nil {
				return "", nil, fmt.Errorf("%s: %s: %w", file, name, err)
			}
			loops++
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		loop, ok := n.(*ast.ForStmt)
		if !ok {
			return true
		}
		if cond, ok := loop.Cond.(*ast.BinaryExpr); ok {
			if bound, ok := cond.Y.(*ast.BasicLit); ok && bound.Kind == token.INT {
				if n, e := strconv.Atoi(bound.Value); e == nil && n >= manyRounds {
					err = once(loop)
				}
			}
		}
		return err == nil
	})
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", file, err)
	}
	if profile != 2 || loops > 1 {
		return "", nil, fmt.Errorf("%s: %s: %d statements of the profile and %d loops, want 2 and at most 1", file, name, profile, loops)
	}
	for _, path := range []string{"os", "runtime/pprof"} {
		if !astutil.UsesImport(f, path) {
			astutil.DeleteImport(fset, f, path)
		}
	}
	var b bytes.Buffer
	if err := format.Node(&b, fset, f); err != nil {
		return "", nil, err
	}
	return name, b.Bytes(), nil
}

// manyRounds is the least count of a loop that makes one round instead.
const manyRounds = 100_000

// registered returns the name of the function that an init registers.
func registered(fn *ast.FuncDecl) (name string) {
	ast.Inspect(fn, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && isIdent(c.Fun, "register") && len(c.Args) == 2 {
			if id, ok := c.Args[1].(*ast.Ident); ok {
				name = id.Name
			}
		}
		return true
	})
	return name
}

// once makes a loop of the form "for i := 0; i < 1000; i++" or "i <= 1000" run once.
func once(loop *ast.ForStmt) error {
	cond, ok := loop.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.LSS && cond.Op != token.LEQ {
		return fmt.Errorf("a loop that is not counted")
	}
	bound, ok := cond.Y.(*ast.BasicLit)
	if !ok || bound.Kind != token.INT {
		return fmt.Errorf("a loop with an unknown bound")
	}
	bound.Value = "1"
	if cond.Op == token.LEQ {
		bound.Value = "0"
	}
	return nil
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// Module is the path of the module of tests, and the name of each of its packages.
const Module = "goker"

// Write makes the module of tests in dir, with a package for each bug.
func Write(dir string, bugs []Bug) error {
	files := map[string][]byte{"go.mod": []byte("module " + Module + "\n\ngo 1.26\n")}
	for _, b := range bugs {
		sub := strings.ToLower(b.Name) + "/"
		files[sub+"bug.go"] = b.source
		// What is left of main.go of the collection.
		files[sub+"common.go"] = []byte("package " + Module + "\n\nconst yieldCount = 10\n")
		files[sub+"bug_test.go"] = fmt.Appendf(nil, "package %s\n\nimport \"testing\"\n\nfunc Test%s(t *testing.T) { %s() }\n", Module, b.Name, b.Name)
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}
