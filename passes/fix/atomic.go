package fix

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-go/heddle/mcrs/report"
)

// This file is FIX6: a plain counter, flag or pointer becomes one of sync/atomic.

// atomicTypes names the type of sync/atomic for a plain one. An int is widened, and converted where it is used.
var atomicTypes = map[types.BasicKind]atomicType{
	types.Int: {"Int64", "int64"}, types.Int64: {"Int64", ""}, types.Int32: {"Int32", ""},
	types.Uint: {"Uint64", "uint64"}, types.Uint64: {"Uint64", ""}, types.Uint32: {"Uint32", ""}, types.Bool: {"Bool", ""},
}

// atomic proposes it for each variable that is accessed, and then for all of them together: where several variables
// race, no one of them repairs an entry.
func (s *Source) atomic(places []report.Place) (out []Fix) {
	var all []*types.Var
	for _, p := range of(places, report.Access) {
		for _, v := range s.variablesAt(p.Pos) {
			if slices.Contains(all, v) {
				continue
			}
			if f, ok := s.makeAtomic(v); ok {
				all = append(all, v)
				if len(out) < maxAlone {
					out = append(out, f)
				}
			}
		}
	}
	if len(all) < 2 {
		return out
	}
	if f, ok := s.makeAtomic(all...); ok {
		out = append(out, f)
	}
	return out
}

// maxAlone bounds the proposals for single variables of one finding.
const maxAlone = 3

// variablesAt returns the variables of a suitable type that are named at a position, or else on its line.
func (s *Source) variablesAt(p token.Position) []*types.Var {
	var here, line []*types.Var
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
		if atomicOf(v).name == "" {
			return
		}
		line = append(line, v)
		if _, declared := s.declareAtomic([]*types.Var{v}); declared && at.Offset == p.Offset {
			here = append(here, v)
		}
	})
	if len(here) > 0 {
		return here
	}
	return line
}

// An atomicType is the type of sync/atomic in the place of a variable's, and what its methods take if that is another
// type than the variable's.
type atomicType struct{ name, arg string }

// atomicOf returns the type for a variable; its name is "" if there is none.
func atomicOf(v *types.Var) atomicType {
	switch t := v.Type().(type) {
	case *types.Basic:
		return atomicTypes[t.Kind()]
	case *types.Pointer:
		elem := types.TypeString(t.Elem(), func(p *types.Package) string {
			if p == v.Pkg() {
				return ""
			}
			return p.Name()
		})
		return atomicType{"Pointer[" + elem + "]", ""}
	}
	return atomicType{}
}

// makeAtomic rewrites the declarations and all uses of variables.
func (s *Source) makeAtomic(vars ...*types.Var) (Fix, bool) {
	edits, ok := s.declareAtomic(vars)
	if !ok {
		return Fix{}, false
	}
	uses := &uses{s: s, vars: vars}
	for _, f := range s.files {
		if !uses.rewrite(f) {
			return Fix{}, false
		}
	}
	files := map[string]bool{}
	for _, e := range edits {
		files[e.File] = true
	}
	edits = append(edits, uses.edits...)
	for _, f := range slices.Sorted(maps.Keys(files)) {
		edits = append(edits, s.importAtomic(f)...)
	}
	message := fmt.Sprintf("make %s an atomic.%s", vars[0].Name(), atomicOf(vars[0]).name)
	if len(vars) > 1 {
		message = fmt.Sprintf("make %s and %s atomic", namesOf(vars[:len(vars)-1]), vars[len(vars)-1].Name())
	}
	return Fix{"FIX6", message, edits}, true
}

func namesOf(vars []*types.Var) string {
	var names []string
	for _, v := range vars {
		names = append(names, v.Name())
	}
	return strings.Join(names, ", ")
}

// declareAtomic changes the declarations of variables, each of which must have a type, or be x := constant.
func (s *Source) declareAtomic(vars []*types.Var) (out []Edit, ok bool) {
	declared := 0
	s.inspect(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.Field:
			if of := s.among(n.Names, vars); len(of) > 0 && of[0].IsField() {
				out, declared = append(out, s.retype(n.Names, n.Type, of, "")), declared+len(of)
			}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				x, isVar := spec.(*ast.ValueSpec)
				if !isVar || x.Type == nil || len(x.Values) > 0 || n.Tok != token.VAR {
					continue
				}
				if of := s.among(x.Names, vars); len(of) > 0 {
					again := "var "
					if n.Lparen.IsValid() {
						again = ""
					}
					out, declared = append(out, s.retype(x.Names, x.Type, of, again)), declared+len(of)
				}
			}
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE || len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				return
			}
			id, isIdent := n.Lhs[0].(*ast.Ident)
			if !isIdent {
				return
			}
			of := s.among([]*ast.Ident{id}, vars)
			if len(of) == 0 {
				return
			}
			to := atomicOf(of[0])
			text := "var " + id.Name + " atomic." + to.name
			if val := s.info.Types[n.Rhs[0]].Value; val == nil || val.ExactString() != "0" && val.ExactString() != "false" {
				text += "\n" + id.Name + ".Store(" + convert(to.arg, s.textOf(n.Rhs[0])) + ")"
			}
			out, declared = append(out, s.edit(n.Pos(), n.End(), text)), declared+1
		}
	})
	return out, declared == len(vars)
}

// among returns the variables that some names declare.
func (s *Source) among(names []*ast.Ident, vars []*types.Var) (out []*types.Var) {
	for _, id := range names {
		if v, ok := s.info.Defs[id].(*types.Var); ok && slices.Contains(vars, v) {
			out = append(out, v)
		}
	}
	return out
}

