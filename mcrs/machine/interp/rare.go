package interp

import (
	"fmt"
	"go/types"
	"slices"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/objects"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program/gcorder"
	"golang.org/x/tools/go/ssa"
)

// This file compiles functions: package code does, but for instructions that have no number of their own. They become
// closures, in this file and the other rare_*.go. A closure is called by any machine, so it keeps no number of one:
// such numbers are constants (code.Named), or the machine is asked when it runs.

// A compiler compiles one function. It is the host of package code's compiler.
type compiler struct {
	*code.Compiler
	*flow.Follower
	t       *vm.Template
	name    string // of the function
	library *vm.Library
	layouts *layout.Layouts
	body    func(*ssa.Function) *ssa.Function // what runs when a function is called, built
}

// Compile translates f, which has a body.
func Compile(m *vm.Machine, f *vm.Func) {
	f.Compiled = true
	f.RecoverPC = -1
	if f.Intrinsic == nil {
		f.SSA = m.Program.Body(f.SSA)
	}
	f.Sign(m.Layouts, f.SSA)
	if f.Intrinsic != nil {
		f.Frame = f.Ctx + 8
		f.Instrs = []code.Instr{{Op: code.OpSelf}, {Op: code.OpRet}}
		f.Sites = make([]event.Site, 2)
		return
	}
	if f.SSA.Blocks == nil {
		f.Frame = f.Ctx + 8
		f.Instrs = []code.Instr{{Op: code.OpMissing}}
		f.Sites = make([]event.Site, 1)
		return
	}
	t := m.Template(f, func() *vm.Template { return template(m, f) })
	if t.TooLarge {
		lacking(m, f, fmt.Sprintf("%s with values of more than %d MiB in its frame", f.Name, code.MaxFrame>>20))
		return
	}
	l := &linker{m: m, f: f}
	f.Instantiate(m, t, l)
	if l.odd != "" {
		lacking(m, f, fmt.Sprintf("%s with variable %s", f.Name, l.odd))
	}
}

// template compiles a function for all machines. This one is asked for what it follows alone.
func template(m *vm.Machine, f *vm.Func) *vm.Template {
	t := &vm.Template{Code: f.Code}
	c := &compiler{t: t, name: f.Name, library: m.Library, layouts: m.Layouts, body: func(fn *ssa.Function) *ssa.Function {
		m.Program.Build(fn)
		return m.Program.Body(fn)
	}}
	c.Compiler = code.New(c, m.Layouts, f.SSA, &t.Code)
	c.Follower = flow.NewFollower(c.Compiler, &t.Code, f.SSA, m.Layouts, m.Config.Regions, func(fn *ssa.Function) (string, bool) {
		callee := m.Callee(f, fn)
		return callee.Name, callee.Intrinsic != nil
	})
	t.TooLarge = !c.Compile()
	t.Flows = c.Ops
	return t
}

// lacking makes the function one that the machine does not have, for a reason that begins with its name.
func lacking(m *vm.Machine, f *vm.Func, why string) {
	*f = vm.Func{ID: f.ID, Text: f.Text, SSA: f.SSA, Name: f.Name, Code: code.Code{Ctx: f.Ctx, RecoverPC: -1}, Compiled: true, Std: f.Std, Silent: f.Silent, Sync: f.Sync, Inet: f.Inet, Order: f.Order}
	f.Missing = why
	f.Frame = min(f.Ctx+8, 64)
	f.Instrs = []code.Instr{{Op: code.OpMissing}}
	f.Sites = []event.Site{m.Site(f, f.SSA.Blocks[0].Instrs[0])}
}

// closure emits a closure op with operands a, b and d.
func (c *compiler) closure(a, b, d int32, f vm.ClosureOp) {
	c.Emit(code.Instr{Op: code.OpClosure, A: a, B: b, C: d, K: uint64(len(c.t.Closures))})
	c.t.Closures = append(c.t.Closures, f)
}

// Lacks implements code.Extension.
func (c *compiler) Lacks(what string) {
	c.closure(0, 0, 0, func(m *vm.Machine, g *vm.G, _ unsafe.Pointer, _ *code.Instr) vm.Status { return m.Lacks(g, what) })
}

// Start implements code.Extension.
func (c *compiler) Start() {
	c.Entry()
	w, ok := c.library.Watches[c.name]
	if !ok {
		return
	}
	params := c.t.Params / 8
	c.closure(0, 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, _ *code.Instr) vm.Status {
		return w(m, g, unsafe.Slice((*uint64)(fp), params))
	})
}

