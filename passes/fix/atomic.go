package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/heddle-go/heddle/mcrs/report"
)

// This file is FIX6: a plain counter or flag becomes one of sync/atomic.

// atomicTypes names the type of sync/atomic for a plain one. An int is widened, and converted where it is used.
var atomicTypes = map[types.BasicKind]struct{ name, arg string }{
	types.Int: {"Int64", "int64"}, types.Int64: {"Int64", ""}, types.Int32: {"Int32", ""},
	types.Uint: {"Uint64", "uint64"}, types.Uint64: {"Uint64", ""}, types.Uint32: {"Uint32", ""}, types.Bool: {"Bool", ""},
}

func (s *Source) atomic(places []report.Place) (out []Fix) {
	done := map[*types.Var]bool{}
	for _, p := range of(places, report.Access) {
		for _, v := range s.variablesAt(p.Pos) {
			if done[v] {
				continue
			}
			done[v] = true
			if f, ok := s.makeAtomic(v); ok {
				out = append(out, f)
			}
		}
	}
	return out
}

// variablesAt returns the variables of a suitable type that are named on a line.
func (s *Source) variablesAt(p token.Position) (out []*types.Var) {
	s.inspect(func(n ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok {
			return
		}
		at := s.fset.Position(id.Pos())
		if at.Filename != p.Filename || at.Line != p.Line {
			return
		}
		v, ok := s.info.Uses[id].(*types.Var)
		if !ok || v.Exported() && (v.IsField() || v.Parent() == v.Pkg().Scope()) {
			return
		}
		if b, ok := v.Type().(*types.Basic); ok && atomicTypes[b.Kind()].name != "" {
			out = append(out, v)
		}
	})
	return out
}

// makeAtomic rewrites the declaration and every use of a variable.
func (s *Source) makeAtomic(v *types.Var) (Fix, bool) {
	basic := v.Type().(*types.Basic)
	to := atomicTypes[basic.Kind()]
	edits, ok := s.declareAtomic(v, to.name, to.arg)
	if !ok {
		return Fix{}, false
	}
	uses := &uses{s: s, v: v, plain: basic.Name(), arg: to.arg}
	for _, f := range s.files {
		if !uses.rewrite(f) {
			return Fix{}, false
		}
	}
	edits = append(edits, uses.edits...)
	for _, e := range edits {
		edits = append(edits, s.importAtomic(e.File)...)
		break
	}
	return Fix{"FIX6", fmt.Sprintf("make %s an atomic.%s", v.Name(), to.name), edits}, true
}

// declareAtomic changes the declaration of v, which must have a type, or be x := constant.
func (s *Source) declareAtomic(v *types.Var, name, arg string) (out []Edit, ok bool) {
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Field:
			if len(n.Names) == 1 && s.info.Defs[n.Names[0]] == v {
				out, ok = []Edit{s.edit(n.Type.Pos(), n.Type.End(), "atomic."+name)}, v.IsField()
			}
		case *ast.ValueSpec:
			if len(n.Names) == 1 && s.info.Defs[n.Names[0]] == v && n.Type != nil && len(n.Values) == 0 {
				out, ok = []Edit{s.edit(n.Type.Pos(), n.Type.End(), "atomic."+name)}, true
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				return
			}
			id, isIdent := n.Lhs[0].(*ast.Ident)
			if !isIdent || s.info.Defs[id] != v {
				return
			}
			text := "var " + v.Name() + " atomic." + name
			if val := s.info.Types[n.Rhs[0]].Value; val == nil || val.ExactString() != "0" && val.ExactString() != "false" {
				text += "\n" + v.Name() + ".Store(" + convert(arg, s.textOf(n.Rhs[0])) + ")"
			}
			out, ok = []Edit{s.edit(n.Pos(), n.End(), text)}, true
		}
	})
	return out, ok
}

func convert(to, text string) string {
	if _, err := strconv.Atoi(text); to == "" || err == nil {
		return text
	}
	return to + "(" + text + ")"
}

// uses rewrites the uses of one variable in a file.
type uses struct {
	s          *Source
	v          *types.Var
	plain, arg string // its type before, and that of the methods' arguments if it is another one
	edits      []Edit
}

