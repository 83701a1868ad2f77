package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file finds the operations of a package that other goroutines can see.

// A deletion is a statement without which the package compiles.
type deletion struct {
	file     string // its path
	from, to int    // bytes of the statement
	line     int
	text     string
	// first and last are the lines of the innermost function around it.
	first, last int
}

// A checker type-checks packages.
type checker struct {
	fset *token.FileSet
	imp  types.Importer
}

func newChecker() *checker {
	fset := token.NewFileSet()
	return &checker{fset, importer.ForCompiler(fset, "source", nil)}
}

// A source is a package, parsed.
type source struct {
	names []string
	texts map[string][]byte
	files []*ast.File
	info  types.Info
}

// check parses and checks the files of a folder, where replace may stand for one of them.
func (c *checker) check(dir string, replace map[string][]byte) (*source, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	s := &source{names: names, texts: map[string][]byte{}, info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, name := range names {
		text := replace[name]
		if text == nil {
			if text, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		f, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.texts[name] = text
		s.files = append(s.files, f)
	}
	conf := types.Config{Importer: c.imp, GoVersion: "go1.26"}
	_, err = conf.Check(dir, c.fset, s.files, &s.info)
	return s, err
}

// deletions lists those of the package in a folder.
func (c *checker) deletions(dir string) (out []deletion, err error) {
	s, err := c.check(dir, nil)
	if err != nil {
		return nil, err
	}
	for i, f := range s.files {
		for _, d := range s.visible(c.fset, s.names[i], f) {
			if _, err := c.check(dir, map[string][]byte{d.file: d.apply(s.texts[d.file])}); err == nil {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// apply is the text without the statement. Lines stay where they are.
func (d *deletion) apply(text []byte) []byte {
	gone := text[d.from:d.to]
	return slices.Concat(text[:d.from], []byte("{"+strings.Repeat("\n", strings.Count(string(gone), "\n"))+"}"), text[d.to:])
}

// visible lists the statements of a file that are operations.
func (s *source) visible(fset *token.FileSet, name string, f *ast.File) (out []deletion) {
	var around []ast.Node // functions
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if len(around) > 0 && around[len(around)-1] == last {
				around = around[:len(around)-1]
			}
			return true
		}
		stack = append(stack, n)
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			around = append(around, n)
		}
		st, ok := n.(ast.Stmt)
		if !ok || len(around) == 0 || !inList(stack) || !s.isVisible(st, around[len(around)-1]) {
			return true
		}
		fn := around[len(around)-1]
		line := func(p token.Pos) int { return fset.Position(p).Line }
		from, to := fset.Position(st.Pos()).Offset, fset.Position(st.End()).Offset
		text, _, _ := strings.Cut(string(s.texts[name][from:to]), "\n")
		out = append(out, deletion{name, from, to, line(st.Pos()), text, line(fn.Pos()), line(fn.End())})
		return true
	})
	return out
}

// inList reports whether the innermost node stands in a list of statements.
func inList(stack []ast.Node) bool {
	if len(stack) < 2 {
		return false
	}
	switch p := stack[len(stack)-2].(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	case *ast.CommClause:
		return p.Comm != stack[len(stack)-1]
	}
	return false
}

// isVisible reports whether a statement of a function is an operation that others can see: on a channel, of package
// sync or sync/atomic, the start of a goroutine, or a write of memory that is no variable of the function.
func (s *source) isVisible(st ast.Stmt, fn ast.Node) bool {
	switch st := st.(type) {
	case *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
		return true
	case *ast.DeferStmt:
		return s.operates(st.Call)
	case *ast.ExprStmt:
		switch x := ast.Unparen(st.X).(type) {
		case *ast.UnaryExpr:
			return x.Op == token.ARROW
		case *ast.CallExpr:
			return s.operates(x)
		}
	case *ast.IncDecStmt:
		return s.isShared(st.X, fn)
	case *ast.AssignStmt:
		return st.Tok != token.DEFINE && slices.ContainsFunc(st.Lhs, func(x ast.Expr) bool { return s.isShared(x, fn) })
	}
	return false
}

// operates reports whether a call is one of package sync or sync/atomic, or closes a channel.
func (s *source) operates(call *ast.CallExpr) bool {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		_, builtin := s.info.Uses[f].(*types.Builtin)
		return builtin && f.Name == "close"
	case *ast.SelectorExpr:
		fn, ok := s.info.Uses[f.Sel].(*types.Func)
		return ok && fn.Pkg() != nil && (fn.Pkg().Path() == "sync" || fn.Pkg().Path() == "sync/atomic")
	}
	return false
}

// isShared reports whether what is assigned to may be seen outside of a function.
func (s *source) isShared(x ast.Expr, fn ast.Node) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	if !ok {
		return true
	}
	v, ok := s.info.Uses[id].(*types.Var)
	return ok && (v.Pos() < fn.Pos() || v.Pos() > fn.End())
}
