package machine

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines indexing and slicing, and the panics of indices out of range.

// farIndex computes the address of an element of an array that is too large for the operands of OpIdxArr.
func (c *compiler) farIndex(in *ssa.IndexAddr) {
	size := c.m.layouts.Of(deref(in.Type())).Size
	n := deref(in.X.Type()).Underlying().(*types.Array).Len()
	base := c.ArrayBase(in.X)
	c.closure(c.Reg(in), base, c.Reg(in.Index), func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		p, i := ld(fp, in.B), ld(fp, in.C)
		if p == 0 {
			return m.throwNil(g)
		}
		if i >= uint64(n) {
			return m.throwIndex(g, int64(i), int64(n))
		}
		st(fp, in.A, p+i*size)
		return done
	})
}

// index compiles the index of an array that is no variable.
func (c *compiler) index(in *ssa.Index) {
	x, i, dst := c.Reg(in.X), c.Reg(in.Index), c.Reg(in)
	arr := in.X.Type().Underlying().(*types.Array)
	l := c.Layout(in)
	n := arr.Len()
	m := c.m
	cl := l.Class
	c.closure(dst, x, i, func(_ *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		k := int64(ld(fp, in.C))
		if uint64(k) >= uint64(n) {
			return m.throwIndex(g, k, n)
		}
		m.toRegister(cl, unsafe.Add(fp, in.A), unsafe.Add(fp, uintptr(in.B)+uintptr(k)*uintptr(l.Size)), l.Size)
		return done
	})
}

func (c *compiler) slice(in *ssa.Slice) {
	opt := func(v ssa.Value) *int32 {
		if v == nil {
			return nil
		}
		return c.Ref(c.Reg(v))
	}
	lo, hi, max := opt(in.Low), opt(in.High), opt(in.Max)
	lot, hit, mxt := operandType(in.Low), operandType(in.High), operandType(in.Max)
	alloc, _ := in.X.(*ssa.Alloc)
	makes := alloc != nil && alloc.Comment == "makeslice" // make([]T, hi, constant)
	dst := c.Reg(in)
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		c.closure(dst, c.Reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			p, n := ld(fp, in.B), int64(ld(fp, in.B+8))
			l, h := int64(0), n
			if lo != nil {
				l = int64(ld(fp, *lo))
			}
			if hi != nil {
				h = int64(ld(fp, *hi))
			}
			if uint64(h) > uint64(n) {
				return m.throwRange(g, h, hit, "[:%s]", " with length "+strconv.FormatInt(n, 10))
			}
			if uint64(l) > uint64(h) {
				return m.throwRange(g, l, lot, "[%s:]", fmt.Sprintf("[%%s:%d]", h))
			}
			if l < h { // an empty part keeps its base
				p += uint64(l)
			}
			st(fp, in.A, p)
			st(fp, in.A+8, uint64(h-l))
			return done
		})
		return
	}
	var el *layout.Layout
	arrLen := int64(-1)
	x := c.Eval(in.X)
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		el = c.m.layouts.Of(t.Elem())
	case *types.Pointer:
		arr := t.Elem().Underlying().(*types.Array)
		el, arrLen = c.m.layouts.Of(arr.Elem()), arr.Len()
	}
	size := el.Size
	c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		p := ld(fp, in.B)
		n, cp := arrLen, arrLen
		what := "length"
		if arrLen < 0 {
			n, cp = int64(ld(fp, in.B+8)), int64(ld(fp, in.B+16))
			what = "capacity"
		} else if p == 0 {
			return m.throwNil(g)
		}
		l, h, mx := int64(0), n, cp
		if lo != nil {
			l = int64(ld(fp, *lo))
		}
		if hi != nil {
			h = int64(ld(fp, *hi))
		}
		if max != nil {
			mx = int64(ld(fp, *max))
			if uint64(mx) > uint64(cp) {
				return m.throwRange(g, mx, mxt, "[::%s]", fmt.Sprintf(" with %s %d", what, cp))
			}
			if uint64(h) > uint64(mx) {
				return m.throwRange(g, h, hit, "[:%s:]", fmt.Sprintf("[:%%s:%d]", mx))
			}
			if uint64(l) > uint64(h) {
				return m.throwRange(g, l, lot, "[%s::]", fmt.Sprintf("[%%s:%d:]", h))
			}
		} else {
			if uint64(h) > uint64(cp) {
				switch {
				case makes && h < 0:
					return m.throwRuntime(g, "makeslice: len out of range")
				case makes:
					return m.throwRuntime(g, "makeslice: cap out of range")
				}
				return m.throwRange(g, h, hit, "[:%s]", fmt.Sprintf(" with %s %d", what, cp))
			}
			if uint64(l) > uint64(h) {
				return m.throwRange(g, l, lot, "[%s:]", fmt.Sprintf("[%%s:%d]", h))
			}
		}
		if mx != l {
			p += uint64(l) * size
		}
		st(fp, in.A, p)
		st(fp, in.A+8, uint64(h-l))
		st(fp, in.A+16, uint64(mx-l))
		return done
	})
}

