package code

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of operators and conversions.

func (c *Compiler) binop(in *ssa.BinOp) {
	dst := c.Reg(in)
	l := c.Layout(in.X)
	cl := l.Class
	switch in.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		c.compare(in, dst)
		return
	case token.SHL, token.SHR:
		c.shift(in, dst, cl)
		return
	}
	x, y := c.Reg(in.X), c.Reg(in.Y)
	switch {
	case cl >= layout.Int8 && cl <= layout.Uint64:
		c.intop(in, dst, x, y, cl)
	case cl == layout.Float64:
		ops := map[token.Token]Op{token.ADD: OpAddF, token.SUB: OpSubF, token.MUL: OpMulF, token.QUO: OpDivF}
		c.Emit(Instr{Op: ops[in.Op], A: dst, B: x, C: y})
	case cl == layout.Float32:
		c.float32op(in.Op, dst, x, y)
	default:
		b := in.X.Type().Underlying().(*types.Basic)
		if b.Info()&types.IsString != 0 {
			c.host.Rare(in)
			return
		}
		c.complexop(in.Op, dst, x, y, b.Kind() == types.Complex64)
	}
}

func (c *Compiler) intop(in *ssa.BinOp, dst, x, y int32, cl layout.Class) {
	signed := IsSigned(cl)
	if k, ok := in.Y.(*ssa.Const); ok && k.Value != nil {
		imm := ConstWords(c.layouts, k)[0]
		switch in.Op {
		case token.ADD:
			c.Emit(Instr{Op: OpAddI, A: dst, B: x, K: imm})
			c.ext(dst, cl)
			return
		case token.SUB:
			c.Emit(Instr{Op: OpAddI, A: dst, B: x, K: -imm})
			c.ext(dst, cl)
			return
		case token.MUL:
			c.Emit(Instr{Op: OpMulI, A: dst, B: x, K: imm})
			c.ext(dst, cl)
			return
		case token.AND:
			c.Emit(Instr{Op: OpAndI, A: dst, B: x, K: imm})
			return
		}
	}
	var o Op
	narrow := true
	switch in.Op {
	case token.ADD:
		o = OpAdd
	case token.SUB:
		o = OpSub
	case token.MUL:
		o = OpMul
	case token.QUO:
		o = OpDivU
		if signed {
			o = OpDivS
		}
	case token.REM:
		o = OpRemU
		if signed {
			o = OpRemS
		}
	case token.AND:
		o, narrow = OpAnd, false
	case token.OR:
		o, narrow = OpOr, false
	case token.XOR:
		o, narrow = OpXor, false
	case token.AND_NOT:
		o, narrow = OpAndNot, false
	}
	c.Emit(Instr{Op: o, A: dst, B: x, C: y})
	if narrow {
		c.ext(dst, cl)
	}
}

func (c *Compiler) shift(in *ssa.BinOp, dst int32, cl layout.Class) {
	x := c.Reg(in.X)
	// The count may be a negative constant all the same: a variable that go/ssa has lifted.
	if k, ok := in.Y.(*ssa.Const); ok && k.Value != nil && constant.Sign(constant.ToInt(k.Value)) >= 0 {
		n := ConstWords(c.layouts, k)[0]
		o := OpShlI
		if in.Op == token.SHR {
			o = OpShrUI
			if IsSigned(cl) {
				o = OpShrSI
			}
		}
		c.Emit(Instr{Op: o, A: dst, B: x, K: n})
		if in.Op == token.SHL {
			c.ext(dst, cl)
		}
		return
	}
	y := c.Reg(in.Y)
	if IsSigned(c.Layout(in.Y).Class) {
		c.Emit(Instr{Op: OpShlChk, B: y})
	}
	o := OpShl
	if in.Op == token.SHR {
		o = OpShrU
		if IsSigned(cl) {
			o = OpShrS
		}
	}
	c.Emit(Instr{Op: o, A: dst, B: x, C: y})
	if in.Op == token.SHL {
		c.ext(dst, cl)
	}
}

func (c *Compiler) compare(in *ssa.BinOp, dst int32) {
	l := c.Layout(in.X)
	o := in.Op
	_, ix := in.X.Type().Underlying().(*types.Interface)
	_, iy := in.Y.Type().Underlying().(*types.Interface)
	x, y := c.Reg(in.X), c.Reg(in.Y)
	switch {
	case ix || iy:
		c.host.Rare(in)
		return
	case l.Class >= layout.Int8 && l.Class <= layout.Uint64:
		if o == token.GTR || o == token.GEQ {
			x, y = y, x
		}
		var code Op
		signed := IsSigned(l.Class)
		switch o {
		case token.EQL:
			code = OpEq
		case token.NEQ:
			code = OpNe
		case token.LSS, token.GTR:
			code = OpLtU
			if signed {
				code = OpLtS
			}
		default:
			code = OpLeU
			if signed {
				code = OpLeS
			}
		}
		c.Emit(Instr{Op: code, A: dst, B: x, C: y})
		return
	case l.Class == layout.Float64:
		if o == token.GTR || o == token.GEQ {
			x, y = y, x
		}
		code := map[token.Token]Op{token.EQL: OpEqF, token.NEQ: OpNeF, token.LSS: OpLtF, token.GTR: OpLtF, token.LEQ: OpLeF, token.GEQ: OpLeF}[o]
		c.Emit(Instr{Op: code, A: dst, B: x, C: y})
		return
	case l.Class == layout.Float32:
		c.pure(dst, x, y, func(fp unsafe.Pointer, in *Instr) {
			st(fp, in.A, b2w(Ordered(o, math.Float32frombits(uint32(ld(fp, in.B))), math.Float32frombits(uint32(ld(fp, in.C))))))
		})
		return
	}
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		c.host.Rare(in)
		return
	}
	// Slices, maps, functions are compared with nil alone: their first word says it.
	switch in.X.Type().Underlying().(type) {
	case *types.Slice:
		c.pure(dst, x, y, func(fp unsafe.Pointer, in *Instr) {
			st(fp, in.A, b2w((ld(fp, in.B) == ld(fp, in.C)) == (o == token.EQL)))
		})
		return
	}
	c.host.Rare(in)
}

