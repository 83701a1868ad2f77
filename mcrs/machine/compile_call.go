package machine

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines the compilation of calls, go, defer and select.

// operand is a value in the frame.
type operand struct {
	t  types.Type
	at int32
}

func (c *compiler) operands(vs []ssa.Value) []operand {
	var os []operand
	for _, v := range vs {
		os = append(os, operand{v.Type(), c.reg2(v)})
	}
	return os
}

func (c *compiler) call(in *ssa.Call) {
	com := &in.Call
	if b, ok := com.Value.(*ssa.Builtin); ok {
		if b.Name() == "Offsetof" { // of a field of a generic type
			c.move(c.reg(in), c.word(c.fieldOffset(com.Args[0])), 8)
			return
		}
		c.builtin(b.Name(), c.operands(com.Args), c.reg(in), in.Type())
		return
	}
	args := c.operands(com.Args)
	off := int32(outTag)
	var fnReg int32
	if com.IsInvoke() {
		fnReg = c.reg2(com.Value)
		off += 8
	} else if _, ok := com.Value.(*ssa.Function); !ok {
		fnReg = c.reg2(com.Value)
	}
	for _, a := range args {
		n := int32(c.m.layouts.Of(a.t).Words()) * 8
		c.move(off, a.at, n)
		off += n
	}
	switch fn, static := com.Value.(*ssa.Function); {
	case com.IsInvoke():
		i := c.m.types.ItabMethod(com.Value.Type(), com.Method)
		c.emit(instr{op: opInvoke, a: outTag, b: fnReg, c: int32(i)})
	case static:
		f := c.m.callee(c.f, fn)
		o := opCall
		if f.intrinsic != nil {
			o = opIntrinsic
		}
		c.emit(instr{op: o, a: outTag, k: c.funcIndex(f)})
	default:
		c.emit(instr{op: opCallClosure, a: outTag, b: fnReg})
	}
	res := int32(c.m.layouts.Of(in.Type()).Words()) * 8
	c.move(c.reg(in), off, res)
	c.f.out = max(c.f.out, off-outTag+res)
}

// fieldOffset is what unsafe.Offsetof returns for the selector whose value is v: the sum over the embedded fields that it implies.
func (c *compiler) fieldOffset(v ssa.Value) uint64 {
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
		off := c.m.layouts.Of(deref(v.X.Type())).Offs[v.Field]
		if x, ok := v.X.(*ssa.FieldAddr); ok && implied(x) {
			off += c.fieldOffset(x)
		}
		return off
	case *ssa.Field:
		off := c.layout(v.X).Offs[v.Field]
		if x, ok := v.X.(*ssa.Field); ok && implied(x) {
			off += c.fieldOffset(x)
		}
		return off
	}
	panic(fmt.Sprintf("machine: unsafe.Offsetof(%s)", v))
}

func (c *compiler) funcIndex(f *Func) uint64 {
	for i, g := range c.f.funcs {
		if g == f {
			return uint64(i)
		}
	}
	c.f.funcs = append(c.f.funcs, f)
	return uint64(len(c.f.funcs) - 1)
}

