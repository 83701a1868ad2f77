package fix

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// A Source is the analysed package as people wrote it: package program's own syntax is in another order.
type Source struct {
	fset  *token.FileSet
	files []*ast.File
	text  map[string][]byte
	info  *types.Info
}

// Parse reads the files of a package, by full path, and type-checks them. imports finds packages by import path; it
// returns nil if it cannot.
func Parse(path string, files []string, read func(string) ([]byte, error), imports func(path string) *types.Package) (*Source, error) {
	s := &Source{fset: token.NewFileSet(), text: map[string][]byte{}, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	for _, name := range files {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(s.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		s.files = append(s.files, f)
		s.text[name] = text
	}
	conf := types.Config{Importer: importerFunc(imports), Error: func(error) {}}
	// Code that does not type-check has no types. Rules that need them propose nothing there. The program itself was
	// checked before.
	_, _ = conf.Check(path, s.fset, s.files, s.info)
	return s, nil
}

type importerFunc func(string) *types.Package

func (f importerFunc) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := f(path); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not in the program", path)
}

// A Fix is one proposal.
type Fix struct {
	Rule    string // its label in the package comment
	Message string // what it does, as a command: "give the channel room for one element"
	Edits   []Edit // by file and offset, without overlaps
}

// An Edit replaces bytes Start up to End of a file.
type Edit struct {
	File       string // full path
	Start, End int
	New        string
}

// Apply returns the files that edits change, formatted as gofmt does.
func Apply(edits []Edit, read func(string) ([]byte, error)) (map[string][]byte, error) {
	byFile := map[string][]Edit{}
	for _, e := range edits {
		byFile[e.File] = append(byFile[e.File], e)
	}
	out := map[string][]byte{}
	for name, es := range byFile {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		if text, err = apply(text, es); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if out[name], err = format.Source(text); err != nil {
			return nil, fmt.Errorf("%s: the edited file does not parse: %w", name, err)
		}
	}
	return out, nil
}

func apply(text []byte, edits []Edit) ([]byte, error) {
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Start - b.Start })
	var b bytes.Buffer
	at := 0
	for i, e := range edits {
		if i > 0 && e == edits[i-1] {
			continue // two findings ask for the same
		}
		if e.Start < at || e.End < e.Start || e.End > len(text) {
			return nil, fmt.Errorf("edits overlap at byte %d", e.Start)
		}
		b.Write(text[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.Write(text[at:])
	return b.Bytes(), nil
}

// edit replaces the source from one position to another.
func (s *Source) edit(from, to token.Pos, text string) Edit {
	p := s.fset.Position(from)
	return Edit{File: p.Filename, Start: p.Offset, End: s.fset.Position(to).Offset, New: text}
}

// textOf is the source of a node.
func (s *Source) textOf(n ast.Node) string {
	p := s.fset.Position(n.Pos())
	return string(s.text[p.Filename][p.Offset:s.fset.Position(n.End()).Offset])
}

// pathAt returns the nodes around a position, innermost first.
func (s *Source) pathAt(p token.Position) []ast.Node {
	for _, f := range s.files {
		tf := s.fset.File(f.FileStart)
		if tf.Name() != p.Filename || p.Offset > tf.Size() {
			continue
		}
		pos := tf.Pos(p.Offset)
		var path []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			path = append(path, n)
			return true
		})
		slices.Reverse(path)
		return path
	}
	return nil
}

// enclosing returns the innermost node of type T in a path.
func enclosing[T ast.Node](path []ast.Node) (T, int) {
	for i, n := range path {
		if t, ok := n.(T); ok {
			return t, i
		}
	}
	var none T
	return none, -1
}

// statement returns the innermost statement of a path that stands in a list of statements, and that list.
func statement(path []ast.Node) (ast.Stmt, []ast.Stmt) {
	for i := 0; i+1 < len(path); i++ {
		st, ok := path[i].(ast.Stmt)
		if !ok {
			continue
		}
		switch b := path[i+1].(type) {
		case *ast.BlockStmt:
			return st, b.List
		case *ast.CaseClause:
			return st, b.Body
		case *ast.CommClause:
			if b.Comm != st {
				return st, b.Body
			}
		}
	}
	return nil, nil
}

// body returns the body of the innermost function of a path.
func body(path []ast.Node) *ast.BlockStmt {
	for _, n := range path {
		switch f := n.(type) {
		case *ast.FuncLit:
			return f.Body
		case *ast.FuncDecl:
			return f.Body
		}
	}
	return nil
}

// object returns the variable that an expression names: an identifier, or a field of something.
func (s *Source) object(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := s.info.Uses[e].(*types.Var); ok {
			return v
		}
		v, _ := s.info.Defs[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := s.info.Uses[e.Sel].(*types.Var)
		return v
	}
	return nil
}

// call returns the receiver of a statement that calls a method without arguments, as mu of mu.Unlock().
func call(st ast.Node, names ...string) ast.Expr {
	var c *ast.CallExpr
	switch st := st.(type) {
	case *ast.ExprStmt:
		c, _ = st.X.(*ast.CallExpr)
	case *ast.DeferStmt:
		c = st.Call
	}
	if c == nil {
		return nil
	}
	sel, ok := c.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(names, sel.Sel.Name) {
		return nil
	}
	return sel.X
}
