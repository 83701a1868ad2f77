package code

import (
	"go/types"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of addresses, loads and stores.

// Address returns the base register and constant offset of an address whose
// computation belongs to its loads and stores.
func (c *Compiler) Address(v ssa.Value) (base int32, off uint64) {
	if fa, ok := v.(*ssa.FieldAddr); ok {
		st := c.layouts.Of(deref(fa.X.Type()))
		if c.lazy[fa] {
			base, off = c.Address(fa.X)
			return base, off + st.Offs[fa.Field]
		}
		if r, ok := c.regs[fa.X]; ok {
			return r, st.Offs[fa.Field]
		}
		base, off = c.Address(fa.X)
		return base, off + st.Offs[fa.Field]
	}
	return c.Reg(v), 0
}

// Eval is Reg for an operand that may be a lazy address: it computes the address.
func (c *Compiler) Eval(v ssa.Value) int32 {
	if fa, ok := v.(*ssa.FieldAddr); ok && c.lazy[fa] {
		base, off := c.Address(fa)
		r := c.Alloc(8)
		c.Emit(Instr{Op: OpAddr, A: r, B: base, K: off})
		return r
	}
	return c.Reg(v)
}

// ArrayBase returns the register of a pointer to an array.
func (c *Compiler) ArrayBase(x ssa.Value) int32 {
	base, off := c.Address(x)
	if off == 0 {
		return base
	}
	r := c.Alloc(8)
	c.Emit(Instr{Op: OpAddr, A: r, B: base, K: off})
	return r
}

func (c *Compiler) indexAddr(in *ssa.IndexAddr) {
	el := c.layouts.Of(deref(in.Type()))
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		c.Emit(Instr{Op: OpIdx, A: c.Reg(in), B: c.Reg(in.X), C: c.Reg(in.Index), K: el.Size})
	case *types.Pointer:
		n := t.Elem().Underlying().(*types.Array).Len()
		if el.Size >= 1<<32 || n >= 1<<31 {
			c.host.Rare(in)
			return
		}
		base := c.ArrayBase(in.X)
		c.Emit(Instr{Op: OpIdxArr, A: c.Reg(in), B: base, C: c.Reg(in.Index), K: el.Size | uint64(n)<<32})
	}
}

// addressOf is Address for a load or store through v itself.
func (c *Compiler) addressOf(v ssa.Value) (base int32, off uint64) {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok || !c.lazy[fa] {
		return c.Reg(v), 0
	}
	if base, off = c.Address(fa); off < nilZone {
		return base, off
	}
	r := c.Alloc(8) // too far from nil for the access to be checked by its address alone
	c.Emit(Instr{Op: OpAddr, A: r, B: base, K: off})
	return r, 0
}

func loadOp(l *layout.Layout) Op {
	switch l.Class {
	case layout.Int8:
		return OpLd8S
	case layout.Int16:
		return OpLd16S
	case layout.Int32:
		return OpLd32S
	case layout.Uint8:
		return OpLd8U
	case layout.Uint16:
		return OpLd16U
	case layout.Uint32, layout.Float32:
		return OpLd32U
	case layout.Int64, layout.Uint64, layout.Float64:
		return OpLd64
	}
	return OpLdN
}

func (c *Compiler) load(dst int32, addr ssa.Value, l *layout.Layout) {
	if at, ok := c.FrameLoc(addr); ok {
		c.frameLoad(dst, at, l)
		return
	}
	if ia, ok := addr.(*ssa.IndexAddr); ok && c.lazy[ia] {
		o := OpLdIdx64
		if l.Class == layout.Uint8 {
			o = OpLdIdx8U
		}
		c.Emit(Instr{Op: o, A: dst, B: c.Reg(ia.X), C: c.Reg(ia.Index)})
		return
	}
	base, off := c.addressOf(addr)
	in := Instr{Op: loadOp(l), A: dst, B: base, K: off}
	if in.Op == OpLdN {
		in.C = int32(l.Size)
	}
	c.Emit(in)
	c.host.Accessed(addr)
}

