package machine

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"unicode/utf8"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of operators and conversions.

func (c *compiler) binop(in *ssa.BinOp) {
	dst := c.reg(in)
	l := c.layout(in.X)
	cl := l.Class
	switch in.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		c.compare(in, dst)
		return
	case token.SHL, token.SHR:
		c.shift(in, dst, cl)
		return
	}
	x, y := c.reg(in.X), c.reg(in.Y)
	switch {
	case cl >= layout.Int8 && cl <= layout.Uint64:
		c.intop(in, dst, x, y, cl)
	case cl == layout.Float64:
		ops := map[token.Token]op{token.ADD: opAddF, token.SUB: opSubF, token.MUL: opMulF, token.QUO: opDivF}
		c.emit(instr{op: ops[in.Op], a: dst, b: x, c: y})
	case cl == layout.Float32:
		c.float32op(in.Op, dst, x, y)
	default:
		b := in.X.Type().Underlying().(*types.Basic)
		if b.Info()&types.IsString != 0 {
			c.closure(dst, x, y, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
				p, n, s := m.concat(g, ld(fp, in.b), ld(fp, in.b+8), ld(fp, in.c), ld(fp, in.c+8))
				if s == done {
					st(fp, in.a, p)
					st(fp, in.a+8, n)
				}
				return s
			})
			return
		}
		c.complexop(in.Op, dst, x, y, b.Kind() == types.Complex64)
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

func (c *compiler) intop(in *ssa.BinOp, dst, x, y int32, cl layout.Class) {
	signed := isSigned(cl)
	if k, ok := in.Y.(*ssa.Const); ok && k.Value != nil {
		imm := c.m.constWords(k)[0]
		switch in.Op {
		case token.ADD:
			c.emit(instr{op: opAddI, a: dst, b: x, k: imm})
			c.ext(dst, cl)
			return
		case token.SUB:
			c.emit(instr{op: opAddI, a: dst, b: x, k: -imm})
			c.ext(dst, cl)
			return
		case token.MUL:
			c.emit(instr{op: opMulI, a: dst, b: x, k: imm})
			c.ext(dst, cl)
			return
		case token.AND:
			c.emit(instr{op: opAndI, a: dst, b: x, k: imm})
			return
		}
	}
	var o op
	narrow := true
	switch in.Op {
	case token.ADD:
		o = opAdd
	case token.SUB:
		o = opSub
	case token.MUL:
		o = opMul
	case token.QUO:
		o = opDivU
		if signed {
			o = opDivS
		}
	case token.REM:
		o = opRemU
		if signed {
			o = opRemS
		}
	case token.AND:
		o, narrow = opAnd, false
	case token.OR:
		o, narrow = opOr, false
	case token.XOR:
		o, narrow = opXor, false
	case token.AND_NOT:
		o, narrow = opAndNot, false
	}
	c.emit(instr{op: o, a: dst, b: x, c: y})
	if narrow {
		c.ext(dst, cl)
	}
}

func (c *compiler) shift(in *ssa.BinOp, dst int32, cl layout.Class) {
	x := c.reg(in.X)
	// The count may be a negative constant all the same: a variable that go/ssa has lifted.
	if k, ok := in.Y.(*ssa.Const); ok && k.Value != nil && constant.Sign(constant.ToInt(k.Value)) >= 0 {
		n := c.m.constWords(k)[0]
		o := opShlI
		if in.Op == token.SHR {
			o = opShrUI
			if isSigned(cl) {
				o = opShrSI
			}
		}
		c.emit(instr{op: o, a: dst, b: x, k: n})
		if in.Op == token.SHL {
			c.ext(dst, cl)
		}
		return
	}
	y := c.reg(in.Y)
	if isSigned(c.layout(in.Y).Class) {
		c.emit(instr{op: opShlChk, b: y})
	}
	o := opShl
	if in.Op == token.SHR {
		o = opShrU
		if isSigned(cl) {
			o = opShrS
		}
	}
	c.emit(instr{op: o, a: dst, b: x, c: y})
	if in.Op == token.SHL {
		c.ext(dst, cl)
	}
}

