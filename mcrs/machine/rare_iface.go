package machine

import (
	"go/token"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines interfaces: a value is two words, the type descriptor (or, for an interface with methods, the
// itab) and the data: the value itself if it is one pointer, else a pointer to it.

func isEmpty(t types.Type) bool { return t.Underlying().(*types.Interface).NumMethods() == 0 }

func (c *compiler) makeInterface(in *ssa.MakeInterface) {
	l := c.Layout(in.X)
	m := c.m
	tw := m.typeWord(in.Type(), in.X.Type())
	dst := c.Reg(in)
	if l.Direct {
		x := c.Eval(in.X)
		c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
			w := ld(fp, in.B)
			st(fp, in.A, tw)
			st(fp, in.A+8, w)
			return done
		})
		return
	}
	if k, ok := in.X.(*ssa.Const); ok {
		ws := make([]uint64, max(l.Words(), 1))
		if k.Value != nil {
			ws = c.ConstWords(k)
		}
		b := unsafe.Slice((*byte)(unsafe.Pointer(&ws[0])), l.Size)
		c.Move(dst, c.Pool(tw, m.staticData(b, l)), 16)
		return
	}
	x := c.Eval(in.X)
	c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		p, s := m.box(g, l, unsafe.Add(fp, in.B))
		if s != done {
			return s
		}
		st(fp, in.A, tw)
		st(fp, in.A+8, p)
		return done
	})
}

// box copies a register value to a new object.
func (m *Machine) box(g *G, l *layout.Layout, src unsafe.Pointer) (uint64, status) {
	p, s := m.allocUnlogged(g, l.Size, l.Ptrs)
	if s == done {
		copy(m.mem.Object(p).Bytes(), unsafe.Slice((*byte)(src), l.Size))
	}
	return p, s
}

func (c *compiler) changeInterface(in *ssa.ChangeInterface) {
	fromEmpty, toEmpty := isEmpty(in.X.Type()), isEmpty(in.Type())
	to := in.Type()
	x := c.Eval(in.X)
	c.closure(c.Reg(in), x, 0, func(m *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
		w, d := m.dynamicType(ld(fp, in.B), fromEmpty), ld(fp, in.B+8)
		if w != 0 && !toEmpty {
			w = m.itabFor(to, w)
		}
		st(fp, in.A, w)
		st(fp, in.A+8, d)
		return done
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
	m := c.m
	from, to := in.X.Type(), in.AssertedType
	fromEmpty := isEmpty(from)
	x, dst := c.Eval(in.X), c.Reg(in)
	commaOk := in.CommaOk
	// go/ssa checks the receiver of a method value by an assertion that the source has not, and package program an interface
	// whose method is called, by one that has no position.
	receiver := !commaOk && (!in.Pos().IsValid() && types.Identical(from, to) || isReceiverCheck(in))
	if _, ok := to.Underlying().(*types.Interface); ok {
		toEmpty := isEmpty(to)
		c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			w, d := m.dynamicType(ld(fp, in.B), fromEmpty), ld(fp, in.B+8)
			typ := w
			if w != 0 && !toEmpty {
				w = m.itabFor(to, w)
			}
			if w == 0 {
				d = 0
				switch {
				case receiver:
					return m.throwNil(g)
				case !commaOk:
					return m.throwAssert(g, from, typ, to)
				}
			}
			st(fp, in.A, w)
			st(fp, in.A+8, d)
			if commaOk {
				st(fp, in.A+16, b2w(w != 0))
			}
			return done
		})
		return
	}
	l := m.layouts.Of(to)
	want := m.types.Of(to)
	words := int32(l.Words()) * 8
	c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		w, d := m.dynamicType(ld(fp, in.B), fromEmpty), ld(fp, in.B+8)
		if w != want {
			if !commaOk {
				return m.throwAssert(g, from, w, to)
			}
			clear(frameBytes(fp, in.A, uint64(words)+8))
			return done
		}
		if l.Direct {
			st(fp, in.A, d)
		} else if l.Size > 0 {
			m.toRegister(l.Class, unsafe.Add(fp, in.A), m.must(d, l.Size), l.Size)
		}
		if commaOk {
			st(fp, in.A+words, 1)
		}
		return done
	})
}

func (c *compiler) compareInterfaces(in *ssa.BinOp, dst, x, y int32) {
	neg := in.Op == token.NEQ
	kind := func(v ssa.Value) (iface, empty bool) {
		if _, ok := v.Type().Underlying().(*types.Interface); ok {
			return true, isEmpty(v.Type())
		}
		return false, false
	}
	xi, xe := kind(in.X)
	yi, ye := kind(in.Y)
	isNil := func(v ssa.Value) bool { k, ok := v.(*ssa.Const); return ok && k.Value == nil }
	if xi && yi && (isNil(in.X) || isNil(in.Y)) {
		c.closure(dst, x, y, func(_ *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
			st(fp, in.A, b2w((ld(fp, in.B) == ld(fp, in.C)) != neg))
			return done
		})
		return
	}
	tx, ty := in.X.Type(), in.Y.Type()
	c.closure(dst, x, y, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		word := func(off int32, iface, empty bool, t types.Type) (typ uint64, data uint64, at unsafe.Pointer) {
			if !iface {
				return m.types.Of(t), 0, unsafe.Add(fp, off)
			}
			return m.dynamicType(ld(fp, off), empty), ld(fp, off+8), nil
		}
		t1, d1, p1 := word(in.B, xi, xe, tx)
		t2, d2, p2 := word(in.C, yi, ye, ty)
		if t1 != t2 || t1 == 0 {
			st(fp, in.A, b2w((t1 == t2) != neg))
			return done
		}
		t := m.types.TypeAt(t1)
		if !m.types.Alg(t).Comparable() {
			return m.throwComputed(g, "comparing uncomparable type "+m.types.Str(t))
		}
		l := m.layouts.Of(t)
		at := func(d *uint64, p unsafe.Pointer) unsafe.Pointer {
			switch {
			case p != nil:
				return p
			case l.Direct:
				return unsafe.Pointer(d)
			}
			return m.must(*d, l.Size)
		}
		eq, bad := m.types.EqualAt(t, at(&d1, p1), at(&d2, p2))
		if bad != nil {
			return m.throwComputed(g, "comparing uncomparable type "+m.types.Str(bad))
		}
		st(fp, in.A, b2w(eq != neg))
		return done
	})
}