// nilCheck compiles the load that go/ssa makes for &*p. It is there for its panic alone, and has no DebugRef. gc reads
// nothing there. Of the address of an element, which is computed with its load, it makes nothing and returns false.
func nilCheck(c *Compiler, addr ssa.Value) bool {
	if _, ok := c.FrameLoc(addr); ok {
		return true
	}
	if ia, ok := addr.(*ssa.IndexAddr); ok && c.lazy[ia] {
		return false
	}
	base, off := c.addressOf(addr)
	c.Emit(Instr{Op: OpAddr, A: c.Alloc(8), B: base, K: off})
	return true
}

// frameLoad reads a value at a byte offset of the frame into a register.
func (c *Compiler) frameLoad(dst, at int32, l *layout.Layout) {
	switch l.Class {
	case layout.Int8:
		c.Emit(Instr{Op: OpFLd8S, A: dst, B: at})
	case layout.Int16:
		c.Emit(Instr{Op: OpFLd16S, A: dst, B: at})
	case layout.Int32:
		c.Emit(Instr{Op: OpFLd32S, A: dst, B: at})
	case layout.Uint8:
		c.Emit(Instr{Op: OpFLd8U, A: dst, B: at})
	case layout.Uint16:
		c.Emit(Instr{Op: OpFLd16U, A: dst, B: at})
	case layout.Uint32, layout.Float32:
		c.Emit(Instr{Op: OpFLd32U, A: dst, B: at})
	case layout.Int64, layout.Uint64, layout.Float64:
		c.Emit(Instr{Op: OpMov, A: dst, B: at})
	default:
		if l.Size%8 == 0 {
			c.Move(dst, at, int32(l.Size))
		} else {
			c.Emit(Instr{Op: OpFMov, A: dst, B: at, K: l.Size})
		}
	}
}

func (c *Compiler) store(addr, val ssa.Value) {
	l := c.Layout(val)
	src := c.Reg(val)
	if at, ok := c.FrameLoc(addr); ok {
		c.frameStore(at, src, l)
		return
	}
	if ia, ok := addr.(*ssa.IndexAddr); ok && c.lazy[ia] {
		o := OpStIdx64
		if l.Size == 1 {
			o = OpStIdx8
		}
		c.Emit(Instr{Op: o, A: c.Reg(ia.X), B: c.Reg(ia.Index), C: src})
		return
	}
	base, off := c.addressOf(addr)
	in := Instr{A: base, B: src, K: off}
	switch {
	case l.Class == layout.Words:
		in.Op, in.C = OpStN, int32(l.Size)
	case l.Ptrs != nil && len(l.Ptrs.Offs) > 0:
		in.Op = OpStP
	case l.Size == 1:
		in.Op = OpSt8
	case l.Size == 2:
		in.Op = OpSt16
	case l.Size == 4:
		in.Op = OpSt32
	default:
		in.Op = OpSt64
	}
	c.Emit(in)
	if in.Op == OpStN && l.Ptrs != nil {
		link(c.f, InHigh, l.Ptrs)
	}
	c.host.Accessed(addr)
}

func (c *Compiler) frameStore(at, src int32, l *layout.Layout) {
	switch {
	case l.Class == layout.Words && l.Size%8 == 0:
		c.Move(at, src, int32(l.Size))
	case l.Class == layout.Words:
		c.Emit(Instr{Op: OpFMov, A: at, B: src, K: l.Size})
	case l.Size == 1:
		c.Emit(Instr{Op: OpFSt8, A: at, B: src})
	case l.Size == 2:
		c.Emit(Instr{Op: OpFSt16, A: at, B: src})
	case l.Size == 4:
		c.Emit(Instr{Op: OpFSt32, A: at, B: src})
	default:
		c.Emit(Instr{Op: OpMov, A: at, B: src})
	}
}
