package machine

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"golang.org/x/tools/go/ssa"
)

// This file defines go, defer and select.

// target compiles what go and defer need: a function that resolves the
// callee and copies the arguments when the statement runs.
func (c *compiler) target(com *ssa.CallCommon) func(m *Machine, g *G, fp unsafe.Pointer) (f *Func, ctx uint64, args []uint64, s status) {
	type part struct {
		at *int32
		n  int32
	}
	var parts []part
	words := int32(0)
	ops := c.Operands(com.Args)
	for _, a := range ops {
		n := int32(c.m.layouts.Of(a.T).Words())
		parts = append(parts, part{c.Ref(a.At), n})
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
	fn := c.Ref(c.Eval(com.Value))
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
	c.closure(0, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
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
		stack = c.Reg(in.DeferStack)
	}
	c.closure(stack, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		f, ctx, args, s := t(m, g, fp)
		if s != done {
			return s
		}
		fr := &g.frames[len(g.frames)-1]
		if stack >= 0 {
			fr = g.frameByToken(ld(fp, in.A))
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
	offs := c.Layout(in).Offs
	dst := c.Reg(in)
	recv := 2
	for _, s := range in.States {
		elem := c.m.layouts.Of(s.Chan.Type().Underlying().(*types.Chan).Elem())
		cs := sel{ch: c.Ref(c.Eval(s.Chan)), elem: elem, send: s.Dir == types.SendOnly}
		if cs.send {
			cs.val = c.Ref(c.Eval(s.Send))
		} else {
			cs.val = c.Ref(dst + int32(offs[recv]))
			recv++
		}
		cases = append(cases, cs)
	}
	blocking := in.Blocking
	c.closure(dst, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		cs := make([]selCase, len(cases))
		for i, k := range cases {
			cs[i] = selCase{ch: ld(fp, *k.ch), elem: k.elem, send: k.send, at: unsafe.Add(fp, *k.val)}
		}
		i, ok, s := m.selectOp(g, cs, blocking)
		if s != done {
			return s
		}
		st(fp, in.A, uint64(int64(i)))
		st(fp, in.A+8, b2w(ok))
		for j, k := range cases {
			if !k.send && j != i {
				clear(frameBytes(fp, *k.val, uint64(k.elem.Words())*8))
			}
		}
		return done
	})
}
