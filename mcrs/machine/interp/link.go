package interp

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program/assembly"
	"golang.org/x/tools/go/ssa"
)

// This file gives code the numbers of a machine (code.Linker).

// What links name, beside what package code does.
type (
	textOf   struct{ fn *ssa.Function } // the address of a function
	indexOf  struct{ fn *ssa.Function } // the index of a function among those that this one calls, for go and defer
	typeOf   struct{ t types.Type }     // a descriptor
	typeWord struct{ iface, t types.Type }
	boxed    struct {
		k *ssa.Const
		l *layout.Layout
	} // the address of a constant in an interface
	builtinOf struct {
		name string
		t    *vm.Template
	} // the index of a builtin function, for go and defer
)

// A linker links the code of f.
type linker struct {
	m *vm.Machine
	f *vm.Func

	odd string // a variable whose value is not known, and why
}

// Number implements code.Linker.
func (l *linker) Number(name any) uint64 {
	m := l.m
	switch n := name.(type) {
	case *ssa.Global:
		if v := m.Program.Assembled(n); v != nil && l.odd == "" {
			l.odd = unknown(m, n, v)
		}
		return m.GlobalAddr(n)
	case *ssa.Function:
		return m.FuncValue(m.Func(l.twin(n)))
	case code.Text:
		p, _ := m.StaticString(string(n))
		return p
	case code.Method:
		return uint64(m.Types.ItabMethod(n.Iface, n.Method))
	case *layout.Layout:
		return m.LayoutIndex(n)
	case *mem.PtrMap:
		return m.PtrMapIndex(n)
	case textOf:
		return m.Func(l.twin(n.fn)).Text
	case indexOf:
		return l.f.Index(m.Func(n.fn))
	case typeOf:
		return m.Types.Of(n.t)
	case typeWord:
		return m.TypeWord(n.iface, n.t)
	case boxed:
		return l.box(n)
	case builtinOf:
		return l.f.Index(l.builtin(n))
	}
	panic(fmt.Sprintf("interp: a link to a %T", name))
}

// unknown says of a variable to which assembly gives a value that this is not known, and why; "" if it is known.
func unknown(m *vm.Machine, g *ssa.Global, v *assembly.Value) string {
	why := v.Odd
	if why == "" && m.Layouts.Of(vm.Deref(g.Type())).Ptrs != nil {
		why = "it has pointers"
	}
	if why == "" || why == assembly.Function { // STATIC2
		return ""
	}
	return fmt.Sprintf("%s, to which assembly gives a value that is not understood (%s)", g.RelString(nil), why)
}

// Callee implements code.Linker.
func (l *linker) Callee(fn *ssa.Function) (index uint64, intrinsic bool) {
	f := l.m.Callee(l.f, fn)
	return l.f.Index(f), f.Intrinsic != nil
}

// box lays out a constant, as an interface holds it.
func (l *linker) box(b boxed) uint64 {
	words := make([]uint64, max(b.l.Words(), 1))
	if s, ok := code.StringConst(b.k); ok {
		words[0], words[1] = l.m.StaticString(s)
	} else if b.k.Value != nil {
		words = code.ConstWords(l.m.Layouts, b.k)
	}
	return l.m.StaticData(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), b.l.Size), b.l)
}

// builtin makes a builtin function.
func (l *linker) builtin(b builtinOf) *vm.Func {
	f := l.m.Native(b.name, fmt.Sprint(l.f.Text, len(l.f.Funcs)), 0, 0, nil)
	f.Builtin = true
	f.Instantiate(l.m, b.t, &linker{m: l.m, f: f})
	return f
}
