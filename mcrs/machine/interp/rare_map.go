package interp

import (
	"go/types"
	"unicode/utf8"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file defines map operations, and range loops over maps and strings.

func (c *compiler) lookup(in *ssa.Lookup) {
	t := vm.NewMapType(c.layouts, in.X.Type().Underlying().(*types.Map))
	words := int32(t.Elem.Words()) * 8
	commaOk := in.CommaOk
	c.closure(c.Reg(in), c.Reg(in.X), c.Reg(in.Index), func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		e, s := objects.MapGet(m, g, vm.Ld(fp, in.B), unsafe.Add(fp, in.C), t)
		if s != vm.Done {
			return s
		}
		if e == nil {
			clear(vm.FrameBytes(fp, in.A, uint64(words)))
		} else {
			vm.ToRegister(t.Elem.Class, unsafe.Add(fp, in.A), e, t.Elem.Size)
		}
		if commaOk {
			vm.St(fp, in.A+words, vm.Word(e != nil))
		}
		return vm.Done
	})
}

func (c *compiler) mapUpdate(in *ssa.MapUpdate) {
	t := vm.NewMapType(c.layouts, in.Map.Type().Underlying().(*types.Map))
	c.closure(c.Reg(in.Map), c.Reg(in.Key), c.Reg(in.Value), func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		return objects.MapSet(m, g, vm.Ld(fp, in.A), unsafe.Add(fp, in.B), unsafe.Add(fp, in.C), t)
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
		c.closure(c.Reg(in), x, it, func(m *vm.Machine, _ *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			i, n := vm.Ld(fp, in.C), vm.Ld(fp, in.B+8)
			if i >= n {
				vm.St(fp, in.A, 0)
				return vm.Done
			}
			b := m.Str(vm.Ld(fp, in.B), n)
			r, size := utf8.DecodeRune(b[i:])
			vm.St(fp, in.A, 1)
			vm.St(fp, in.A+ko, i)
			vm.St(fp, in.A+vo, uint64(int64(r)))
			vm.St(fp, in.C, i+uint64(size))
			return vm.Done
		})
		return
	}
	t := vm.NewMapType(c.layouts, r.X.Type().Underlying().(*types.Map))
	wantK, wantV := wanted(1), wanted(2)
	c.closure(c.Reg(in), x, it, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		i, next, s, status := objects.MapNext(m, g, vm.Ld(fp, in.B), vm.Ld(fp, in.C))
		if status != vm.Done {
			return status
		}
		objects.CountRange(m, g, vm.Ld(fp, in.B), vm.Ld(fp, in.C), i)
		if i < 0 {
			vm.St(fp, in.A, 0)
			return vm.Done
		}
		vm.St(fp, in.A, 1)
		vm.St(fp, in.C, next)
		if wantK {
			vm.ToRegister(t.Key.Class, unsafe.Add(fp, in.A+ko), s.Key(i), t.Key.Size)
		}
		if wantV {
			vm.ToRegister(t.Elem.Class, unsafe.Add(fp, in.A+vo), s.Elem(i), t.Elem.Size)
		}
		return vm.Done
	})
}