func operandType(v ssa.Value) types.Type {
	if v == nil {
		return nil
	}
	return v.Type()
}

// boundText is a bound of type t as the runtime prints it, and whether it is negative.
func boundText(x int64, t types.Type) (string, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return strconv.FormatUint(uint64(x), 10), false
	}
	return strconv.FormatInt(x, 10), x < 0
}

// throwRange panics with a slice error (runtime.boundsErrorFmts): alone is the range's form for a negative bound x, and what
// follows it otherwise is in rest, which may be a form of its own.
func (m *Machine) throwRange(g *G, x int64, t types.Type, alone, rest string) status {
	if t == nil {
		t = types.Typ[types.Int]
	}
	s, negative := boundText(x, t)
	form := alone
	switch {
	case negative:
	case rest[0] == '[':
		form = rest
	default:
		form += rest
	}
	return m.throwComputed(g, "slice bounds out of range "+strings.Replace(form, "%s", s, 1))
}

// throwIndex panics with an index error at g's instruction.
func (m *Machine) throwIndex(g *G, i, n int64) status {
	t := types.Type(types.Typ[types.Int])
	if i < 0 {
		if x := m.indexAt(g); x != nil {
			t = x.Type()
		}
	}
	s, negative := boundText(i, t)
	if negative {
		return m.throwComputed(g, "index out of range ["+s+"]")
	}
	return m.throwComputed(g, fmt.Sprintf("index out of range [%s] with length %d", s, n))
}

// indexAt is the index operand of the instruction that g stands at, or nil.
func (m *Machine) indexAt(g *G) ssa.Value {
	at := m.frameSite(g, len(g.frames)-1)
	if at == 0 {
		return nil
	}
	of := func(v ssa.Value) ssa.Value {
		if a, ok := v.(*ssa.IndexAddr); ok {
			return a.Index
		}
		return nil
	}
	switch in := m.siteTable[at].in.(type) {
	case *ssa.IndexAddr:
		return in.Index
	case *ssa.Index:
		return in.Index
	case *ssa.Lookup:
		return in.Index
	case *ssa.UnOp:
		return of(in.X)
	case *ssa.Store:
		return of(in.Addr)
	}
	return nil
}

func (c *compiler) makeSlice(in *ssa.MakeSlice) {
	el := c.m.layouts.Of(in.Type().Underlying().(*types.Slice).Elem())
	c.closure(c.Reg(in), c.Reg(in.Len), c.Reg(in.Cap), func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		n, cp := int64(ld(fp, in.B)), int64(ld(fp, in.C))
		limit := int64(math.MaxInt64)
		if el.Size > 0 {
			limit = (1 << 47) / int64(el.Size)
		}
		if n < 0 || n > limit {
			return m.throwRuntime(g, "makeslice: len out of range")
		}
		if cp < n || cp > limit {
			return m.throwRuntime(g, "makeslice: cap out of range")
		}
		p, s := m.alloc(g, uint64(cp)*el.Size, el.Ptrs)
		if s != done {
			return s
		}
		st(fp, in.A, p)
		st(fp, in.A+8, uint64(n))
		st(fp, in.A+16, uint64(cp))
		return done
	})
}
