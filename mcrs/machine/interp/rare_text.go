package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"unicode/utf8"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
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
	c.closure(dst, x, y, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		p, n, s := concat(m, g, vm.Ld(fp, in.B), vm.Ld(fp, in.B+8), vm.Ld(fp, in.C), vm.Ld(fp, in.C+8))
		if s == vm.Done {
			vm.St(fp, in.A, p)
			vm.St(fp, in.A+8, n)
		}
		return s
	})
}

func (c *compiler) compareStrings(o token.Token, dst, x, y int32) {
	c.closure(dst, x, y, func(m *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		var r bool
		xn, yn := vm.Ld(fp, in.B+8), vm.Ld(fp, in.C+8)
		switch o {
		case token.EQL:
			r = xn == yn && string(m.Str(vm.Ld(fp, in.B), xn)) == string(m.Str(vm.Ld(fp, in.C), yn))
		case token.NEQ:
			r = xn != yn || string(m.Str(vm.Ld(fp, in.B), xn)) != string(m.Str(vm.Ld(fp, in.C), yn))
		default:
			r = code.Ordered(o, string(m.Str(vm.Ld(fp, in.B), xn)), string(m.Str(vm.Ld(fp, in.C), yn)))
		}
		vm.St(fp, in.A, vm.Word(r))
		return vm.Done
	})
}

// compareWords compares arrays, structs and complex numbers.
func (c *compiler) compareWords(in *ssa.BinOp, dst, x, y int32) {
	o := in.Op
	t := in.X.Type()
	c.closure(dst, x, y, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		eq, bad := m.Types.EqualAt(t, unsafe.Add(fp, in.B), unsafe.Add(fp, in.C))
		if bad != nil {
			return goroutine.ThrowComputed(m, g, "comparing uncomparable type "+m.Types.Str(bad))
		}
		vm.St(fp, in.A, vm.Word(eq == (o == token.EQL)))
		return vm.Done
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
			bytes := c.layouts.Of(sl.Elem()).Size == 1
			c.closure(dst, x, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
				return sliceToString(m, g, fp, in.A, vm.Ld(fp, in.B), vm.Ld(fp, in.B+8), bytes)
			})
			return
		}
		signed := code.IsSigned(fl.Class)
		c.closure(dst, x, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status { // string(rune)
			w := vm.Ld(fp, in.B)
			r := rune(utf8.RuneError)
			if int64(w) == int64(int32(w)) || !signed && w <= utf8.MaxRune {
				r = rune(w)
			}
			return vm.SetString(m, g, fp, in.A, string(r))
		})
	case isString(from):
		sl, ok := to.(*types.Slice)
		if !ok {
			c.Lacks(fmt.Sprintf("conversion of %s to %s", from, to))
			return
		}
		bytes := c.layouts.Of(sl.Elem()).Size == 1
		c.closure(dst, x, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			return stringToSlice(m, g, fp, in.A, vm.Ld(fp, in.B), vm.Ld(fp, in.B+8), bytes)
		})
	default:
		c.sliceToArray(dst, x, from.(*types.Slice), to.(*types.Array))
	}
}

// concat joins two strings.
func concat(m *vm.Machine, g *vm.G, p, n, q, k uint64) (uint64, uint64, vm.Status) {
	if n == 0 {
		return q, k, vm.Done
	}
	if k == 0 {
		return p, n, vm.Done
	}
	r, s := m.AllocUnlogged(g, n+k, nil)
	if s != vm.Done {
		return 0, 0, s
	}
	b := m.Mem.Object(r).Bytes()
	copy(b, m.Str(p, n))
	copy(b[n:], m.Str(q, k))
	return r, n + k, vm.Done
}

func (c *compiler) sliceToArray(dst, x int32, sl *types.Slice, arr *types.Array) {
	el := c.layouts.Of(sl.Elem())
	n := arr.Len()
	al := c.layouts.Of(arr)
	c.closure(dst, x, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		if have := int64(vm.Ld(fp, in.B+8)); have < n {
			return goroutine.ThrowComputed(m, g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
		}
		tmp := make([]byte, el.Size*uint64(n))
		if s := access.Load(m, g, vm.Ld(fp, in.B), tmp); s != vm.Done {
			return s
		}
		vm.ToRegister(al.Class, unsafe.Add(fp, in.A), unsafe.Pointer(unsafe.SliceData(tmp)), al.Size)
		return vm.Done
	})
}

// sliceToString converts []byte or []rune to a string.
func sliceToString(m *vm.Machine, g *vm.G, fp unsafe.Pointer, dst int32, p, n uint64, bytes bool) vm.Status {
	if n == 0 {
		vm.St(fp, dst, 0)
		vm.St(fp, dst+8, 0)
		return vm.Done
	}
	if bytes {
		b, s := access.View(m, g, p, n)
		if s != vm.Done {
			return s
		}
		return vm.SetString(m, g, fp, dst, string(b))
	}
	b, s := access.View(m, g, p, n*4)
	if s != vm.Done {
		return s
	}
	rs := unsafe.Slice((*rune)(unsafe.Pointer(&b[0])), n)
	return vm.SetString(m, g, fp, dst, string(rs))
}

// stringToSlice converts a string to []byte or []rune.
func stringToSlice(m *vm.Machine, g *vm.G, fp unsafe.Pointer, dst int32, p, n uint64, bytes bool) vm.Status {
	src := m.Str(p, n)
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
	q, s := m.Alloc(g, uint64(len(data)), nil)
	if s != vm.Done {
		return s
	}
	copy(m.Mem.Object(q).Bytes(), data)
	vm.St(fp, dst, q)
	vm.St(fp, dst+8, k)
	vm.St(fp, dst+16, k)
	return vm.Done
}

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}
