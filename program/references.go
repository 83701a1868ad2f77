package program

import (
	"go/ast"
	"go/token"
	"go/types"
)

// This file finds the bodies that the initialisers of package variables may refer to, before anything is type-checked.
//
// A name that stands alone is a function's, and one behind a dot a method's. Methods of one name are many: in net/http
// a field that is called as a method is would lead to most of the package. So the type of what stands before the dot is
// looked for: where declarations name it, it is known without type-checking. Where it is not known, all methods of that
// name are met.

// references are the bodies that initialisers may refer to, told by names.
type references struct {
	functions, methods map[string][]*lateBody
	needed             map[*lateBody]bool

	types map[string]ast.Expr // what declared types are defined as; aliases and generic types are left out
	vars  map[string]ast.Expr // the types of package variables that are declared with one
	own   map[string]bool     // all names that the package declares
}

func newReferences(files []*ast.File) *references {
	r := &references{
		functions: make(map[string][]*lateBody), methods: make(map[string][]*lateBody), needed: make(map[*lateBody]bool),
		types: make(map[string]ast.Expr), vars: make(map[string]ast.Expr), own: make(map[string]bool),
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					r.declare(s)
				}
			case *ast.FuncDecl:
				r.own[d.Name.Name] = r.own[d.Name.Name] || d.Recv == nil
			}
		}
	}
	return r
}

// declare notes what a declaration of the package says of types.
func (r *references) declare(s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		if r.own[s.Name.Name] = true; !s.Assign.IsValid() && s.TypeParams == nil {
			r.types[s.Name.Name] = s.Type
		}
	case *ast.ValueSpec:
		for _, id := range s.Names {
			if r.own[id.Name] = true; s.Type != nil {
				r.vars[id.Name] = s.Type
			}
		}
	}
}

func (r *references) add(b *lateBody) {
	if to, name := r.functions, b.decl.Name.Name; b.decl.Recv == nil {
		to[name] = append(to[name], b)
	} else {
		r.methods[name] = append(r.methods[name], b)
	}
}

// A scope is what is known of the names in a declaration.
type scope struct {
	imports  map[string]bool
	declared map[string]int      // how often the declaration gives a name to something
	types    map[string]ast.Expr // of parameters and results
}

func scopeOf(decl ast.Node, imports map[string]bool) *scope {
	sc := &scope{imports: imports, declared: declaredIn(decl), types: make(map[string]ast.Expr)}
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		return sc
	}
	for _, id := range receiverParams(fn) {
		sc.declared[id.Name]++
	}
	for _, list := range []*ast.FieldList{fn.Recv, fn.Type.Params, fn.Type.Results} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			for _, id := range f.Names {
				if sc.declared[id.Name] == 1 { // it means that everywhere
					sc.types[id.Name] = f.Type
				}
			}
		}
	}
	return sc
}

// receiverParams are the type parameters of a method's receiver.
func receiverParams(fn *ast.FuncDecl) (out []*ast.Ident) {
	if fn.Recv == nil || len(fn.Recv.List) != 1 {
		return nil
	}
	var args []ast.Expr
	switch t := base(fn.Recv.List[0].Type).(type) {
	case *ast.IndexExpr:
		args = []ast.Expr{t.Index}
	case *ast.IndexListExpr:
		args = t.Indices
	}
	for _, a := range args {
		if id, ok := a.(*ast.Ident); ok {
			out = append(out, id)
		}
	}
	return out
}

// isImport reports whether an expression is the name of an import.
func (sc *scope) isImport(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && sc.imports[id.Name] && sc.declared[id.Name] == 0
}

// follow meets all that a declaration may refer to. What stands behind the name of an import is of another package.
func (r *references) follow(decl ast.Node, imports map[string]bool) {
	sc := scopeOf(decl, imports)
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if sc.isImport(n.X) {
				return false
			}
			r.selects(n, sc)
			ast.Inspect(n.X, visit)
			return false
		case *ast.FuncDecl:
			ast.Inspect(n.Body, visit)
			return false
		case *ast.Ident:
			r.meet(r.functions[n.Name])
		}
		return true
	}
	ast.Inspect(decl, visit)
}

func (r *references) meet(found []*lateBody) {
	for _, b := range found {
		if !r.needed[b] {
			r.needed[b] = true
			_, decl, _ := b.syntax()
			r.follow(decl, importsOf(b.file))
		}
	}
}

// selects meets what a selector may select: the method of the type, if that is known, else all methods of the name.
func (r *references) selects(n *ast.SelectorExpr, sc *scope) {
	name := n.Sel.Name
	of := r.methods[name]
	if len(of) == 0 {
		return
	}
	t := base(r.typeOf(n.X, sc))
	if t == nil {
		r.meet(of)
		return
	}
	id, ok := t.(*ast.Ident)
	if !ok || !r.own[id.Name] {
		return // no type of the package: it has none of its methods
	}
	if b := methodOf(of, id.Name); b != nil {
		r.meet([]*lateBody{b})
	} else if !r.hasField(id, name) && !r.isInterface(id) {
		r.meet(of) // it may be one of an embedded field
	}
}

