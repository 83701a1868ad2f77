package rtype

import (
	"go/types"
	"slices"
)

// This file finds the methods that a descriptor lists.

// methods returns the methods of a type in abi's order.
func (ts *Facts) methods(d *info) []method {
	if d.hasMethods {
		return d.methods
	}
	d.hasMethods = true
	if it, ok := d.t.Underlying().(*types.Interface); ok {
		d.methods = interfaceMethods(ts, it)
		return d.methods
	}
	if p, ok := d.t.(*types.Pointer); ok && ts.info(p.Elem()).made {
		return nil // STRUCT2
	}
	declared, promoted := methodSources(d.t)
	switch {
	case promoted:
		set := ts.msets.MethodSet(d.t)
		d.methods = make([]method, set.Len())
		for i := range d.methods {
			sel := set.At(i)
			d.methods[i] = newMethod(sel.Obj().(*types.Func))
			d.methods[i].sel = sel
		}
	case declared != nil:
		_, isPtr := d.t.(*types.Pointer)
		d.methods = make([]method, 0, declared.NumMethods())
		for i := range declared.NumMethods() {
			fn := declared.Method(i)
			if _, ok := types.Unalias(fn.Signature().Recv().Type()).(*types.Pointer); isPtr || !ok {
				d.methods = append(d.methods, newMethod(fn))
			}
		}
	}
	slices.SortFunc(d.methods, func(a, b method) int { return ts.compareNames(&a, &b) })
	return d.methods
}

// methodSources tells where the methods of t come from: the type that declares some, and whether embedded fields may
// add to them. Most types have no methods. No method set is made for them.
func methodSources(t types.Type) (declared *types.Named, promoted bool) {
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
		if isInterface(t) {
			return nil, false
		}
	}
	switch t := t.(type) {
	case *types.Named:
		if t.NumMethods() > 0 {
			declared = t
		}
	case *types.Struct:
	default:
		return nil, false
	}
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			if s.Field(i).Embedded() {
				return declared, true
			}
		}
	}
	return declared, false
}

// selection returns the selection of a concrete type's method.
func (ts *Facts) selection(d *info, m *method) *types.Selection {
	if m.sel == nil {
		m.sel = ts.msets.MethodSet(d.t).Lookup(m.fn.Pkg(), m.name)
	}
	return m.sel
}

func newMethod(fn *types.Func) method {
	m := method{name: fn.Name(), fn: fn}
	if !fn.Exported() {
		m.pkg = fn.Pkg()
	}
	return m
}

func interfaceMethods(ts *Facts, it *types.Interface) []method {
	ms := make([]method, it.NumMethods())
	for i := range ms {
		ms[i] = newMethod(it.Method(i))
	}
	slices.SortFunc(ms, func(a, b method) int { return ts.compareNames(&a, &b) })
	return ms
}
