package interp

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program/gcorder/equality"
)

// This file gives package rtype the functions that descriptors of types name: methods, equality and hashes.

// typeFuncs are the functions of a machine that descriptors of types name.
type typeFuncs struct{ m *vm.Machine }

// MethodText implements rtype.Funcs: the receiver is an interface's data word.
func (x typeFuncs) MethodText(recv types.Type, sel *types.Selection) uint64 {
	m := x.m
	if _, ok := recv.Underlying().(*types.Interface); ok {
		return 0
	}
	if sel != nil && rtype.Panics(m.Types, recv, sel) {
		return x.panics(recv, sel, 8)
	}
	if !m.Layouts.Of(recv).Direct {
		ptr := types.NewPointer(recv)
		sel = types.NewMethodSet(ptr).Lookup(sel.Obj().Pkg(), sel.Obj().Name())
	}
	return x.methodText(sel)
}

// FuncText implements rtype.FuncTexter: the receiver is the value.
func (x typeFuncs) FuncText(recv types.Type, sel *types.Selection) uint64 {
	if sel != nil && rtype.Panics(x.m.Types, recv, sel) {
		return x.panics(recv, sel, int32(x.m.Layouts.Of(recv).Words())*8)
	}
	return x.methodText(sel)
}

// panics makes the function that reflect has for a method of an embedded interface (STRUCT1 of package rtype). Its
// receiver has a size.
func (x typeFuncs) panics(recv types.Type, sel *types.Selection, size int32) uint64 {
	m := x.m
	sig := sel.Type().(*types.Signature)
	in := size + int32(m.Layouts.Of(sig.Params()).Size)
	of := fmt.Sprint(m.Types.Link(recv), " ", sel.Obj().Name(), " ", size)
	return m.Native("reflect.embeddedIfaceMethStub", of, in, int32(m.Layouts.Of(sig.Results()).Size), func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		return goroutine.ThrowPlainPanic(m, g, "reflect: StructOf does not support methods of embedded interfaces")
	}).Text
}

func (x typeFuncs) methodText(sel *types.Selection) uint64 {
	m := x.m
	if sel == nil {
		return 0
	}
	fn := m.Program.MethodValue(sel)
	if fn == nil {
		return 0
	}
	return m.Func(fn).Text
}

// EqualFunc implements rtype.Funcs.
func (x typeFuncs) EqualFunc(t types.Type) uint64 {
	m := x.m
	var parts []equality.Part
	return m.FuncValue(m.Native("type..eq."+m.Types.Str(t), m.Types.Link(t), 16, 8, func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		if parts == nil {
			parts = equality.Parts(t)
		}
		return equal(m, g, parts, w)
	}))
}

// equal compares values at w[0] and w[1] part by part, as gc's function does (EQUAL1 to EQUAL3 of package equality).
func equal(m *vm.Machine, g *vm.G, parts []equality.Part, w []uint64) vm.Status {
	for i := range parts {
		part := &parts[i]
		see := access.View
		if part.Unseen {
			see = access.ViewUnseen
		}
		var values [2]unsafe.Pointer
		for i := range values {
			b, s := see(m, g, w[i]+uint64(part.Offset), uint64(part.Size))
			if s != vm.Done {
				return s
			}
			values[i] = unsafe.Pointer(unsafe.SliceData(b))
		}
		eq, bad := true, types.Type(nil)
		if part.Length {
			eq = *(*uint64)(unsafe.Add(values[0], 8)) == *(*uint64)(unsafe.Add(values[1], 8))
		} else if part.Size > 0 {
			eq, bad = m.Types.EqualAt(part.Type, values[0], values[1])
		}
		if bad != nil {
			return goroutine.ThrowComputed(m, g, "comparing uncomparable type "+m.Types.Str(bad))
		}
		if !eq {
			w[2] = 0
			return vm.Done
		}
	}
	w[2] = 1
	return vm.Done
}

// HashFunc implements rtype.Hashers.
func (x typeFuncs) HashFunc(t types.Type) uint64 {
	m := x.m
	return m.FuncValue(m.Native("type..hash."+m.Types.Str(t), m.Types.Link(t), 16, 8, func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		b, s := access.ViewUnseen(m, g, w[0], m.Layouts.Of(t).Size) // gc's function calls the runtime's, with addresses
		if s != vm.Done {
			return s
		}
		h, bad := m.Types.Alg(t).Hash(unsafe.Pointer(unsafe.SliceData(b)), w[1])
		if bad != nil {
			return goroutine.ThrowComputed(m, g, "hash of unhashable type "+m.Types.Str(bad))
		}
		w[2] = h
		return vm.Done
	}))
}

// NewTypes returns the descriptors of types of a machine.
func NewTypes(m *vm.Machine) *rtype.Types {
	t := rtype.New(m.Mem, m.Layouts, typeFuncs{m})
	t.Path = m.LinkPath
	return t
}