// target compiles what go and defer need: a function that resolves the
// callee and copies the arguments when the statement runs.
func (c *compiler) target(com *ssa.CallCommon) func(m *Machine, g *G, fp unsafe.Pointer) (f *Func, ctx uint64, args []uint64, s status) {
	type part struct {
		at *int32
		n  int32
	}
	var parts []part
	words := int32(0)
	ops := c.operands(com.Args)
	for _, a := range ops {
		n := int32(c.m.layouts.Of(a.t).Words())
		parts = append(parts, part{c.ref(a.at), n})
		words += n
	}
	collect := func(fp unsafe.Pointer, first int32) []uint64 {
		args := make([]uint64, first+words)
		w := first
		for _, p := range parts {
			copy(args[w:], unsafe.Slice((*uint64)(unsafe.Add(fp, *p.at)), p.n))
			w += p.n
		}
		return args
	}
	switch v := com.Value.(type) {
	case *ssa.Builtin:
		f := c.m.builtinFunc(v.Name(), ops, com.Signature().Results())
		return func(_ *Machine, _ *G, fp unsafe.Pointer) (*Func, uint64, []uint64, status) {
			return f, 0, collect(fp, 0), done
		}
	case *ssa.Function:
		f := c.m.Func(v)
		return func(_ *Machine, _ *G, fp unsafe.Pointer) (*Func, uint64, []uint64, status) {
			return f, 0, collect(fp, 0), done
		}
	}
	fn := c.ref(c.reg2(com.Value))
	if com.IsInvoke() {
		i := c.m.types.ItabMethod(com.Value.Type(), com.Method)
		return func(m *Machine, g *G, fp unsafe.Pointer) (*Func, uint64, []uint64, status) {
			itab, data := ld(fp, *fn), ld(fp, *fn+8)
			if itab == 0 {
				return nil, 0, nil, m.throwNil(g)
			}
			args := collect(fp, 1)
			args[0] = data
			return m.itabFunc(itab, i), 0, args, done
		}
	}
	return func(m *Machine, g *G, fp unsafe.Pointer) (*Func, uint64, []uint64, status) {
		fv := ld(fp, *fn)
		if fv == 0 {
			return nil, 0, collect(fp, 0), done
		}
		f := m.closureFunc(fv)
		if f == nil {
			return nil, 0, nil, m.throwNil(g)
		}
		return f, fv, collect(fp, 0), done
	}
}

func (c *compiler) spawn(in *ssa.Go) {
	t := c.target(&in.Call)
	c.closure(0, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		f, ctx, args, s := t(m, g, fp)
		if s != done {
			return s
		}
		if f == nil {
			return m.fatal(g, "go of nil func value")
		}
		return m.spawn(g, f, ctx, args)
	})
}

func (c *compiler) deferred(in *ssa.Defer) {
	t := c.target(&in.Call)
	stack := int32(-1)
	if in.DeferStack != nil {
		stack = c.reg(in.DeferStack)
	}
	c.closure(stack, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		f, ctx, args, s := t(m, g, fp)
		if s != done {
			return s
		}
		fr := &g.frames[len(g.frames)-1]
		if stack >= 0 {
			fr = g.frameByToken(ld(fp, in.a))
		}
		fr.defers = append(fr.defers, deferRec{f: f, ctx: ctx, args: args, site: m.siteOf(g)})
		return done
	})
}

func (c *compiler) selectStmt(in *ssa.Select) {
	type sel struct {
		ch   *int32
		val  *int32 // send: the value; receive: where it goes
		elem *layout.Layout
		send bool
	}
	var cases []sel
	offs := c.layout(in).Offs
	dst := c.reg(in)
	recv := 2
	for _, s := range in.States {
		elem := c.m.layouts.Of(s.Chan.Type().Underlying().(*types.Chan).Elem())
		cs := sel{ch: c.ref(c.reg2(s.Chan)), elem: elem, send: s.Dir == types.SendOnly}
		if cs.send {
			cs.val = c.ref(c.reg2(s.Send))
		} else {
			cs.val = c.ref(dst + int32(offs[recv]))
			recv++
		}
		cases = append(cases, cs)
	}
	blocking := in.Blocking
	c.closure(dst, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		cs := make([]selCase, len(cases))
		for i, k := range cases {
			cs[i] = selCase{ch: ld(fp, *k.ch), elem: k.elem, send: k.send, at: unsafe.Add(fp, *k.val)}
		}
		i, ok, s := m.selectOp(g, cs, blocking)
		if s != done {
			return s
		}
		st(fp, in.a, uint64(int64(i)))
		st(fp, in.a+8, b2w(ok))
		for j, k := range cases {
			if !k.send && j != i {
				clear(frameBytes(fp, *k.val, uint64(k.elem.Words())*8))
			}
		}
		return done
	})
}
