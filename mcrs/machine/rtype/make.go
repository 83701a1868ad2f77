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

// StructOf is reflect.StructOf. The caller checks what reflect checks.
func (ts *Types) StructOf(fields []Field) mem.Addr {
	vars := make([]*types.Var, len(fields))
	tags := make([]string, len(fields))
	for i, f := range fields {
		t := ts.TypeAt(f.Type)
		if t == nil {
			return 0
		}
		var pkg *types.Package
		if f.PkgPath != "" {
			pkg = types.NewPackage(f.PkgPath, path.Base(f.PkgPath)) // identity goes by path
		}
		vars[i] = types.NewField(token.NoPos, pkg, f.Name, t, f.Embedded)
		tags[i] = f.Tag
	}
	return ts.Of(types.NewStruct(vars, tags))
}
