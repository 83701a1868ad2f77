package interp

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
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
	if !m.Layouts.Of(recv).Direct {
		ptr := types.NewPointer(recv)
		sel = types.NewMethodSet(ptr).Lookup(sel.Obj().Pkg(), sel.Obj().Name())
	}
	return x.methodText(sel)
}

// FuncText implements rtype.FuncTexter: the receiver is the value.
func (x typeFuncs) FuncText(recv types.Type, sel *types.Selection) uint64 { return x.methodText(sel) }

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
	f := m.Native("type..eq."+m.Types.Str(t), m.Types.Link(t), 16, 8, func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		for _, addr := range w[:2] { // of a struct Go's race detector sees more (limits.md)
			if _, s := access.ViewUnseen(m, g, addr, m.Layouts.Of(t).Size); s != vm.Done {
				return s
			}
		}
		eq, bad := m.Types.Equal(t, w[0], w[1])
		if bad != nil {
			return goroutine.ThrowComputed(m, g, "comparing uncomparable type "+m.Types.Str(bad))
		}
		w[2] = vm.Word(eq)
		return vm.Done
	})
	return m.FuncValue(f)
}

// HashFunc implements rtype.Hashers.
func (x typeFuncs) HashFunc(t types.Type) uint64 {
	m := x.m
	return m.FuncValue(m.Native("type..hash."+m.Types.Str(t), m.Types.Link(t), 16, 8, func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		p := m.Mem.At(w[0], m.Layouts.Of(t).Size)
		if p == nil {
			return goroutine.ThrowFault(m, g, w[0])
		}
		h, bad := m.Types.Alg(t).Hash(p, w[1])
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