func (c *compiler) compare(in *ssa.BinOp, dst int32) {
	l := c.layout(in.X)
	o := in.Op
	_, ix := in.X.Type().Underlying().(*types.Interface)
	_, iy := in.Y.Type().Underlying().(*types.Interface)
	x, y := c.reg(in.X), c.reg(in.Y)
	switch {
	case ix || iy:
		c.compareInterfaces(in, dst, x, y)
		return
	case l.Class >= layout.Int8 && l.Class <= layout.Uint64:
		if o == token.GTR || o == token.GEQ {
			x, y = y, x
		}
		var code op
		signed := isSigned(l.Class)
		switch o {
		case token.EQL:
			code = opEq
		case token.NEQ:
			code = opNe
		case token.LSS, token.GTR:
			code = opLtU
			if signed {
				code = opLtS
			}
		default:
			code = opLeU
			if signed {
				code = opLeS
			}
		}
		c.emit(instr{op: code, a: dst, b: x, c: y})
		return
	case l.Class == layout.Float64:
		if o == token.GTR || o == token.GEQ {
			x, y = y, x
		}
		code := map[token.Token]op{token.EQL: opEqF, token.NEQ: opNeF, token.LSS: opLtF, token.GTR: opLtF, token.LEQ: opLeF, token.GEQ: opLeF}[o]
		c.emit(instr{op: code, a: dst, b: x, c: y})
		return
	case l.Class == layout.Float32:
		c.closure(dst, x, y, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			st(fp, in.a, b2w(ordered(o, math.Float32frombits(uint32(ld(fp, in.b))), math.Float32frombits(uint32(ld(fp, in.c))))))
			return done
		})
		return
	}
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		c.closure(dst, x, y, func(m *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			var r bool
			xn, yn := ld(fp, in.b+8), ld(fp, in.c+8)
			switch o {
			case token.EQL:
				r = xn == yn && string(m.str(ld(fp, in.b), xn)) == string(m.str(ld(fp, in.c), yn))
			case token.NEQ:
				r = xn != yn || string(m.str(ld(fp, in.b), xn)) != string(m.str(ld(fp, in.c), yn))
			default:
				r = ordered(o, string(m.str(ld(fp, in.b), xn)), string(m.str(ld(fp, in.c), yn)))
			}
			st(fp, in.a, b2w(r))
			return done
		})
		return
	}
	// Slices, maps, functions are compared with nil alone: their first word says it.
	switch in.X.Type().Underlying().(type) {
	case *types.Slice:
		c.closure(dst, x, y, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			st(fp, in.a, b2w((ld(fp, in.b) == ld(fp, in.c)) == (o == token.EQL)))
			return done
		})
		return
	}
	t := in.X.Type()
	c.closure(dst, x, y, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		eq, bad := m.types.EqualAt(t, unsafe.Add(fp, in.b), unsafe.Add(fp, in.c))
		if bad != nil {
			return m.throwComputed(g, "comparing uncomparable type "+m.types.Str(bad))
		}
		st(fp, in.a, b2w(eq == (o == token.EQL)))
		return done
	})
}

func ordered[T interface{ ~float32 | ~float64 | ~string }](o token.Token, x, y T) bool {
	switch o {
	case token.EQL:
		return x == y
	case token.NEQ:
		return x != y
	case token.LSS:
		return x < y
	case token.LEQ:
		return x <= y
	case token.GTR:
		return x > y
	}
	return x >= y
}

func (c *compiler) float32op(o token.Token, dst, x, y int32) {
	c.closure(dst, x, y, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
		a, b := math.Float32frombits(uint32(ld(fp, in.b))), math.Float32frombits(uint32(ld(fp, in.c)))
		var r float32
		switch o {
		case token.ADD:
			r = a + b
		case token.SUB:
			r = a - b
		case token.MUL:
			r = a * b
		case token.QUO:
			r = a / b
		}
		st(fp, in.a, uint64(math.Float32bits(r)))
		return done
	})
}

func getComplex(fp unsafe.Pointer, off int32, small bool) complex128 {
	if small {
		return complex128(*(*complex64)(unsafe.Add(fp, off)))
	}
	return *(*complex128)(unsafe.Add(fp, off))
}

func setComplex(fp unsafe.Pointer, off int32, small bool, v complex128) {
	if small {
		*(*complex64)(unsafe.Add(fp, off)) = complex64(v)
		return
	}
	*(*complex128)(unsafe.Add(fp, off)) = v
}

func (c *compiler) complexop(o token.Token, dst, x, y int32, small bool) {
	c.closure(dst, x, y, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
		if small && o != token.QUO {
			a, b := *(*complex64)(unsafe.Add(fp, in.b)), *(*complex64)(unsafe.Add(fp, in.c))
			var r complex64
			switch o {
			case token.ADD:
				r = a + b
			case token.SUB:
				r = a - b
			case token.MUL:
				r = a * b
			}
			*(*complex64)(unsafe.Add(fp, in.a)) = r
			return done
		}
		a, b := getComplex(fp, in.b, small), getComplex(fp, in.c, small)
		var r complex128
		switch o {
		case token.ADD:
			r = a + b
		case token.SUB:
			r = a - b
		case token.MUL:
			r = a * b
		case token.QUO:
			r = a / b
		}
		setComplex(fp, in.a, small, r)
		return done
	})
}

func (c *compiler) complexNeg(dst, x int32, l *layout.Layout) {
	small := l.Size == 8
	c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
		setComplex(fp, in.a, small, -getComplex(fp, in.b, small))
		return done
	})
}

