package machine

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"golang.org/x/tools/go/ssa"
)

// This file compiles functions: package code does, and asks the machine for what code names, and for instructions that have no number
// of their own. They become closures, in this file and the other rare_*.go.

// A compiler compiles one function. It is the host of package code's compiler.
type compiler struct {
	*code.Compiler
	*flow.Follower
	m *Machine
	f *Func
}

// compile translates f, which has a body.
func (m *Machine) compile(f *Func) {
	f.compiled = true
	f.RecoverPC = -1
	if f.intrinsic == nil {
		f.ssa = m.prog.Body(f.ssa)
	}
	f.Sign(m.layouts, f.ssa)
	if f.intrinsic != nil {
		f.Frame = f.Ctx + 8
		f.Instrs = []code.Instr{{Op: code.OpSelf}, {Op: code.OpRet}}
		f.Sites = make([]event.Site, 2)
		return
	}
	if f.ssa.Blocks == nil {
		f.Frame = f.Ctx + 8
		f.Instrs = []code.Instr{{Op: code.OpMissing}}
		f.Sites = make([]event.Site, 1)
		return
	}
	c := &compiler{m: m, f: f}
	c.Compiler = code.New(c, m.layouts, f.ssa, &f.Code)
	c.Follower = flow.NewFollower(c.Compiler, &f.Code, f.ssa, m.layouts, m.cfg.Regions, func(fn *ssa.Function) (string, bool) {
		callee := m.callee(f, fn)
		return callee.name, callee.intrinsic != nil
	})
	compiled := c.Compile()
	f.flows = c.Ops
	if !compiled {
		m.tooLarge(f)
	}
}

// tooLarge makes the function one that the machine does not have.
func (m *image) tooLarge(f *Func) {
	*f = Func{id: f.id, ssa: f.ssa, name: f.name, Code: code.Code{Ctx: f.Ctx, RecoverPC: -1}, compiled: true, std: f.std, silent: f.silent, sync: f.sync, inet: f.inet}
	f.missing = fmt.Sprintf("%s with values of more than %d MiB in its frame", f.name, code.MaxFrame>>20)
	f.Frame = min(f.Ctx+8, 64)
	f.Instrs = []code.Instr{{Op: code.OpMissing}}
	f.Sites = []event.Site{m.site(f, f.ssa.Blocks[0].Instrs[0])}
}

// closure emits a closure op with operands a, b and d.
func (c *compiler) closure(a, b, d int32, f closureOp) {
	c.Emit(code.Instr{Op: code.OpClosure, A: a, B: b, C: d, K: uint64(len(c.f.closures))})
	c.f.closures = append(c.f.closures, f)
}

// Lacks implements code.Extension.
func (c *compiler) Lacks(what string) {
	c.closure(0, 0, 0, func(m *Machine, g *G, _ unsafe.Pointer, _ *code.Instr) status { return m.lacks(g, what) })
}

// GlobalAddr implements code.Program.
func (c *compiler) GlobalAddr(g *ssa.Global) uint64 { return c.m.globalAddr(g) }

// FuncValue implements code.Program.
func (c *compiler) FuncValue(fn *ssa.Function) uint64 { return c.m.funcValue(c.m.Func(fn)) }

// StringData implements code.Program.
func (c *compiler) StringData(s string) (p, n uint64) { return c.m.staticString(s) }

// LayoutIndex implements code.Program.
func (c *compiler) LayoutIndex(l *layout.Layout) uint64 { return c.m.layoutIndex(l) }

// PtrMapIndex implements code.Program.
func (c *compiler) PtrMapIndex(p *mem.PtrMap) uint64 { return c.m.ptrMapIndex(p) }

// Site implements code.Program.
func (c *compiler) Site(in ssa.Instruction) event.Site { return c.m.site(c.f, in) }

// Method implements code.Program.
func (c *compiler) Method(iface types.Type, method *types.Func) int {
	return c.m.types.ItabMethod(iface, method)
}

// Callee implements code.Program.
func (c *compiler) Callee(fn *ssa.Function) (index uint64, intrinsic bool) {
	f := c.m.callee(c.f, fn)
	return c.f.index(f), f.intrinsic != nil
}

