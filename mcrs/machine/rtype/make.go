package rtype

import (
	"go/token"
	"go/types"
	"path"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the types that reflect makes while the program runs. Such a type must be the same as the one that
// the program's source spells. So reflect's own constructors do not serve: they search the linker's table of types
// first.
//
// Each function takes and returns addresses of descriptors. It returns 0 if an argument is none.

// PtrTo is reflect.PointerTo.
func (ts *Types) PtrTo(elem mem.Addr) mem.Addr {
	return ts.make(elem, func(e types.Type) types.Type { return types.NewPointer(e) })
}

// SliceOf is reflect.SliceOf.
func (ts *Types) SliceOf(elem mem.Addr) mem.Addr {
	return ts.make(elem, func(e types.Type) types.Type { return types.NewSlice(e) })
}

// ArrayOf is reflect.ArrayOf.
func (ts *Types) ArrayOf(n int64, elem mem.Addr) mem.Addr {
	return ts.make(elem, func(e types.Type) types.Type { return types.NewArray(e, n) })
}

// ChanOf is reflect.ChanOf, with a direction of reflect's.
func (ts *Types) ChanOf(dir int, elem mem.Addr) mem.Addr {
	d := types.SendRecv
	switch dir {
	case 1:
		d = types.RecvOnly
	case 2:
		d = types.SendOnly
	}
	return ts.make(elem, func(e types.Type) types.Type { return types.NewChan(d, e) })
}

// MapOf is reflect.MapOf.
func (ts *Types) MapOf(key, elem mem.Addr) mem.Addr {
	k := ts.TypeAt(key)
	if k == nil {
		return 0
	}
	return ts.make(elem, func(e types.Type) types.Type { return types.NewMap(k, e) })
}

func (ts *Types) make(elem mem.Addr, f func(types.Type) types.Type) mem.Addr {
	e := ts.TypeAt(elem)
	if e == nil {
		return 0
	}
	return ts.Of(f(e))
}

// FuncOf is reflect.FuncOf.
func (ts *Types) FuncOf(in, out []mem.Addr, variadic bool) mem.Addr {
	params, ok1 := ts.tuple(in)
	results, ok2 := ts.tuple(out)
	if !ok1 || !ok2 {
		return 0
	}
	return ts.Of(types.NewSignatureType(nil, nil, nil, params, results, variadic))
}

func (ts *descriptors) tuple(addrs []mem.Addr) (*types.Tuple, bool) {
	vars := make([]*types.Var, len(addrs))
	for i, a := range addrs {
		t := ts.TypeAt(a)
		if t == nil {
			return nil, false
		}
		vars[i] = types.NewParam(token.NoPos, nil, "", t)
	}
	return types.NewTuple(vars...), true
}

// A Field is a field of StructOf: what it uses of a reflect.StructField.
type Field struct {
	Name, PkgPath, Tag string
	Type               mem.Addr
	Embedded           bool
}

// StructOf is reflect.StructOf. The caller checks what reflect checks. mention says whether the program's code may have
// a struct type with an embedded field of that name. odd is what cannot be told of the type.
//
// What reflect makes has less than the same type of the source, with which reflect does not make a new one:
//
//	STRUCT1  A method of an embedded interface panics when it is called.
//	STRUCT2  A pointer to such a type has no methods.
//	STRUCT3  Methods stand in the order of the fields, those of *T before those of T. Where a field or another method
//	         hides one, the type is odd.
func (ts *Types) StructOf(fields []Field, mention func(name string) bool) (made mem.Addr, odd string) {
	vars := make([]*types.Var, len(fields))
	tags := make([]string, len(fields))
	promotes := false
	var listed []method // as reflect lists them
	for i, f := range fields {
		t := ts.TypeAt(f.Type)
		if t == nil {
			return 0, ""
		}
		var pkg *types.Package
		if f.PkgPath != "" {
			pkg = types.NewPackage(f.PkgPath, path.Base(f.PkgPath)) // identity goes by path
		}
		vars[i] = types.NewField(token.NoPos, pkg, f.Name, t, f.Embedded)
		tags[i] = f.Tag
		if !f.Embedded {
			continue
		}
		listed = append(listed, methodsOf(ts, t)...)
		all := t
		switch u := t.Underlying().(type) {
		case *types.Interface:
		case *types.Pointer:
			listed = append(listed, methodsOf(ts, u.Elem())...)
		default:
			all = types.NewPointer(t)
		}
		if len(listed) == 0 && len(methodsOf(ts, all)) == 0 {
			continue
		}
		promotes = true
		if mention(f.Name) {
			return 0, "an embedded " + f.Name + ", which the program embeds, too"
		}
	}
	t := types.NewStruct(vars, tags)
	d := ts.info(t)
	if promotes {
		for i := range listed {
			m := &listed[i]
			if m.sel = ts.msets.MethodSet(t).Lookup(nil, m.name); m.sel == nil {
				return 0, "a method " + m.name + " that another one, or a field, hides"
			}
		}
		d.made, d.methods, d.hasMethods = true, listed, true
	}
	return ts.Of(t), ""
}

// methodsOf are the methods of a type, as a type has them that embeds it.
func methodsOf(ts *Types, t types.Type) []method { return ts.methods(ts.info(t)) }

// Panics reports whether a method of a type is one that reflect makes of an embedded interface's (STRUCT1).
func Panics(ts *Types, recv types.Type, sel *types.Selection) bool {
	for _, i := range sel.Index() {
		s, ok := types.Unalias(recv).(*types.Struct)
		if !ok || !ts.info(s).made {
			return false
		}
		if recv = s.Field(i).Type(); isInterface(recv) {
			return true
		}
	}
	return false
}
