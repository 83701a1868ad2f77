package machine

import (
	"go/types"
	"unicode/utf8"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"golang.org/x/tools/go/ssa"
)

// This file defines map operations, and range loops over maps and strings.

func (c *compiler) lookup(in *ssa.Lookup) {
	t := c.m.mapTypeOf(in.X.Type().Underlying().(*types.Map))
	words := int32(t.elem.Words()) * 8
	commaOk := in.CommaOk
	c.closure(c.Reg(in), c.Reg(in.X), c.Reg(in.Index), func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		e, s := m.mapGet(g, ld(fp, in.B), unsafe.Add(fp, in.C), t)
		if s != done {
			return s
		}
		if e == nil {
			clear(frameBytes(fp, in.A, uint64(words)))
		} else {
			m.toRegister(t.elem.Class, unsafe.Add(fp, in.A), e, t.elem.Size)
		}
		if commaOk {
			st(fp, in.A+words, b2w(e != nil))
		}
		return done
	})
}

func (c *compiler) mapUpdate(in *ssa.MapUpdate) {
	t := c.m.mapTypeOf(in.Map.Type().Underlying().(*types.Map))
	c.closure(c.Reg(in.Map), c.Reg(in.Key), c.Reg(in.Value), func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		return m.mapSet(g, ld(fp, in.A), unsafe.Add(fp, in.B), unsafe.Add(fp, in.C), t)
	})
}

func (c *compiler) next(in *ssa.Next) {
	tup := in.Type().(*types.Tuple)
	offs := c.Layout(in).Offs
	r := in.Iter.(*ssa.Range)
	x, it := c.Reg(r.X), c.Reg(r)
	wanted := func(i int) bool {
		b, ok := tup.At(i).Type().(*types.Basic)
		return !ok || b.Kind() != types.Invalid
	}
	ko, vo := int32(offs[1]), int32(offs[2])
	if in.IsString {
		c.closure(c.Reg(in), x, it, func(m *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
			i, n := ld(fp, in.C), ld(fp, in.B+8)
			if i >= n {
				st(fp, in.A, 0)
				return done
			}
			b := m.str(ld(fp, in.B), n)
			r, size := utf8.DecodeRune(b[i:])
			st(fp, in.A, 1)
			st(fp, in.A+ko, i)
			st(fp, in.A+vo, uint64(int64(r)))
			st(fp, in.C, i+uint64(size))
			return done
		})
		return
	}
	t := c.m.mapTypeOf(r.X.Type().Underlying().(*types.Map))
	wantK, wantV := wanted(1), wanted(2)
	c.closure(c.Reg(in), x, it, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		i, next, s, status := m.mapNext(g, ld(fp, in.B), ld(fp, in.C))
		if status != done {
			return status
		}
		if i < 0 {
			st(fp, in.A, 0)
			return done
		}
		st(fp, in.A, 1)
		st(fp, in.C, next)
		if wantK {
			m.toRegister(t.key.Class, unsafe.Add(fp, in.A+ko), s.key(i), t.key.Size)
		}
		if wantV {
			m.toRegister(t.elem.Class, unsafe.Add(fp, in.A+vo), s.elem(i), t.elem.Size)
		}
		return done
	})
}
