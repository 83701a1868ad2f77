package machine

import (
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of loads and stores.

// address returns the base register and constant offset of an address whose
// computation belongs to its loads and stores.
func (c *compiler) address(v ssa.Value) (base int32, off uint64) {
	if fa, ok := v.(*ssa.FieldAddr); ok {
		st := c.m.layouts.Of(deref(fa.X.Type()))
		if c.lazy[fa] {
			base, off = c.address(fa.X)
			return base, off + st.Offs[fa.Field]
		}
		if r, ok := c.regs[fa.X]; ok {
			return r, st.Offs[fa.Field]
		}
		base, off = c.address(fa.X)
		return base, off + st.Offs[fa.Field]
	}
	return c.reg(v), 0
}

// addressOf is address for a load or store through v itself.
func (c *compiler) addressOf(v ssa.Value) (base int32, off uint64) {
	fa, ok := v.(*ssa.FieldAddr)
	if !ok || !c.lazy[fa] {
		return c.reg(v), 0
	}
	if base, off = c.address(fa); off < nilZone {
		return base, off
	}
	r := c.alloc(8) // too far from nil for the access to be checked by its address alone
	c.emit(instr{op: opAddr, a: r, b: base, k: off})
	return r, 0
}

func loadOp(l *layout.Layout) op {
	switch l.Class {
	case layout.Int8:
		return opLd8S
	case layout.Int16:
		return opLd16S
	case layout.Int32:
		return opLd32S
	case layout.Uint8:
		return opLd8U
	case layout.Uint16:
		return opLd16U
	case layout.Uint32, layout.Float32:
		return opLd32U
	case layout.Int64, layout.Uint64, layout.Float64:
		return opLd64
	}
	return opLdN
}

func (c *compiler) load(dst int32, addr ssa.Value, l *layout.Layout) {
	if at, ok := c.frameLoc(addr); ok {
		c.frameLoad(dst, at, l)
		return
	}
	if ia, ok := addr.(*ssa.IndexAddr); ok && c.lazy[ia] {
		o := opLdIdx64
		if l.Class == layout.Uint8 {
			o = opLdIdx8U
		}
		c.emit(instr{op: o, a: dst, b: c.reg(ia.X), c: c.reg(ia.Index)})
		return
	}
	base, off := c.addressOf(addr)
	in := instr{op: loadOp(l), a: dst, b: base, k: off}
	if in.op == opLdN {
		in.c = int32(l.Size)
	}
	c.emit(in)
	c.loud(addr)
}

// frameLoad reads a value at a byte offset of the frame into a register.
func (c *compiler) frameLoad(dst, at int32, l *layout.Layout) {
	switch l.Class {
	case layout.Int8:
		c.emit(instr{op: opFLd8S, a: dst, b: at})
	case layout.Int16:
		c.emit(instr{op: opFLd16S, a: dst, b: at})
	case layout.Int32:
		c.emit(instr{op: opFLd32S, a: dst, b: at})
	case layout.Uint8:
		c.emit(instr{op: opFLd8U, a: dst, b: at})
	case layout.Uint16:
		c.emit(instr{op: opFLd16U, a: dst, b: at})
	case layout.Uint32, layout.Float32:
		c.emit(instr{op: opFLd32U, a: dst, b: at})
	case layout.Int64, layout.Uint64, layout.Float64:
		c.emit(instr{op: opMov, a: dst, b: at})
	default:
		if l.Size%8 == 0 {
			c.move(dst, at, int32(l.Size))
		} else {
			c.emit(instr{op: opFMov, a: dst, b: at, k: l.Size})
		}
	}
}

func (c *compiler) store(addr, val ssa.Value) {
	l := c.layout(val)
	src := c.reg(val)
	if at, ok := c.frameLoc(addr); ok {
		c.frameStore(at, src, l)
		return
	}
	if ia, ok := addr.(*ssa.IndexAddr); ok && c.lazy[ia] {
		o := opStIdx64
		if l.Size == 1 {
			o = opStIdx8
		}
		c.emit(instr{op: o, a: c.reg(ia.X), b: c.reg(ia.Index), c: src})
		return
	}
	base, off := c.addressOf(addr)
	in := instr{a: base, b: src, k: off}
	switch {
	case l.Class == layout.Words:
		in.op, in.c = opStN, int32(l.Size)
		in.k |= c.m.ptrMapIndex(l.Ptrs) << 32
	case l.Ptrs != nil && len(l.Ptrs.Offs) > 0:
		in.op = opStP
	case l.Size == 1:
		in.op = opSt8
	case l.Size == 2:
		in.op = opSt16
	case l.Size == 4:
		in.op = opSt32
	default:
		in.op = opSt64
	}
	c.emit(in)
	c.loud(addr)
}

func (c *compiler) frameStore(at, src int32, l *layout.Layout) {
	switch {
	case l.Class == layout.Words && l.Size%8 == 0:
		c.move(at, src, int32(l.Size))
	case l.Class == layout.Words:
		c.emit(instr{op: opFMov, a: at, b: src, k: l.Size})
	case l.Size == 1:
		c.emit(instr{op: opFSt8, a: at, b: src})
	case l.Size == 2:
		c.emit(instr{op: opFSt16, a: at, b: src})
	case l.Size == 4:
		c.emit(instr{op: opFSt32, a: at, b: src})
	default:
		c.emit(instr{op: opMov, a: at, b: src})
	}
}