// methodOf returns the method of a type among methods of one name.
func methodOf(of []*lateBody, typ string) *lateBody {
	for _, b := range of {
		if len(b.decl.Recv.List) == 1 {
			if id, ok := base(b.decl.Recv.List[0].Type).(*ast.Ident); ok && id.Name == typ {
				return b
			}
		}
	}
	return nil
}

// base is a type expression without parentheses and stars.
func base(t ast.Expr) ast.Expr {
	for {
		switch x := t.(type) {
		case *ast.ParenExpr:
			t = x.X
		case *ast.StarExpr:
			t = x.X
		default:
			return t
		}
	}
}

// mostDefined bounds how many definitions are followed from a type to what it is made of.
const mostDefined = 10

// underlying is what a type of the package is made of, nil if that is not known.
func (r *references) underlying(t ast.Expr) ast.Expr {
	for range mostDefined {
		switch x := t.(type) {
		case *ast.Ident:
			t = r.types[x.Name]
		case *ast.StructType, *ast.InterfaceType, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType:
			return t
		default:
			return nil
		}
	}
	return nil
}

// hasField reports whether a type has a field of that name, not one of an embedded field.
func (r *references) hasField(t *ast.Ident, name string) bool { return r.fieldOf(t, name) != nil }

// fieldOf is the type of a field, nil if it is not known or there is none.
func (r *references) fieldOf(t ast.Expr, name string) ast.Expr {
	s, ok := r.underlying(t).(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range s.Fields.List {
		for _, id := range f.Names {
			if id.Name == name {
				return f.Type
			}
		}
		if len(f.Names) == 0 && embeddedName(f.Type) == name {
			return f.Type
		}
	}
	return nil
}

// embeddedName is the name of an embedded field.
func embeddedName(t ast.Expr) string {
	switch x := base(t).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	}
	return ""
}

func (r *references) isInterface(t *ast.Ident) bool {
	_, ok := r.underlying(t).(*ast.InterfaceType)
	return ok
}

// typeOf returns the type of an expression as declarations of the package have it, and of one that names a type that
// type. It returns nil if it is not certain that it is of a type with a name, or of what has no methods.
func (r *references) typeOf(x ast.Expr, sc *scope) ast.Expr {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return r.typeOf(x.X, sc)
	case *ast.StarExpr:
		return r.typeOf(x.X, sc)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return r.typeOf(x.X, sc)
		}
	case *ast.CompositeLit:
		return r.certain(x.Type, sc)
	case *ast.TypeAssertExpr:
		return r.certain(x.Type, sc)
	case *ast.SelectorExpr:
		if sc.isImport(x.X) {
			return x // a variable of another package: its type is one of another package, too
		}
		if t := base(r.typeOf(x.X, sc)); t != nil {
			return r.certain(r.fieldOf(t, x.Sel.Name), nil)
		}
	case *ast.Ident:
		if t := sc.types[x.Name]; t != nil {
			return r.certain(t, sc)
		}
		if sc.declared[x.Name] > 0 {
			return nil
		}
		if t := r.vars[x.Name]; t != nil {
			return r.certain(t, nil)
		}
		if r.types[x.Name] != nil {
			return x
		}
	}
	return nil
}

// certain returns a type expression if it is certain what it names. In a scope the names of types may be hidden;
// with no scope it stands in a declaration of the package.
func (r *references) certain(t ast.Expr, sc *scope) ast.Expr {
	switch x := base(t).(type) {
	case *ast.Ident:
		if sc != nil && sc.declared[x.Name] > 0 {
			return nil
		}
		if r.types[x.Name] != nil || !r.own[x.Name] && isBasic(x.Name) {
			return x
		}
	case *ast.SelectorExpr:
		if sc == nil || sc.isImport(x.X) {
			return x // a type of another package
		}
	case *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType:
		return x
	}
	return nil
}

// isBasic reports whether a name is that of a predeclared type.
func isBasic(name string) bool {
	_, ok := types.Universe.Lookup(name).(*types.TypeName)
	return ok
}

// declaredIn counts how often parameters and statements below a node declare a name.
func declaredIn(n ast.Node) map[string]int {
	names := make(map[string]int)
	add := func(es ...ast.Expr) {
		for _, e := range es {
			if id, ok := e.(*ast.Ident); ok {
				names[id.Name]++
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			for _, id := range n.Names {
				names[id.Name]++
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				add(n.Lhs...)
			}
		case *ast.RangeStmt:
			add(n.Key, n.Value)
		case *ast.ValueSpec:
			for _, id := range n.Names {
				names[id.Name]++
			}
		case *ast.TypeSpec:
			names[n.Name.Name]++
		}
		return true
	})
	return names
}