// retype gives some of the names that are declared with one type the type of sync/atomic. The others keep theirs, in a
// declaration before it, and again begins the next one.
func (s *Source) retype(names []*ast.Ident, typ ast.Expr, vars []*types.Var, again string) Edit {
	to := namesOf(vars) + " atomic." + atomicOf(vars[0]).name
	if len(names) == len(vars) {
		return s.edit(names[0].Pos(), typ.End(), to)
	}
	var rest []string
	for _, id := range names {
		if v, _ := s.info.Defs[id].(*types.Var); !slices.Contains(vars, v) {
			rest = append(rest, id.Name)
		}
	}
	return s.edit(names[0].Pos(), typ.End(), strings.Join(rest, ", ")+" "+s.textOf(typ)+"\n"+again+to)
}

func convert(to, text string) string {
	if _, err := strconv.Atoi(text); to == "" || err == nil {
		return text
	}
	return to + "(" + text + ")"
}

// uses rewrites the uses of variables in a file.
type uses struct {
	s     *Source
	vars  []*types.Var
	edits []Edit
}

// rewrite returns false where a use stands in a form that it does not know.
func (u *uses) rewrite(f ast.Node) bool {
	known := map[ast.Expr]bool{} // uses that their statement has rewritten
	good := true
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			if v := u.of(n.X); v != nil {
				by := "1"
				if n.Tok == token.DEC {
					by = "-1"
				}
				good = good && !(unsigned(v) && n.Tok == token.DEC)
				known[ast.Unparen(n.X)] = true
				u.replace(n, u.s.textOf(n.X)+".Add("+by+")")
			}
		case *ast.AssignStmt:
			rewritten := false
			rewritten, good = u.assign(n, known, good)
			return good && !rewritten
		case *ast.UnaryExpr:
			good = good && !(n.Op == token.AND && u.of(n.X) != nil)
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && u.has(u.s.info.Uses[id]) {
				good = false
			}
		case *ast.SelectorExpr:
			if v := u.of(n); v != nil && !known[n] {
				u.load(n, v)
			}
			if u.of(n) != nil {
				known[n.Sel] = true
			}
		case *ast.Ident:
			if v := u.of(n); v != nil && !known[n] && !v.IsField() {
				u.load(n, v)
			}
		case *ast.CompositeLit:
			good = good && !u.positional(n)
		}
		return good
	})
	return good
}

func unsigned(v *types.Var) bool {
	b, ok := v.Type().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

func (u *uses) has(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && slices.Contains(u.vars, v)
}

// of returns the variable that an expression is, nil if it is none of them.
func (u *uses) of(e ast.Expr) *types.Var {
	id, _ := ast.Unparen(e).(*ast.Ident)
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		id = sel.Sel
	}
	if id == nil || !u.has(u.s.info.Uses[id]) {
		return nil
	}
	return u.s.info.Uses[id].(*types.Var)
}

func (u *uses) replace(n ast.Node, text string) {
	u.edits = append(u.edits, u.s.edit(n.Pos(), n.End(), text))
}

func (u *uses) load(e ast.Expr, v *types.Var) {
	text := u.s.textOf(e) + ".Load()"
	if atomicOf(v).arg != "" {
		text = v.Type().String() + "(" + text + ")"
	}
	u.replace(e, text)
}

// assign rewrites x = e, x += e and x -= e, and what e reads of other variables. The rest of the statement may not use
// x once more. It reports whether it has rewritten something, and whether all is well so far.
func (u *uses) assign(n *ast.AssignStmt, known map[ast.Expr]bool, good bool) (rewritten, still bool) {
	var v *types.Var
	for _, l := range n.Lhs {
		if is := u.of(l); is != nil {
			v = is
		}
	}
	if v == nil || !good {
		return false, good
	}
	if len(n.Lhs) != 1 || len(n.Rhs) != 1 || u.used(n.Rhs[0], v) {
		return false, false
	}
	value, ok := u.rewritten(n.Rhs[0])
	if !ok {
		return false, false
	}
	x, e := u.s.textOf(n.Lhs[0]), convert(atomicOf(v).arg, value)
	switch {
	case n.Tok == token.ASSIGN:
		u.replace(n, x+".Store("+e+")")
	case n.Tok == token.ADD_ASSIGN:
		u.replace(n, x+".Add("+e+")")
	case n.Tok == token.SUB_ASSIGN && !unsigned(v):
		u.replace(n, x+".Add(-"+parenthesised(e)+")")
	default:
		return false, false
	}
	return true, true
}

// rewritten returns the text of an expression with its uses rewritten.
func (u *uses) rewritten(e ast.Expr) (string, bool) {
	inner := &uses{s: u.s, vars: u.vars}
	if !inner.rewrite(e) {
		return "", false
	}
	at := u.s.edit(e.Pos(), e.End(), "")
	text := u.s.text[at.File][at.Start:at.End]
	for i := range inner.edits {
		inner.edits[i].Start -= at.Start
		inner.edits[i].End -= at.Start
	}
	out, err := apply(text, inner.edits)
	return string(out), err == nil
}

func parenthesised(e string) string {
	if _, err := strconv.Atoi(e); err == nil {
		return e
	}
	return "(" + e + ")"
}

func (u *uses) used(e ast.Expr, v *types.Var) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && u.of(x) == v {
			found = true
		}
		return !found
	})
	return found
}

// positional reports whether a literal gives one of the fields a value by its place.
func (u *uses) positional(n *ast.CompositeLit) bool {
	if len(n.Elts) == 0 {
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
		if u.has(st.Field(i)) {
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
