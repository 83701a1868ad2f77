package code

import (
	"go/token"
	"go/types"
	"math"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of single SSA instructions, calls aside.

// ld reads a word of a frame, st writes one.
func ld(fp unsafe.Pointer, off int32) uint64    { return *(*uint64)(unsafe.Add(fp, off)) }
func st(fp unsafe.Pointer, off int32, w uint64) { *(*uint64)(unsafe.Add(fp, off)) = w }

func deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// defersLate reports whether the function's only defer statements stand in bodies of range-over-func loops inside
// others. go/ssa then forgets to run them at a return.
func (c *Compiler) defersLate() bool {
	if c.late == nil {
		late := false
		for _, b := range c.fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.RunDefers:
					c.late = new(bool)
					return false
				case *ssa.Call:
					if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "ssa:deferstack" {
						late = true
					}
				}
			}
		}
		c.late = &late
	}
	return *c.late
}

// firstResult returns the index of the first of the loads of named results before the Return that ends b, -1 if there
// is none.
func firstResult(b *ssa.BasicBlock) int {
	n := len(b.Instrs) - 1
	ret, ok := b.Instrs[n].(*ssa.Return)
	if !ok || b.Parent().Signature.Results().Len() == 0 || b.Parent().Signature.Results().At(0).Name() == "" {
		return -1
	}
	first := -1
	for i := n - 1; i >= 0; i-- {
		switch in := b.Instrs[i].(type) {
		case *ssa.DebugRef:
			continue
		case *ssa.UnOp:
			if _, ok := in.X.(*ssa.Alloc); ok && slices.Contains(ret.Results, ssa.Value(in)) {
				first = i
				continue
			}
		}
		return first
	}
	return first
}

// Instr compiles one instruction, which is no jump.
func (c *Compiler) Instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		l := c.layouts.Of(deref(in.Type()))
		if at, ok := c.local[in]; ok {
			if l.Words() > 0 {
				c.Emit(Instr{Op: OpZero, A: at, K: uint64(l.Words()) * 8})
			}
			return
		}
		c.Emit(Instr{Op: OpNew, A: c.Reg(in)})
		link(c.f, InK, l)
	case *ssa.UnOp:
		c.unop(in)
	case *ssa.BinOp:
		if !c.fused[in] {
			c.binop(in)
		}
	case *ssa.Store:
		if fa, ok := in.Addr.(*ssa.FieldAddr); ok && deref(fa.X.Type()).Underlying().(*types.Struct).Field(fa.Field).Name() == "_" {
			return // a composite literal leaves blank fields zero
		}
		c.store(in.Addr, in.Val)
	case *ssa.FieldAddr:
		if _, ok := c.regs[in]; ok {
			base, off := c.Address(in)
			c.Emit(Instr{Op: OpAddr, A: c.Reg(in), B: base, K: off})
		}
	case *ssa.IndexAddr:
		if _, ok := c.regs[in]; ok {
			c.indexAddr(in)
		}
	case *ssa.Field:
		st := c.Layout(in.X)
		c.frameLoad(c.Reg(in), c.Reg(in.X)+int32(st.Offs[in.Field]), c.Layout(in))
	case *ssa.Index:
		if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			x, i := c.Reg(in.X), c.Reg(in.Index)
			c.Emit(Instr{Op: OpIdxStr, A: c.Reg(in), B: x, C: i})
			return
		}
		c.host.Rare(in)
	case *ssa.ChangeType:
	case *ssa.Extract:
	case *ssa.Convert:
		c.convert(in, in.Type(), in.X)
	case *ssa.MultiConvert:
		c.convert(in, in.Type(), in.X)
	case *ssa.Lookup:
		if _, ok := in.X.Type().Underlying().(*types.Map); ok {
			c.host.Rare(in)
			return
		}
		c.Emit(Instr{Op: OpIdxStr, A: c.Reg(in), B: c.Reg(in.X), C: c.Reg(in.Index)})
	case *ssa.Range: // starts an iterator: one word, a byte index or an entry's sequence number
		c.Emit(Instr{Op: OpZero, A: c.Reg(in), K: 8})
	case *ssa.Return:
		if !c.early && c.defersLate() {
			c.Emit(Instr{Op: OpRunDefers})
		}
		off := c.f.Params
		for _, r := range in.Results {
			c.Move(off, c.Reg(r), c.Words(r))
			off += c.Words(r)
		}
		c.Emit(Instr{Op: OpRet})
	case *ssa.RunDefers:
		c.Emit(Instr{Op: OpRunDefers})
	case *ssa.Call:
		c.call(in)
	case *ssa.DebugRef:
	default:
		c.host.Rare(in)
	}
}

// nilZone is the number of bytes from address 0 on that are never allocated.
const nilZone = 1 << 15

func (c *Compiler) unop(in *ssa.UnOp) {
	if in.Op == token.MUL {
		if len(*in.Referrers()) == 0 && nilCheck(c, in.X) {
			return
		}
		c.load(c.Reg(in), in.X, c.Layout(in))
		if isCastToString(in.X) {
			c.host.Builtin("String", []Operand{{At: c.Reg(in), T: types.Typ[types.Uintptr]}, {At: c.Reg(in) + 8, T: types.Typ[types.Int]}}, c.Reg(in), in.Type())
		}
		return
	}
	if in.Op == token.ARROW {
		c.host.Rare(in)
		return
	}
	dst, x, l := c.Reg(in), c.Reg(in.X), c.Layout(in.X)
	switch in.Op {
	case token.NOT:
		c.Emit(Instr{Op: OpNotB, A: dst, B: x})
	case token.XOR:
		c.Emit(Instr{Op: OpNot, A: dst, B: x})
		c.ext(dst, l.Class)
	case token.SUB:
		switch {
		case l.Class == layout.Float64:
			c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
				st(fp, in.A, math.Float64bits(-math.Float64frombits(ld(fp, in.B))))
			})
		case l.Class == layout.Float32:
			c.pure(dst, x, 0, func(fp unsafe.Pointer, in *Instr) {
				st(fp, in.A, uint64(uint32(ld(fp, in.B))^1<<31))
			})
		case l.Class == layout.Words:
			c.complexNeg(dst, x, l)
		default:
			c.Emit(Instr{Op: OpNeg, A: dst, B: x})
			c.ext(dst, l.Class)
		}
	}
}

// isCastToString reports whether an address is that of other memory, taken for a string. *(*string)(unsafe.Pointer(&b))
// is the unsafe.String of older code.
func isCastToString(addr ssa.Value) bool {
	cv, ok := addr.(*ssa.Convert)
	if !ok || !types.Identical(cv.X.Type().Underlying(), types.Typ[types.UnsafePointer]) {
		return false
	}
	to, ok := cv.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	b, ok := to.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.String
}

// ext brings the result of 64-bit arithmetic back into the range of its class.
func (c *Compiler) ext(r int32, cl layout.Class) {
	ops := map[layout.Class]Op{
		layout.Int8: OpExt8S, layout.Int16: OpExt16S, layout.Int32: OpExt32S,
		layout.Uint8: OpExt8U, layout.Uint16: OpExt16U, layout.Uint32: OpExt32U,
	}
	if o, ok := ops[cl]; ok {
		c.Emit(Instr{Op: o, A: r, B: r})
	}
}

func b2w(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
