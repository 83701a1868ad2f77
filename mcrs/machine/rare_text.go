package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"unicode/utf8"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"golang.org/x/tools/go/ssa"
)

// This file defines operators on strings and on values of several words, and conversions that allocate.

// binop compiles an operation on strings, and a comparison of values that are no numbers.
func (c *compiler) binop(in *ssa.BinOp) {
	_, ix := in.X.Type().Underlying().(*types.Interface)
	_, iy := in.Y.Type().Underlying().(*types.Interface)
	x, y := c.Reg(in.X), c.Reg(in.Y)
	switch {
	case in.Op == token.ADD:
		c.concat(c.Reg(in), x, y)
	case ix || iy:
		c.compareInterfaces(in, c.Reg(in), x, y)
	case isString(in.X.Type()):
		c.compareStrings(in.Op, c.Reg(in), x, y)
	default:
		c.compareWords(in, c.Reg(in), x, y)
	}
}

func (c *compiler) concat(dst, x, y int32) {
	c.closure(dst, x, y, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		p, n, s := m.concat(g, ld(fp, in.B), ld(fp, in.B+8), ld(fp, in.C), ld(fp, in.C+8))
		if s == done {
			st(fp, in.A, p)
			st(fp, in.A+8, n)
		}
		return s
	})
}

func (c *compiler) compareStrings(o token.Token, dst, x, y int32) {
	c.closure(dst, x, y, func(m *Machine, _ *G, fp unsafe.Pointer, in *code.Instr) status {
		var r bool
		xn, yn := ld(fp, in.B+8), ld(fp, in.C+8)
		switch o {
		case token.EQL:
			r = xn == yn && string(m.str(ld(fp, in.B), xn)) == string(m.str(ld(fp, in.C), yn))
		case token.NEQ:
			r = xn != yn || string(m.str(ld(fp, in.B), xn)) != string(m.str(ld(fp, in.C), yn))
		default:
			r = code.Ordered(o, string(m.str(ld(fp, in.B), xn)), string(m.str(ld(fp, in.C), yn)))
		}
		st(fp, in.A, b2w(r))
		return done
	})
}

// compareWords compares arrays, structs and complex numbers.
func (c *compiler) compareWords(in *ssa.BinOp, dst, x, y int32) {
	o := in.Op
	t := in.X.Type()
	c.closure(dst, x, y, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		eq, bad := m.types.EqualAt(t, unsafe.Add(fp, in.B), unsafe.Add(fp, in.C))
		if bad != nil {
			return m.throwComputed(g, "comparing uncomparable type "+m.types.Str(bad))
		}
		st(fp, in.A, b2w(eq == (o == token.EQL)))
		return done
	})
}

// convert compiles a conversion of a string, to one, or of a slice to an array.
func (c *compiler) convert(t types.Type, xv ssa.Value, dst int32) {
	x := c.Eval(xv)
	from, to := xv.Type().Underlying(), t.Underlying()
	fl := c.Layout(xv)
	tb, tIsBasic := to.(*types.Basic)
	switch {
	case tIsBasic && tb.Info()&types.IsString != 0:
		if sl, ok := from.(*types.Slice); ok {
			bytes := c.m.layouts.Of(sl.Elem()).Size == 1
			c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
				return m.sliceToString(g, fp, in.A, ld(fp, in.B), ld(fp, in.B+8), bytes)
			})
			return
		}
		signed := code.IsSigned(fl.Class)
		c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status { // string(rune)
			w := ld(fp, in.B)
			r := rune(utf8.RuneError)
			if int64(w) == int64(int32(w)) || !signed && w <= utf8.MaxRune {
				r = rune(w)
			}
			return m.setString(g, fp, in.A, string(r))
		})
	case isString(from):
		sl, ok := to.(*types.Slice)
		if !ok {
			c.Lacks(fmt.Sprintf("conversion of %s to %s", from, to))
			return
		}
		bytes := c.m.layouts.Of(sl.Elem()).Size == 1
		c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			return m.stringToSlice(g, fp, in.A, ld(fp, in.B), ld(fp, in.B+8), bytes)
		})
	default:
		c.sliceToArray(dst, x, from.(*types.Slice), to.(*types.Array))
	}
}

// concat joins two strings.
func (m *Machine) concat(g *G, p, n, q, k uint64) (uint64, uint64, status) {
	if n == 0 {
		return q, k, done
	}
	if k == 0 {
		return p, n, done
	}
	r, s := m.allocUnlogged(g, n+k, nil)
	if s != done {
		return 0, 0, s
	}
	b := m.mem.Object(r).Bytes()
	copy(b, m.str(p, n))
	copy(b[n:], m.str(q, k))
	return r, n + k, done
}

func (c *compiler) sliceToArray(dst, x int32, sl *types.Slice, arr *types.Array) {
	el := c.m.layouts.Of(sl.Elem())
	n := arr.Len()
	al := c.m.layouts.Of(arr)
	c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		if have := int64(ld(fp, in.B+8)); have < n {
			return m.throwComputed(g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
		}
		tmp := make([]byte, el.Size*uint64(n))
		if s := m.load(g, ld(fp, in.B), tmp); s != done {
			return s
		}
		m.toRegister(al.Class, unsafe.Add(fp, in.A), unsafe.Pointer(unsafe.SliceData(tmp)), al.Size)
		return done
	})
}

// sliceToString converts []byte or []rune to a string.
func (m *Machine) sliceToString(g *G, fp unsafe.Pointer, dst int32, p, n uint64, bytes bool) status {
	if n == 0 {
		st(fp, dst, 0)
		st(fp, dst+8, 0)
		return done
	}
	if bytes {
		b, s := m.view(g, p, n)
		if s != done {
			return s
		}
		return m.setString(g, fp, dst, string(b))
	}
	b, s := m.view(g, p, n*4)
	if s != done {
		return s
	}
	rs := unsafe.Slice((*rune)(unsafe.Pointer(&b[0])), n)
	return m.setString(g, fp, dst, string(rs))
}

// stringToSlice converts a string to []byte or []rune.
func (m *Machine) stringToSlice(g *G, fp unsafe.Pointer, dst int32, p, n uint64, bytes bool) status {
	src := m.str(p, n)
	var data []byte
	k := n
	if bytes {
		data = src
	} else {
		rs := []rune(string(src))
		k = uint64(len(rs))
		if k > 0 {
			data = unsafe.Slice((*byte)(unsafe.Pointer(&rs[0])), k*4)
		}
	}
	q, s := m.alloc(g, uint64(len(data)), nil)
	if s != done {
		return s
	}
	copy(m.mem.Object(q).Bytes(), data)
	st(fp, dst, q)
	st(fp, dst+8, k)
	st(fp, dst+16, k)
	return done
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