// convert compiles a conversion to type t.
func (c *compiler) convert(t types.Type, xv ssa.Value, dst int32) {
	x := c.reg2(xv)
	from, to := xv.Type().Underlying(), t.Underlying()
	fl, tl := c.layout(xv), c.m.layouts.Of(t)
	fb, fIsBasic := from.(*types.Basic)
	tb, tIsBasic := to.(*types.Basic)
	isStr := func(b *types.Basic, ok bool) bool { return ok && b.Info()&types.IsString != 0 }
	switch {
	case isStr(tb, tIsBasic) && isStr(fb, fIsBasic):
		c.move(dst, x, 16)
	case isStr(tb, tIsBasic):
		if sl, ok := from.(*types.Slice); ok {
			bytes := c.m.layouts.Of(sl.Elem()).Size == 1
			c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
				return m.sliceToString(g, fp, in.a, ld(fp, in.b), ld(fp, in.b+8), bytes)
			})
			return
		}
		signed := isSigned(fl.Class)
		c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status { // string(rune)
			w := ld(fp, in.b)
			r := rune(utf8.RuneError)
			if int64(w) == int64(int32(w)) || !signed && w <= utf8.MaxRune {
				r = rune(w)
			}
			return m.setString(g, fp, in.a, string(r))
		})
	case isStr(fb, fIsBasic):
		sl, ok := to.(*types.Slice)
		if !ok {
			c.lacks(fmt.Sprintf("conversion of %s to %s", from, to))
			return
		}
		bytes := c.m.layouts.Of(sl.Elem()).Size == 1
		c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			return m.stringToSlice(g, fp, in.a, ld(fp, in.b), ld(fp, in.b+8), bytes)
		})
	case fl.Class == layout.Words && tl.Class == layout.Words:
		if fIsBasic && fb.Info()&types.IsComplex != 0 {
			fs, ts := fl.Size == 8, tl.Size == 8
			c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
				setComplex(fp, in.a, ts, getComplex(fp, in.b, fs))
				return done
			})
			return
		}
		if sl, ok := from.(*types.Slice); ok {
			if arr, ok := to.(*types.Array); ok {
				c.sliceToArray(dst, x, sl, arr)
				return
			}
		}
		c.move(dst, x, int32(tl.Words())*8)
	default:
		c.numeric(dst, x, fl, tl, xv, t)
	}
}

func (c *compiler) sliceToArray(dst, x int32, sl *types.Slice, arr *types.Array) {
	el := c.m.layouts.Of(sl.Elem())
	n := arr.Len()
	al := c.m.layouts.Of(arr)
	c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		if have := int64(ld(fp, in.b+8)); have < n {
			return m.throwComputed(g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
		}
		tmp := make([]byte, el.Size*uint64(n))
		if s := m.load(g, ld(fp, in.b), tmp); s != done {
			return s
		}
		m.toRegister(al.Class, unsafe.Add(fp, in.a), unsafe.Pointer(unsafe.SliceData(tmp)), al.Size)
		return done
	})
}

func (c *compiler) numeric(dst, x int32, fl, tl *layout.Layout, xv ssa.Value, t types.Type) {
	isInt := func(l *layout.Layout) bool { return l.Class >= layout.Int8 && l.Class <= layout.Uint64 }
	signed := isSigned(fl.Class)
	switch {
	case isInt(fl) && isInt(tl):
		c.move(dst, x, 8)
		c.ext(dst, tl.Class)
	case isInt(fl) && tl.Class == layout.Float64:
		c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			w := ld(fp, in.b)
			if signed {
				st(fp, in.a, math.Float64bits(float64(int64(w))))
			} else {
				st(fp, in.a, math.Float64bits(float64(w)))
			}
			return done
		})
	case isInt(fl) && tl.Class == layout.Float32:
		c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			w := ld(fp, in.b)
			if signed {
				st(fp, in.a, uint64(math.Float32bits(float32(int64(w)))))
			} else {
				st(fp, in.a, uint64(math.Float32bits(float32(w))))
			}
			return done
		})
	case isInt(tl):
		f32 := fl.Class == layout.Float32
		cl := tl.Class
		c.closure(dst, x, 0, func(m *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			var f float64
			if f32 {
				f = float64(math.Float32frombits(uint32(ld(fp, in.b))))
			} else {
				f = math.Float64frombits(ld(fp, in.b))
			}
			st(fp, in.a, floatToInt(cl, f))
			return done
		})
	case fl.Class == layout.Float32 && tl.Class == layout.Float64:
		c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			st(fp, in.a, math.Float64bits(float64(math.Float32frombits(uint32(ld(fp, in.b))))))
			return done
		})
	case fl.Class == layout.Float64 && tl.Class == layout.Float32:
		c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
			st(fp, in.a, uint64(math.Float32bits(float32(math.Float64frombits(ld(fp, in.b))))))
			return done
		})
	case fl.Class == tl.Class:
		c.move(dst, x, int32(tl.Words())*8)
	default:
		c.lacks(fmt.Sprintf("conversion of %s to %s", xv.Type(), t))
	}
}

// floatToInt converts as gc's code on amd64 does, also out of range.
func floatToInt(cl layout.Class, f float64) uint64 {
	switch cl {
	case layout.Int8:
		return uint64(int64(int8(f)))
	case layout.Int16:
		return uint64(int64(int16(f)))
	case layout.Int32:
		return uint64(int64(int32(f)))
	case layout.Int64:
		return uint64(int64(f))
	case layout.Uint8:
		return uint64(uint8(f))
	case layout.Uint16:
		return uint64(uint16(f))
	case layout.Uint32:
		return uint64(uint32(f))
	}
	return uint64(f)
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