// Start implements code.Extension.
func (c *compiler) Start() {
	c.Entry()
	w, ok := watches[c.f.name]
	if !ok {
		return
	}
	f := c.f
	c.closure(0, 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, _ *code.Instr) status {
		return w(m, g, unsafe.Slice((*uint64)(fp), f.Params/8))
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
		n := deref(in.Type()).Underlying().(*types.Array).Len()
		c.closure(c.Reg(in), c.Reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			if have := int64(ld(fp, in.B+8)); have < n {
				return m.throwComputed(g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
			}
			st(fp, in.A, ld(fp, in.B))
			return done
		})
	case *ssa.Convert:
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
		c.closure(c.Reg(in), 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			p, s := m.newMap(g, t)
			st(fp, in.A, p)
			return s
		})
	case *ssa.MakeChan:
		elem := c.m.layouts.Of(in.Type().Underlying().(*types.Chan).Elem())
		c.closure(c.Reg(in), c.Reg(in.Size), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			n := int64(ld(fp, in.B))
			if n < 0 || elem.Size > 0 && uint64(n) > (1<<40)/elem.Size {
				return m.throwPlain(g, "makechan: size out of range")
			}
			p, s := m.newChan(g, elem, int(n))
			st(fp, in.A, p)
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
		c.closure(c.Reg(in.Chan), c.Reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			return m.chanSend(g, ld(fp, in.A), unsafe.Add(fp, in.B), elem)
		})
	case *ssa.Select:
		c.selectStmt(in)
	case *ssa.Panic:
		c.closure(c.Reg(in.X), 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
			t, d := ld(fp, in.A), ld(fp, in.A+8)
			if t == 0 {
				return m.throwPanicNil(g)
			}
			return m.startPanic(g, t, d)
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
	elem := c.m.layouts.Of(in.X.Type().Underlying().(*types.Chan).Elem())
	okAt := int32(-1)
	if in.CommaOk {
		okAt = int32(elem.Words()) * 8
	}
	c.closure(c.Reg(in), c.Reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		ok, s := m.chanRecv(g, ld(fp, in.B), unsafe.Add(fp, in.A), elem)
		if s == done && okAt >= 0 {
			st(fp, in.A+okAt, b2w(ok))
		}
		return s
	})
}

// ld reads a word of a frame, st writes one.
func ld(fp unsafe.Pointer, off int32) uint64    { return *(*uint64)(unsafe.Add(fp, off)) }
func st(fp unsafe.Pointer, off int32, w uint64) { *(*uint64)(unsafe.Add(fp, off)) = w }

// frameBytes returns n bytes of a frame in place.
func frameBytes(fp unsafe.Pointer, off int32, n uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(fp, off)), n)
}

func deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

func b2w(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// toRegister copies a value in memory layout to a register.
func (m *Machine) toRegister(cl layout.Class, dst, src unsafe.Pointer, size uint64) {
	switch cl {
	case layout.Int8:
		*(*uint64)(dst) = uint64(int64(*(*int8)(src)))
	case layout.Int16:
		*(*uint64)(dst) = uint64(int64(*(*int16)(src)))
	case layout.Int32:
		*(*uint64)(dst) = uint64(int64(*(*int32)(src)))
	case layout.Uint8:
		*(*uint64)(dst) = uint64(*(*uint8)(src))
	case layout.Uint16:
		*(*uint64)(dst) = uint64(*(*uint16)(src))
	case layout.Uint32, layout.Float32:
		*(*uint64)(dst) = uint64(*(*uint32)(src))
	case layout.Int64, layout.Uint64, layout.Float64:
		*(*uint64)(dst) = *(*uint64)(src)
	default:
		copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size))
	}
}

func (c *compiler) makeClosure(in *ssa.MakeClosure) {
	f := c.m.Func(in.Fn.(*ssa.Function))
	type capture struct {
		from *int32
		n    uint64
	}
	var caps []capture
	size := uint64(8)
	var offs []uint32
	for _, b := range in.Bindings {
		l := c.Layout(b)
		if l.Ptrs != nil {
			for base := uint64(0); base < l.Size; base += l.Ptrs.Elem {
				for _, o := range l.Ptrs.Offs {
					offs = append(offs, uint32(size+base)+o)
				}
			}
		}
		n := uint64(l.Words()) * 8
		caps = append(caps, capture{c.Ref(c.Reg(b)), n})
		size += n
	}
	pm := ptrMap(size, offs)
	text := c.m.text(f)
	c.closure(c.Reg(in), 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status {
		p, s := m.allocUnlogged(g, size, pm)
		if s != done {
			return s
		}
		d := m.mem.Object(p).Data()
		*(*uint64)(d) = text
		off := uintptr(8)
		for _, cp := range caps {
			copy(unsafe.Slice((*byte)(unsafe.Add(d, off)), cp.n), frameBytes(fp, *cp.from, cp.n))
			off += uintptr(cp.n)
		}
		st(fp, in.A, p)
		return done
	})
}
