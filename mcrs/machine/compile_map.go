package machine

import (
	"go/types"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of map operations and of range loops over maps and strings.

func (c *compiler) lookup(in *ssa.Lookup) {
	if _, ok := in.X.Type().Underlying().(*types.Map); !ok {
		c.emit(instr{op: opIdxStr, a: c.reg(in), b: c.reg(in.X), c: c.reg(in.Index)})
		return
	}
	t := c.m.mapTypeOf(in.X.Type().Underlying().(*types.Map))
	words := int32(t.elem.Words()) * 8
	commaOk := in.CommaOk
	c.closure(c.reg(in), c.reg(in.X), c.reg(in.Index), func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		e, s := m.mapGet(g, ld(fp, in.b), unsafe.Add(fp, in.c), t)
		if s != done {
			return s
		}
		if e == nil {
			clear(frameBytes(fp, in.a, uint64(words)))
		} else {
			m.toRegister(t.elem.Class, unsafe.Add(fp, in.a), e, t.elem.Size)
		}
		if commaOk {
			st(fp, in.a+words, b2w(e != nil))
		}
		return done
	})
}

func (c *compiler) mapUpdate(in *ssa.MapUpdate) {
	t := c.m.mapTypeOf(in.Map.Type().Underlying().(*types.Map))
	c.closure(c.reg(in.Map), c.reg(in.Key), c.reg(in.Value), func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		return m.mapSet(g, ld(fp, in.a), unsafe.Add(fp, in.b), unsafe.Add(fp, in.c), t)
	})
}

// rangeOver starts an iterator: one word, a byte index or an entry's sequence number.
func (c *compiler) rangeOver(in *ssa.Range) {
	c.emit(instr{op: opZero, a: c.reg(in), k: 8})
}

func (c *compiler) next(in *ssa.Next) {
	tup := in.Type().(*types.Tuple)
	offs := c.layout(in).Offs
	r := in.Iter.(*ssa.Range)
	x, it := c.reg(r.X), c.reg(r)
	wanted := func(i int) bool {
		b, ok := tup.At(i).Type().(*types.Basic)
		return !ok || b.Kind() != types.Invalid
	}
	ko, vo := int32(offs[1]), int32(offs[2])
	if in.IsString {
		c.closure(c.reg(in), x, it, func(m *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			i, n := ld(fp, in.c), ld(fp, in.b+8)
			if i >= n {
				st(fp, in.a, 0)
				return done
			}
			b := m.str(ld(fp, in.b), n)
			r, size := utf8.DecodeRune(b[i:])
			st(fp, in.a, 1)
			st(fp, in.a+ko, i)
			st(fp, in.a+vo, uint64(int64(r)))
			st(fp, in.c, i+uint64(size))
			return done
		})
		return
	}
	t := c.m.mapTypeOf(r.X.Type().Underlying().(*types.Map))
	wantK, wantV := wanted(1), wanted(2)
	c.closure(c.reg(in), x, it, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		i, next, s, status := m.mapNext(g, ld(fp, in.b), ld(fp, in.c))
		if status != done {
			return status
		}
		if i < 0 {
			st(fp, in.a, 0)
			return done
		}
		st(fp, in.a, 1)
		st(fp, in.c, next)
		if wantK {
			m.toRegister(t.key.Class, unsafe.Add(fp, in.a+ko), s.key(i), t.key.Size)
		}
		if wantV {
			m.toRegister(t.elem.Class, unsafe.Add(fp, in.a+vo), s.elem(i), t.elem.Size)
		}
		return done
	})
}
