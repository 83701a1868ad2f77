package code

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of calls.

// An Operand is a value in the frame.
type Operand struct {
	T  types.Type
	At int32
}

// Operands are the places of values.
func (c *Compiler) Operands(vs []ssa.Value) []Operand {
	var os []Operand
	for _, v := range vs {
		os = append(os, Operand{v.Type(), c.Eval(v)})
	}
	return os
}

func (c *Compiler) call(in *ssa.Call) {
	com := &in.Call
	if b, ok := com.Value.(*ssa.Builtin); ok {
		if b.Name() == "Offsetof" { // of a field of a generic type
			c.Move(c.Reg(in), c.Word(c.fieldOffset(com.Args[0])), 8)
			return
		}
		c.host.Builtin(b.Name(), c.Operands(com.Args), c.Reg(in), in.Type())
		return
	}
	args := c.Operands(com.Args)
	off := int32(outTag)
	var fnReg int32
	if com.IsInvoke() {
		fnReg = c.Eval(com.Value)
		off += 8
	} else if _, ok := com.Value.(*ssa.Function); !ok {
		fnReg = c.Eval(com.Value)
	}
	for _, a := range args {
		n := int32(c.layouts.Of(a.T).Words()) * 8
		c.Move(off, a.At, n)
		off += n
	}
	switch fn, static := com.Value.(*ssa.Function); {
	case com.IsInvoke():
		c.Emit(Instr{Op: OpInvoke, A: outTag, B: fnReg})
		link(c.f, InC, Method{com.Value.Type(), com.Method})
	case static:
		c.Emit(Instr{Op: OpCall, A: outTag})
		link(c.f, InCall, fn)
	default:
		c.Emit(Instr{Op: OpCallClosure, A: outTag, B: fnReg})
	}
	res := int32(c.layouts.Of(in.Type()).Words()) * 8
	c.Move(c.Reg(in), off, res)
	c.f.Out = max(c.f.Out, off-outTag+res)
}

// fieldOffset is what unsafe.Offsetof returns for the selector whose value is v: the sum over the embedded fields that
// it implies.
func (c *Compiler) fieldOffset(v ssa.Value) uint64 {
	implied := func(v ssa.Value) bool { // it is no expression of the source
		for _, r := range *v.Referrers() {
			if _, ok := r.(*ssa.DebugRef); ok {
				return false
			}
		}
		return true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return c.fieldOffset(v.X)
	case *ssa.FieldAddr:
		off := c.layouts.Of(deref(v.X.Type())).Offs[v.Field]
		if x, ok := v.X.(*ssa.FieldAddr); ok && implied(x) {
			off += c.fieldOffset(x)
		}
		return off
	case *ssa.Field:
		off := c.Layout(v.X).Offs[v.Field]
		if x, ok := v.X.(*ssa.Field); ok && implied(x) {
			off += c.fieldOffset(x)
		}
		return off
	}
	panic(fmt.Sprintf("code: unsafe.Offsetof(%s)", v))
}
