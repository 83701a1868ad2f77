package interp

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file defines go, defer and select.

// target compiles what go and defer need: a function that resolves the
// callee and copies the arguments when the statement runs. A builtin that go
// starts stands at the statement, for no other function is on its goroutine's
// stack; one that is deferred has no place of its own, and in is nil.
func (c *compiler) target(com *ssa.CallCommon, in ssa.Instruction) func(m *vm.Machine, g *vm.G, fp unsafe.Pointer) (f *vm.Func, ctx uint64, args []uint64, s vm.Status) {
	type part struct {
		at *int32
		n  int32
	}
	var parts []part
	words := int32(0)
	ops := c.Operands(com.Args)
	for _, a := range ops {
		n := int32(c.layouts.Of(a.T).Words())
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
		f := c.Ref(c.Named(c.builtinFunc(v.Name(), ops, com.Signature().Results(), in)))
		return func(_ *vm.Machine, g *vm.G, fp unsafe.Pointer) (*vm.Func, uint64, []uint64, vm.Status) {
			return g.Top().Func.Funcs[vm.Ld(fp, *f)], 0, collect(fp, 0), vm.Done
		}
	case *ssa.Function:
		f := c.Ref(c.Named(indexOf{v}))
		return func(_ *vm.Machine, g *vm.G, fp unsafe.Pointer) (*vm.Func, uint64, []uint64, vm.Status) {
			return g.Top().Func.Funcs[vm.Ld(fp, *f)], 0, collect(fp, 0), vm.Done
		}
	}
	fn := c.Ref(c.Eval(com.Value))
	if com.IsInvoke() {
		i := c.Ref(c.Named(code.Method{Iface: com.Value.Type(), Method: com.Method}))
		return func(m *vm.Machine, g *vm.G, fp unsafe.Pointer) (*vm.Func, uint64, []uint64, vm.Status) {
			itab, data := vm.Ld(fp, *fn), vm.Ld(fp, *fn+8)
			if itab == 0 {
				return nil, 0, nil, goroutine.ThrowNil(m, g)
			}
			args := collect(fp, 1)
			args[0] = data
			return m.ItabFunc(itab, int(vm.Ld(fp, *i))), 0, args, vm.Done
		}
	}
	return func(m *vm.Machine, g *vm.G, fp unsafe.Pointer) (*vm.Func, uint64, []uint64, vm.Status) {
		fv := vm.Ld(fp, *fn)
		if fv == 0 {
			return nil, 0, collect(fp, 0), vm.Done
		}
		f := m.ClosureFunc(fv)
		if f == nil {
			return nil, 0, nil, goroutine.ThrowNil(m, g)
		}
		return f, fv, collect(fp, 0), vm.Done
	}
}

func (c *compiler) spawn(in *ssa.Go) {
	t := c.target(&in.Call, in)
	c.closure(0, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		f, ctx, args, s := t(m, g, fp)
		if s != vm.Done {
			return s
		}
		if f == nil {
			return goroutine.Fatal(m, g, "go of nil func value")
		}
		return goroutine.Spawn(m, g, f, ctx, args)
	})
}

func (c *compiler) deferred(in *ssa.Defer) {
	t := c.target(&in.Call, nil)
	stack := int32(-1)
	if in.DeferStack != nil {
		stack = c.Reg(in.DeferStack)
	}
	c.closure(stack, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		f, ctx, args, s := t(m, g, fp)
		if s != vm.Done {
			return s
		}
		fr := &g.Frames[len(g.Frames)-1]
		if stack >= 0 {
			fr = g.FrameByToken(vm.Ld(fp, in.A))
		}
		fr.Defers = append(fr.Defers, vm.DeferRec{Func: f, Ctx: ctx, Args: args, Site: g.Site()})
		return vm.Done
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
		elem := c.layouts.Of(s.Chan.Type().Underlying().(*types.Chan).Elem())
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
	c.closure(dst, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		cs := make([]vm.SelCase, len(cases))
		for i, k := range cases {
			cs[i] = vm.SelCase{Chan: vm.Ld(fp, *k.ch), Elem: k.elem, Send: k.send, At: unsafe.Add(fp, *k.val)}
		}
		i, ok, s := objects.SelectOp(m, g, cs, blocking)
		if s != vm.Done {
			return s
		}
		vm.St(fp, in.A, uint64(int64(i)))
		vm.St(fp, in.A+8, vm.Word(ok))
		for j, k := range cases {
			if !k.send && j != i {
				clear(vm.FrameBytes(fp, *k.val, uint64(k.elem.Words())*8))
			}
		}
		return vm.Done
	})
}