// Ordered compares two values that have an order.
func Ordered[T interface{ ~float32 | ~float64 | ~string }](o token.Token, x, y T) bool {
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

func (c *Compiler) float32op(o token.Token, dst, x, y int32) {
	c.pure(dst, x, y, func(fp unsafe.Pointer, in *Instr) {
		a, b := math.Float32frombits(uint32(ld(fp, in.B))), math.Float32frombits(uint32(ld(fp, in.C)))
		st(fp, in.A, uint64(math.Float32bits(arith(o, a, b))))
	})
}

// arith is an operator at the width of T: each result is rounded to it.
func arith[T float32 | complex64 | complex128](o token.Token, a, b T) T {
	switch o {
	case token.ADD:
		return a + b
	case token.SUB:
		return a - b
	case token.MUL:
		return a * b
	default:
		return a / b
	}
}

// Complex reads a complex number of a frame.
func Complex(fp unsafe.Pointer, off int32, small bool) complex128 {
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

func (c *Compiler) complexop(o token.Token, dst, x, y int32, small bool) {
	c.pure(dst, x, y, func(fp unsafe.Pointer, in *Instr) {
		if small && o != token.QUO { // gc divides them as complex128
			*(*complex64)(unsafe.Add(fp, in.A)) = arith(o, *(*complex64)(unsafe.Add(fp, in.B)), *(*complex64)(unsafe.Add(fp, in.C)))
			return
		}
		setComplex(fp, in.A, small, arith(o, Complex(fp, in.B, small), Complex(fp, in.C, small)))
	})
}

func (c *Compiler) complexNeg(dst, x int32, l *layout.Layout) {
	small := l.Size == 8
	c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
		setComplex(fp, in.A, small, -Complex(fp, in.B, small))
	})
}

// convert compiles a conversion of xv to type t.
func (c *Compiler) convert(in ssa.Instruction, t types.Type, xv ssa.Value) {
	dst, x := c.Reg(in.(ssa.Value)), c.Eval(xv)
	from, to := xv.Type().Underlying(), t.Underlying()
	fl, tl := c.Layout(xv), c.layouts.Of(t)
	fb, fIsBasic := from.(*types.Basic)
	tb, tIsBasic := to.(*types.Basic)
	isStr := func(b *types.Basic, ok bool) bool { return ok && b.Info()&types.IsString != 0 }
	switch {
	case isStr(tb, tIsBasic) && isStr(fb, fIsBasic):
		c.Move(dst, x, 16)
	case isStr(tb, tIsBasic), isStr(fb, fIsBasic), fIsBasic && fb.Kind() == types.UnsafePointer && tIsBasic && tb.Kind() == types.Uintptr:
		c.host.Rare(in)
	case fl.Class == layout.Words && tl.Class == layout.Words:
		if fIsBasic && fb.Info()&types.IsComplex != 0 {
			fs, ts := fl.Size == 8, tl.Size == 8
			c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) { setComplex(fp, in.A, ts, Complex(fp, in.B, fs)) })
			return
		}
		if _, ok := from.(*types.Slice); ok {
			if _, ok := to.(*types.Array); ok {
				c.host.Rare(in)
				return
			}
		}
		c.Move(dst, x, int32(tl.Words())*8)
	default:
		c.numeric(dst, x, fl, tl, xv, t)
	}
}

func (c *Compiler) numeric(dst, x int32, fl, tl *layout.Layout, xv ssa.Value, t types.Type) {
	isInt := func(l *layout.Layout) bool { return l.Class >= layout.Int8 && l.Class <= layout.Uint64 }
	signed := IsSigned(fl.Class)
	switch {
	case isInt(fl) && isInt(tl):
		c.Move(dst, x, 8)
		c.ext(dst, tl.Class)
	case isInt(fl) && tl.Class == layout.Float64:
		c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
			w := ld(fp, in.B)
			if signed {
				st(fp, in.A, math.Float64bits(float64(int64(w))))
			} else {
				st(fp, in.A, math.Float64bits(float64(w)))
			}
		})
	case isInt(fl) && tl.Class == layout.Float32:
		c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
			w := ld(fp, in.B)
			if signed {
				st(fp, in.A, uint64(math.Float32bits(float32(int64(w)))))
			} else {
				st(fp, in.A, uint64(math.Float32bits(float32(w))))
			}
		})
	case isInt(tl):
		f32 := fl.Class == layout.Float32
		cl := tl.Class
		c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
			var f float64
			if f32 {
				f = float64(math.Float32frombits(uint32(ld(fp, in.B))))
			} else {
				f = math.Float64frombits(ld(fp, in.B))
			}
			st(fp, in.A, floatToInt(cl, f))
		})
	case fl.Class == layout.Float32 && tl.Class == layout.Float64:
		c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
			st(fp, in.A, math.Float64bits(float64(math.Float32frombits(uint32(ld(fp, in.B))))))
		})
	case fl.Class == layout.Float64 && tl.Class == layout.Float32:
		c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
			st(fp, in.A, uint64(math.Float32bits(float32(math.Float64frombits(ld(fp, in.B))))))
		})
	case fl.Class == tl.Class:
		c.Move(dst, x, int32(tl.Words())*8)
	default:
		c.host.Lacks(fmt.Sprintf("conversion of %s to %s", xv.Type(), t))
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
