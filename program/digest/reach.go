package digest

import (
	"crypto/sha256"
	"go/ast"
	"go/types"
	"hash"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file defines the types of a program, and which of them code reaches (DIG4).

// Type is the digest of a type that the user declares, outside of functions, by its name in Types. It is "" if there is
// none.
func (d *Program) Type(name string) string {
	id, typ, _ := strings.Cut(name, nameSep)
	u := d.byID[id]
	if u == nil {
		return ""
	}
	o, ok := u.Types.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return ""
	}
	h := sha256.New()
	writeType(h, o)
	return sum(h)
}

// Types lists the user's types that a declaration of a function reaches.
func (d *Program) Types(decl string) []string {
	x := d.decl(decl)
	if x == nil {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !x.reached {
		r := newReach(d)
		r.code(x.pkg.Info, x.fn)
		x.types, x.reached = r.sorted(), true
	}
	return x.types
}

// AllTypes is a digest of all types that the user declares outside of functions.
func (d *Program) AllTypes() string {
	h := sha256.New()
	for _, q := range d.p.Init {
		if u := d.pkgs[q.Types]; u != nil {
			put(h, u.ID)
			for _, name := range u.Types.Scope().Names() { // sorted
				if o, ok := u.Types.Scope().Lookup(name).(*types.TypeName); ok {
					put(h, name)
					writeType(h, o)
				}
			}
		}
	}
	return sum(h)
}

// writeType writes what a type is made of, with its methods.
func writeType(h hash.Hash, o *types.TypeName) {
	put(h, strconv.FormatBool(o.IsAlias()), typeText(o.Type()))
	switch t := o.Type().(type) {
	case *types.Alias:
		put(h, typeText(t.Rhs()))
		writeParams(h, t.TypeParams())
	case *types.Named:
		writeNamed(h, t)
	}
}

// A reach gathers the types that code reaches: those of its expressions, and what these are made of. Of a type with a
// name that is what stands behind it, its methods, and its arguments.
type reach struct {
	d     *Program
	met   map[types.Type]bool
	names map[string]bool
}

func newReach(d *Program) *reach {
	return &reach{d, map[types.Type]bool{}, map[string]bool{}}
}

// sorted are the names of the types that were met, of those that the user declares outside of functions.
func (r *reach) sorted() []string { return slices.Sorted(maps.Keys(r.names)) }

// code adds the types of a piece of syntax.
func (r *reach) code(info *types.Info, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok {
			r.typ(info.TypeOf(x))
		}
		if x, ok := n.(*ast.Ident); ok {
			for t := range info.Instances[x].TypeArgs.Types() {
				r.typ(t)
			}
		}
		return true
	})
}

func (r *reach) typ(t types.Type) {
	if t == nil || r.met[t] {
		return
	}
	r.met[t] = true
	switch t := t.(type) {
	case *types.Alias:
		if r.list(t.TypeArgs()); t.Origin() != t {
			r.typ(t.Origin())
		}
		r.name(t.Obj())
		r.params(t.TypeParams())
		r.typ(t.Rhs())
	case *types.Named:
		if r.list(t.TypeArgs()); t.Origin() != t { // made of its arguments, and of parts of this one
			r.typ(t.Origin())
			return
		}
		r.name(t.Obj())
		r.params(t.TypeParams())
		r.typ(t.Underlying())
		for m := range t.Methods() {
			r.typ(m.Type())
		}
	case *types.TypeParam:
		r.typ(t.Constraint())
	case *types.Pointer:
		r.typ(t.Elem())
	case *types.Slice:
		r.typ(t.Elem())
	case *types.Array:
		r.typ(t.Elem())
	case *types.Chan:
		r.typ(t.Elem())
	case *types.Map:
		r.typ(t.Key())
		r.typ(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			r.typ(f.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			r.typ(v.Type())
		}
	case *types.Signature:
		if v := t.Recv(); v != nil {
			r.typ(v.Type())
		}
		r.params(t.TypeParams())
		r.typ(t.Params())
		r.typ(t.Results())
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			r.typ(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			r.typ(e)
		}
	case *types.Union:
		for x := range t.Terms() {
			r.typ(x.Type())
		}
	}
}

func (r *reach) list(l *types.TypeList) {
	for t := range l.Types() {
		r.typ(t)
	}
}

func (r *reach) params(l *types.TypeParamList) {
	for t := range l.TypeParams() {
		r.typ(t)
	}
}

// name adds the name of a type. One that is declared in a function is part of the function's syntax.
func (r *reach) name(o *types.TypeName) {
	if u := r.d.pkgs[o.Pkg()]; u != nil && o.Parent() == o.Pkg().Scope() {
		r.names[u.ID+nameSep+o.Name()] = true
	}
}