// rewrite returns false where a use stands in a form that it does not know.
func (u *uses) rewrite(f *ast.File) bool {
	known := map[ast.Expr]bool{} // uses that their statement has rewritten
	good := true
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if u.is(n.X) {
				by := "1"
				if n.Tok == token.DEC {
					by = "-1"
					if u.unsigned() {
						good = false
					}
				}
				known[ast.Unparen(n.X)] = true
				u.replace(n, u.s.textOf(n.X)+".Add("+by+")")
			}
		case *ast.AssignStmt:
			good = good && u.assign(n, known)
		case *ast.UnaryExpr:
			good = good && !(n.Op == token.AND && u.is(n.X))
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && u.s.info.Uses[id] == u.v {
				good = false
			}
		case *ast.SelectorExpr:
			if u.is(n) && !known[n] {
				u.load(n)
			}
			if u.is(n) {
				known[n.Sel] = true
			}
		case *ast.Ident:
			if u.s.info.Uses[n] == u.v && !known[n] && !u.v.IsField() {
				u.load(n)
			}
		case *ast.CompositeLit:
			good = good && !u.positional(n)
		}
		return good
	})
	return good
}

func (u *uses) unsigned() bool {
	return u.plain == "uint" || u.plain == "uint32" || u.plain == "uint64"
}

func (u *uses) is(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return u.s.info.Uses[e] == u.v
	case *ast.SelectorExpr:
		return u.s.info.Uses[e.Sel] == u.v
	}
	return false
}

func (u *uses) replace(n ast.Node, text string) {
	u.edits = append(u.edits, u.s.edit(n.Pos(), n.End(), text))
}

func (u *uses) load(e ast.Expr) {
	text := u.s.textOf(e) + ".Load()"
	if u.arg != "" {
		text = u.plain + "(" + text + ")"
	}
	u.replace(e, text)
}

// assign rewrites x = e, x += e and x -= e. The rest of the statement may not use x once more.
func (u *uses) assign(n *ast.AssignStmt, known map[ast.Expr]bool) bool {
	at := -1
	for i, l := range n.Lhs {
		if u.is(l) {
			at = i
		}
	}
	if at < 0 {
		return true
	}
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 || u.used(n.Rhs[0]) {
		return false
	}
	known[ast.Unparen(n.Lhs[0])] = true
	x, e := u.s.textOf(n.Lhs[0]), convert(u.arg, u.s.textOf(n.Rhs[0]))
	switch n.Tok {
	case token.ASSIGN:
		u.replace(n, x+".Store("+e+")")
	case token.ADD_ASSIGN:
		u.replace(n, x+".Add("+e+")")
	case token.SUB_ASSIGN:
		if u.unsigned() {
			return false
		}
		u.replace(n, x+".Add(-"+parenthesised(e)+")")
	default:
		return false
	}
	return true
}

func parenthesised(e string) string {
	if _, err := strconv.Atoi(e); err == nil {
		return e
	}
	return "(" + e + ")"
}

func (u *uses) used(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && u.is(x) {
			found = true
		}
		return !found
	})
	return found
}

// positional reports whether a literal gives the field a value by its place.
func (u *uses) positional(n *ast.CompositeLit) bool {
	if !u.v.IsField() || len(n.Elts) == 0 {
		return false
	}
	if _, keyed := n.Elts[0].(*ast.KeyValueExpr); keyed {
		return false
	}
	t := u.s.info.TypeOf(n)
	if t == nil {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		if st.Field(i) == u.v {
			return true
		}
	}
	return false
}

// importAtomic adds the import to the file with the declaration, unless it is there.
func (s *Source) importAtomic(file string) []Edit {
	for _, f := range s.files {
		if s.fset.Position(f.Package).Filename != file {
			continue
		}
		for _, imp := range f.Imports {
			if imp.Path.Value == `"sync/atomic"` {
				return nil
			}
		}
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && g.Lparen.IsValid() {
				last := g.Specs[len(g.Specs)-1]
				for _, sp := range g.Specs {
					if p := sp.(*ast.ImportSpec).Path.Value; p > `"sync/atomic"` && !isDotted(p) {
						return []Edit{s.edit(sp.Pos(), sp.Pos(), "\"sync/atomic\"\n")}
					}
				}
				return []Edit{s.edit(last.End(), last.End(), "\n\"sync/atomic\"")}
			}
		}
		if len(f.Imports) > 0 {
			at := f.Imports[0].Pos()
			return []Edit{s.edit(at, at, "\"sync/atomic\"\nimport ")}
		}
		return []Edit{s.edit(f.Name.End(), f.Name.End(), "\n\nimport \"sync/atomic\"")}
	}
	return nil
}

// isDotted reports whether an import path is that of a module, not of the standard library.
func isDotted(path string) bool {
	for _, c := range path {
		if c == '.' {
			return true
		}
		if c == '/' {
			return false
		}
	}
	return false
}