// Rare implements code.Extension.
func (c *compiler) Rare(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.UnOp:
		c.receive(in)
	case *ssa.BinOp:
		c.binop(in)
	case *ssa.IndexAddr:
		c.farIndex(in)
	case *ssa.Index:
		c.index(in)
	case *ssa.Slice:
		c.slice(in)
	case *ssa.SliceToArrayPointer:
		n := vm.Deref(in.Type()).Underlying().(*types.Array).Len()
		c.closure(c.Reg(in), c.Reg(in.X), 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			if have := int64(vm.Ld(fp, in.B+8)); have < n {
				return goroutine.ThrowComputed(m, g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
			}
			vm.St(fp, in.A, vm.Ld(fp, in.B))
			return vm.Done
		})
	case *ssa.Convert:
		if isKind(in.X, types.UnsafePointer) {
			c.numberOf(in, c.Reg(in))
			return
		}
		c.convert(in.Type(), in.X, c.Reg(in))
	case *ssa.MultiConvert:
		c.convert(in.Type(), in.X, c.Reg(in))
	case *ssa.MakeInterface:
		c.makeInterface(in)
	case *ssa.ChangeInterface:
		c.changeInterface(in)
	case *ssa.TypeAssert:
		c.typeAssert(in)
	case *ssa.MakeClosure:
		c.makeClosure(in)
	case *ssa.MakeSlice:
		c.makeSlice(in)
	case *ssa.MakeMap:
		t := in.Type().Underlying().(*types.Map)
		c.closure(c.Reg(in), 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			p, s := objects.NewMap(m, g, t)
			vm.St(fp, in.A, p)
			return s
		})
	case *ssa.MakeChan:
		elem := c.layouts.Of(in.Type().Underlying().(*types.Chan).Elem())
		c.closure(c.Reg(in), c.Reg(in.Size), 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			n := int64(vm.Ld(fp, in.B))
			if n < 0 || elem.Size > 0 && uint64(n) > (1<<40)/elem.Size {
				return goroutine.ThrowPlain(m, g, "makechan: size out of range")
			}
			p, s := objects.NewChan(m, g, elem, int(n))
			vm.St(fp, in.A, p)
			return s
		})
	case *ssa.Lookup:
		c.lookup(in)
	case *ssa.MapUpdate:
		c.mapUpdate(in)
	case *ssa.Next:
		c.next(in)
	case *ssa.Send:
		elem := c.Layout(in.X)
		c.closure(c.Reg(in.Chan), c.Reg(in.X), 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			return objects.ChanSend(m, g, vm.Ld(fp, in.A), unsafe.Add(fp, in.B), elem)
		})
	case *ssa.Select:
		c.selectStmt(in)
	case *ssa.Panic:
		if after, ok := gcorder.MisusedRange(in); ok {
			c.closure(c.Reg(in.X), 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
				return goroutine.ThrowRuntime(m, g, gcorder.RangeMisuse(int64(vm.Ld(fp, in.A)), after))
			})
			return
		}
		c.closure(c.Reg(in.X), 0, 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
			t, d := vm.Ld(fp, in.A), vm.Ld(fp, in.A+8)
			if t == 0 {
				return goroutine.ThrowPanicNil(m, g)
			}
			return goroutine.StartPanic(m, g, t, d)
		})
	case *ssa.Go:
		c.spawn(in)
	case *ssa.Defer:
		c.deferred(in)
	default:
		c.Lacks(fmt.Sprintf("instruction %T", in))
	}
}

func (c *compiler) receive(in *ssa.UnOp) {
	elem := c.layouts.Of(in.X.Type().Underlying().(*types.Chan).Elem())
	okAt := int32(-1)
	if in.CommaOk {
		okAt = int32(elem.Words()) * 8
	}
	c.closure(c.Reg(in), c.Reg(in.X), 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		ok, s := objects.ChanRecv(m, g, vm.Ld(fp, in.B), unsafe.Add(fp, in.A), elem)
		if s == vm.Done && okAt >= 0 {
			vm.St(fp, in.A+okAt, vm.Word(ok))
		}
		return s
	})
}

func (c *compiler) makeClosure(in *ssa.MakeClosure) {
	type capture struct {
		from *int32
		n    uint64
	}
	var caps []capture
	size := uint64(8)
	var offs []uint32
	for _, b := range in.Bindings {
		l, at := c.Captured(b)
		if l.Ptrs != nil {
			for base := uint64(0); base < l.Size; base += l.Ptrs.Elem {
				for _, o := range l.Ptrs.Offs {
					offs = append(offs, uint32(size+base)+o)
				}
			}
		}
		n := uint64(l.Words()) * 8
		caps = append(caps, capture{c.Ref(at), n})
		size += n
	}
	pm := vm.PtrMap(size, offs)
	c.closure(c.Reg(in), c.Named(textOf{in.Fn.(*ssa.Function)}), 0, func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, in *code.Instr) vm.Status {
		p, s := m.AllocUnlogged(g, size, pm)
		if s != vm.Done {
			return s
		}
		d := m.Mem.Object(p).Data()
		*(*uint64)(d) = vm.Ld(fp, in.B)
		off := uintptr(8)
		for _, cp := range caps {
			copy(unsafe.Slice((*byte)(unsafe.Add(d, off)), cp.n), vm.FrameBytes(fp, *cp.from, cp.n))
			off += uintptr(cp.n)
		}
		vm.St(fp, in.A, p)
		return vm.Done
	})
}

// Accessed implements code.Extension: it notes accesses to loud fields.
func (c *compiler) Accessed(addr ssa.Value) {
	fields := c.library.Loud[c.name]
	fa, ok := addr.(*ssa.FieldAddr)
	if fields == nil || !ok {
		return
	}
	st := vm.Deref(fa.X.Type()).Underlying().(*types.Struct)
	i := slices.IndexFunc(fields, func(f vm.LoudField) bool { return f.Name == st.Field(fa.Field).Name() })
	if i >= 0 {
		c.t.Loud = append(c.t.Loud, vm.LoudAccess{PC: int32(len(c.t.Instrs)) - 1, Offset: c.layouts.Of(vm.Deref(fa.X.Type())).Offs[fa.Field], Field: &fields[i]})
	}
}
