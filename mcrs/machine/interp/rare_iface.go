package interp

import (
	"go/token"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file defines interfaces: a value is two words, the type descriptor (or, for an interface with methods, the
// itab) and the data: the value itself if it is one pointer, else a pointer to it.

func (c *compiler) makeInterface(in *ssa.MakeInterface) {
	l := c.Layout(in.X)
	word := typeWord{in.Type(), in.X.Type()}
	dst := c.Reg(in)
	if l.Direct {
		tw := c.Named(word)
		x := c.Eval(in.X)
		c.closure(dst, x, tw, func(_ *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			w := vm.Ld(fp, in.B)
			vm.St(fp, in.A, vm.Ld(fp, in.C))
			vm.St(fp, in.A+8, w)
			return vm.Done
		})
		return
	}
	if k, ok := in.X.(*ssa.Const); ok {
		c.Move(dst, c.NamedPair(word, boxed{k, l}), 16)
		return
	}
	tw := c.Named(word)
	x := c.Eval(in.X)
	c.closure(dst, x, tw, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		p, s := box(m, g, l, unsafe.Add(fp, in.B))
		if s != vm.Done {
			return s
		}
		vm.St(fp, in.A, vm.Ld(fp, in.C))
		vm.St(fp, in.A+8, p)
		return vm.Done
	})
}

// box copies a register value to a new object.
func box(m *vm.Machine, g *vm.G, l *layout.Layout, src unsafe.Pointer) (uint64, vm.Status) {
	p, s := m.AllocUnlogged(g, l.Size, l.Ptrs)
	if s == vm.Done {
		copy(m.Mem.Object(p).Bytes(), unsafe.Slice((*byte)(src), l.Size))
	}
	return p, s
}

func (c *compiler) changeInterface(in *ssa.ChangeInterface) {
	fromEmpty, toEmpty := vm.IsEmpty(in.X.Type()), vm.IsEmpty(in.Type())
	to := in.Type()
	x := c.Eval(in.X)
	c.closure(c.Reg(in), x, 0, func(m *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		w, d := m.DynamicType(vm.Ld(fp, in.B), fromEmpty), vm.Ld(fp, in.B+8)
		if w != 0 && !toEmpty {
			w = m.ItabFor(to, w)
		}
		vm.St(fp, in.A, w)
		vm.St(fp, in.A+8, d)
		return vm.Done
	})
}

// isReceiverCheck reports whether in is the check of a method value's receiver: it has the place of the method value.
func isReceiverCheck(in *ssa.TypeAssert) bool {
	for _, r := range in.Block().Instrs {
		if mc, ok := r.(*ssa.MakeClosure); ok && mc.Pos() == in.Pos() && in.Pos().IsValid() {
			return true
		}
	}
	return false
}

func (c *compiler) typeAssert(in *ssa.TypeAssert) {
	from, to := in.X.Type(), in.AssertedType
	fromEmpty := vm.IsEmpty(from)
	x, dst := c.Eval(in.X), c.Reg(in)
	commaOk := in.CommaOk
	// go/ssa checks the receiver of a method value by an assertion that the source has not, and package program an
	// interface whose method is called, by one that has no position.
	receiver := !commaOk && (!in.Pos().IsValid() && types.Identical(from, to) || isReceiverCheck(in))
	if _, ok := to.Underlying().(*types.Interface); ok {
		toEmpty := vm.IsEmpty(to)
		c.closure(dst, x, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			w, d := m.DynamicType(vm.Ld(fp, in.B), fromEmpty), vm.Ld(fp, in.B+8)
			typ := w
			if w != 0 && !toEmpty {
				w = m.ItabFor(to, w)
			}
			if w == 0 {
				d = 0
				switch {
				case receiver:
					return goroutine.ThrowNil(m, g)
				case !commaOk:
					return goroutine.ThrowAssert(m, g, from, typ, to)
				}
			}
			vm.St(fp, in.A, w)
			vm.St(fp, in.A+8, d)
			if commaOk {
				vm.St(fp, in.A+16, vm.Word(w != 0))
			}
			return vm.Done
		})
		return
	}
	l := c.layouts.Of(to)
	words := int32(l.Words()) * 8
	c.closure(dst, x, c.Named(typeOf{to}), func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		w, d := m.DynamicType(vm.Ld(fp, in.B), fromEmpty), vm.Ld(fp, in.B+8)
		if w != vm.Ld(fp, in.C) {
			if !commaOk {
				return goroutine.ThrowAssert(m, g, from, w, to)
			}
			clear(vm.FrameBytes(fp, in.A, uint64(words)+8))
			return vm.Done
		}
		if l.Direct {
			vm.St(fp, in.A, d)
		} else if l.Size > 0 {
			vm.ToRegister(l.Class, unsafe.Add(fp, in.A), m.Must(d, l.Size), l.Size)
		}
		if commaOk {
			vm.St(fp, in.A+words, 1)
		}
		return vm.Done
	})
}

func (c *compiler) compareInterfaces(in *ssa.BinOp, dst, x, y int32) {
	neg := in.Op == token.NEQ
	kind := func(v ssa.Value) (iface, empty bool) {
		if _, ok := v.Type().Underlying().(*types.Interface); ok {
			return true, vm.IsEmpty(v.Type())
		}
		return false, false
	}
	xi, xe := kind(in.X)
	yi, ye := kind(in.Y)
	isNil := func(v ssa.Value) bool { k, ok := v.(*ssa.Const); return ok && k.Value == nil }
	if xi && yi && (isNil(in.X) || isNil(in.Y)) {
		c.closure(dst, x, y, func(_ *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			vm.St(fp, in.A, vm.Word((vm.Ld(fp, in.B) == vm.Ld(fp, in.C)) != neg))
			return vm.Done
		})
		return
	}
	tx, ty := in.X.Type(), in.Y.Type()
	c.closure(dst, x, y, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		word := func(off int32, iface, empty bool, t types.Type) (typ uint64, data uint64, at unsafe.Pointer) {
			if !iface {
				return m.Types.Of(t), 0, unsafe.Add(fp, off)
			}
			return m.DynamicType(vm.Ld(fp, off), empty), vm.Ld(fp, off+8), nil
		}
		t1, d1, p1 := word(in.B, xi, xe, tx)
		t2, d2, p2 := word(in.C, yi, ye, ty)
		if t1 != t2 || t1 == 0 {
			vm.St(fp, in.A, vm.Word((t1 == t2) != neg))
			return vm.Done
		}
		t := m.Types.TypeAt(t1)
		if !m.Types.Alg(t).Comparable() {
			return goroutine.ThrowComputed(m, g, "comparing uncomparable type "+m.Types.Str(t))
		}
		l := m.Layouts.Of(t)
		at := func(d *uint64, p unsafe.Pointer) unsafe.Pointer {
			switch {
			case p != nil:
				return p
			case l.Direct:
				return unsafe.Pointer(d)
			}
			return m.Must(*d, l.Size)
		}
		eq, bad := m.Types.EqualAt(t, at(&d1, p1), at(&d2, p2))
		if bad != nil {
			return goroutine.ThrowComputed(m, g, "comparing uncomparable type "+m.Types.Str(bad))
		}
		vm.St(fp, in.A, vm.Word(eq != neg))
		return vm.Done
	})
}
