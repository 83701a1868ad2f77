package interp

import (
	"fmt"
	"go/types"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file defines indexing and slicing, and the panics of indices out of range.

// farIndex computes the address of an element of an array that is too large for the operands of OpIdxArr.
func (c *compiler) farIndex(in *ssa.IndexAddr) {
	size := c.layouts.Of(vm.Deref(in.Type())).Size
	n := vm.Deref(in.X.Type()).Underlying().(*types.Array).Len()
	base := c.ArrayBase(in.X)
	c.closure(c.Reg(in), base, c.Reg(in.Index), func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		p, i := vm.Ld(fp, in.B), vm.Ld(fp, in.C)
		if p == 0 {
			return goroutine.ThrowNil(m, g)
		}
		if i >= uint64(n) {
			return throwIndex(m, g, int64(i), int64(n))
		}
		vm.St(fp, in.A, p+i*size)
		return vm.Done
	})
}

// index compiles the index of an array that is no variable.
func (c *compiler) index(in *ssa.Index) {
	x, i, dst := c.Reg(in.X), c.Reg(in.Index), c.Reg(in)
	arr := in.X.Type().Underlying().(*types.Array)
	l := c.Layout(in)
	n := arr.Len()
	cl := l.Class
	c.closure(dst, x, i, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		k := int64(vm.Ld(fp, in.C))
		if uint64(k) >= uint64(n) {
			return throwIndex(m, g, k, n)
		}
		vm.ToRegister(cl, unsafe.Add(fp, in.A), unsafe.Add(fp, uintptr(in.B)+uintptr(k)*uintptr(l.Size)), l.Size)
		return vm.Done
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
	// make([]T, hi, constant). A variable may have that name, too.
	makes := alloc != nil && alloc.Comment == "makeslice" && alloc.Pos() == in.Pos()
	dst := c.Reg(in)
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		c.closure(dst, c.Reg(in.X), 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			p, n := vm.Ld(fp, in.B), int64(vm.Ld(fp, in.B+8))
			l, h := int64(0), n
			if lo != nil {
				l = int64(vm.Ld(fp, *lo))
			}
			if hi != nil {
				h = int64(vm.Ld(fp, *hi))
			}
			if uint64(h) > uint64(n) {
				return throwRange(m, g, h, hit, "[:%s]", " with length "+strconv.FormatInt(n, 10))
			}
			if uint64(l) > uint64(h) {
				return throwRange(m, g, l, lot, "[%s:]", fmt.Sprintf("[%%s:%d]", h))
			}
			if l < h { // an empty part keeps its base
				p += uint64(l)
			}
			vm.St(fp, in.A, p)
			vm.St(fp, in.A+8, uint64(h-l))
			return vm.Done
		})
		return
	}
	var el *layout.Layout
	arrLen := int64(-1)
	x := c.Eval(in.X)
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		el = c.layouts.Of(t.Elem())
	case *types.Pointer:
		arr := t.Elem().Underlying().(*types.Array)
		el, arrLen = c.layouts.Of(arr.Elem()), arr.Len()
	}
	size := el.Size
	c.closure(dst, x, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		p := vm.Ld(fp, in.B)
		n, cp := arrLen, arrLen
		what := "length"
		if arrLen < 0 {
			n, cp = int64(vm.Ld(fp, in.B+8)), int64(vm.Ld(fp, in.B+16))
			what = "capacity"
		} else if p == 0 {
			return goroutine.ThrowNil(m, g)
		}
		l, h, mx := int64(0), n, cp
		if lo != nil {
			l = int64(vm.Ld(fp, *lo))
		}
		if hi != nil {
			h = int64(vm.Ld(fp, *hi))
		}
		if max != nil {
			mx = int64(vm.Ld(fp, *max))
			if uint64(mx) > uint64(cp) {
				return throwRange(m, g, mx, mxt, "[::%s]", fmt.Sprintf(" with %s %d", what, cp))
			}
			if uint64(h) > uint64(mx) {
				return throwRange(m, g, h, hit, "[:%s:]", fmt.Sprintf("[:%%s:%d]", mx))
			}
			if uint64(l) > uint64(h) {
				return throwRange(m, g, l, lot, "[%s::]", fmt.Sprintf("[%%s:%d:]", h))
			}
		} else {
			if uint64(h) > uint64(cp) {
				switch {
				case makes && h < 0:
					return goroutine.ThrowRuntime(m, g, "makeslice: len out of range")
				case makes:
					return goroutine.ThrowRuntime(m, g, "makeslice: cap out of range")
				}
				return throwRange(m, g, h, hit, "[:%s]", fmt.Sprintf(" with %s %d", what, cp))
			}
			if uint64(l) > uint64(h) {
				return throwRange(m, g, l, lot, "[%s:]", fmt.Sprintf("[%%s:%d]", h))
			}
		}
		if mx != l {
			p += uint64(l) * size
		}
		vm.St(fp, in.A, p)
		vm.St(fp, in.A+8, uint64(h-l))
		vm.St(fp, in.A+16, uint64(mx-l))
		return vm.Done
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

// throwRange panics with a slice error (runtime.boundsErrorFmts): alone is the range's form for a negative bound x,
// and what follows it otherwise is in rest, which may be a form of its own.
func throwRange(m *vm.Machine, g *vm.G, x int64, t types.Type, alone, rest string) vm.Status {
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
	return goroutine.ThrowComputed(m, g, "slice bounds out of range "+strings.Replace(form, "%s", s, 1))
}

// throwIndex panics with an index error at g's instruction.
func throwIndex(m *vm.Machine, g *vm.G, i, n int64) vm.Status {
	t := types.Type(types.Typ[types.Int])
	if i < 0 {
		if x := indexAt(m, g); x != nil {
			t = x.Type()
		}
	}
	s, negative := boundText(i, t)
	if negative {
		return goroutine.ThrowComputed(m, g, "index out of range ["+s+"]")
	}
	return goroutine.ThrowComputed(m, g, fmt.Sprintf("index out of range [%s] with length %d", s, n))
}

// indexAt is the index operand of the instruction that g stands at, or nil.
func indexAt(m *vm.Machine, g *vm.G) ssa.Value {
	at := g.FrameSite(len(g.Frames) - 1)
	if at == 0 {
		return nil
	}
	of := func(v ssa.Value) ssa.Value {
		if a, ok := v.(*ssa.IndexAddr); ok {
			return a.Index
		}
		return nil
	}
	switch in := m.SiteTable[at].Instr.(type) {
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
	el := c.layouts.Of(in.Type().Underlying().(*types.Slice).Elem())
	c.closure(c.Reg(in), c.Reg(in.Len), c.Reg(in.Cap), func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		n, cp := int64(vm.Ld(fp, in.B)), int64(vm.Ld(fp, in.C))
		limit := int64(math.MaxInt64)
		if el.Size > 0 {
			limit = (1 << 47) / int64(el.Size)
		}
		if n < 0 || n > limit {
			return goroutine.ThrowRuntime(m, g, "makeslice: len out of range")
		}
		if cp < n || cp > limit {
			return goroutine.ThrowRuntime(m, g, "makeslice: cap out of range")
		}
		p, s := m.Alloc(g, uint64(cp)*el.Size, el.Ptrs)
		if s != vm.Done {
			return s
		}
		vm.St(fp, in.A, p)
		vm.St(fp, in.A+8, uint64(n))
		vm.St(fp, in.A+16, uint64(cp))
		return vm.Done
	})
}
