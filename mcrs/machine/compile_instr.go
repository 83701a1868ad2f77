package machine

import (
	"fmt"
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

// frameBytes returns n bytes of a frame in place.
func frameBytes(fp unsafe.Pointer, off int32, n uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(fp, off)), n)
}

func deref(t types.Type) types.Type { return t.Underlying().(*types.Pointer).Elem() }

// defersLate reports whether the function's only defer statements stand in bodies of range-over-func loops inside others:
// go/ssa then forgets to run them at a return.
func (c *compiler) defersLate() bool {
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

// firstResult returns the index of the first of the loads of named results before the Return that ends b, -1 if there is none.
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

func (c *compiler) instr(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Alloc:
		l := c.m.layouts.Of(deref(in.Type()))
		if at, ok := c.local[in]; ok {
			if l.Words() > 0 {
				c.emit(instr{op: opZero, a: at, k: uint64(l.Words()) * 8})
			}
			return
		}
		c.emit(instr{op: opNew, a: c.reg(in), k: c.m.layoutIndex(l)})
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
			base, off := c.address(in)
			c.emit(instr{op: opAddr, a: c.reg(in), b: base, k: off})
		}
	case *ssa.IndexAddr:
		if _, ok := c.regs[in]; ok {
			c.indexAddr(in)
		}
	case *ssa.Field:
		st := c.layout(in.X)
		c.frameLoad(c.reg(in), c.reg(in.X)+int32(st.Offs[in.Field]), c.layout(in))
	case *ssa.Index:
		c.index(in)
	case *ssa.Slice:
		c.slice(in)
	case *ssa.SliceToArrayPointer:
		n := deref(in.Type()).Underlying().(*types.Array).Len()
		c.closure(c.reg(in), c.reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			if have := int64(ld(fp, in.b+8)); have < n {
				return m.throwComputed(g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
			}
			st(fp, in.a, ld(fp, in.b))
			return done
		})
	case *ssa.ChangeType:
	case *ssa.Extract:
	case *ssa.Convert:
		c.convert(in.Type(), in.X, c.reg(in))
	case *ssa.MultiConvert:
		c.convert(in.Type(), in.X, c.reg(in))
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
		c.closure(c.reg(in), 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			p, s := m.newMap(g, t)
			st(fp, in.a, p)
			return s
		})
	case *ssa.MakeChan:
		elem := c.m.layouts.Of(in.Type().Underlying().(*types.Chan).Elem())
		c.closure(c.reg(in), c.reg(in.Size), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			n := int64(ld(fp, in.b))
			if n < 0 || elem.Size > 0 && uint64(n) > (1<<40)/elem.Size {
				return m.throwPlain(g, "makechan: size out of range")
			}
			p, s := m.newChan(g, elem, int(n))
			st(fp, in.a, p)
			return s
		})
	case *ssa.Lookup:
		c.lookup(in)
	case *ssa.MapUpdate:
		c.mapUpdate(in)
	case *ssa.Range:
		c.rangeOver(in)
	case *ssa.Next:
		c.next(in)
	case *ssa.Send:
		elem := c.layout(in.X)
		c.closure(c.reg(in.Chan), c.reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			return m.chanSend(g, ld(fp, in.a), unsafe.Add(fp, in.b), elem)
		})
	case *ssa.Select:
		c.selectStmt(in)
	case *ssa.Panic:
		c.closure(c.reg(in.X), 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			t, d := ld(fp, in.a), ld(fp, in.a+8)
			if t == 0 {
				return m.throwPanicNil(g)
			}
			return m.startPanic(g, t, d)
		})
	case *ssa.Return:
		if !c.early && c.defersLate() {
			c.emit(instr{op: opRunDefers})
		}
		off := c.f.params
		for _, r := range in.Results {
			c.move(off, c.reg(r), c.words(r))
			off += c.words(r)
		}
		c.emit(instr{op: opRet})
	case *ssa.RunDefers:
		c.emit(instr{op: opRunDefers})
	case *ssa.Call:
		c.call(in)
	case *ssa.Go:
		c.spawn(in)
	case *ssa.Defer:
		c.deferred(in)
	case *ssa.DebugRef:
	default:
		c.lacks(fmt.Sprintf("instruction %T", in))
	}
}

// nilZone is the number of bytes from address 0 on that are never allocated.
const nilZone = 1 << 15

func (c *compiler) unop(in *ssa.UnOp) {
	if in.Op == token.MUL {
		c.load(c.reg(in), in.X, c.layout(in))
		return
	}
	if in.Op == token.ARROW {
		elem := c.m.layouts.Of(in.X.Type().Underlying().(*types.Chan).Elem())
		okAt := int32(-1)
		if in.CommaOk {
			okAt = int32(elem.Words()) * 8
		}
		c.closure(c.reg(in), c.reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			ok, s := m.chanRecv(g, ld(fp, in.b), unsafe.Add(fp, in.a), elem)
			if s == done && okAt >= 0 {
				st(fp, in.a+okAt, b2w(ok))
			}
			return s
		})
		return
	}
	dst, x, l := c.reg(in), c.reg(in.X), c.layout(in.X)
	switch in.Op {
	case token.NOT:
		c.emit(instr{op: opNotB, a: dst, b: x})
	case token.XOR:
		c.emit(instr{op: opNot, a: dst, b: x})
		c.ext(dst, l.Class)
	case token.SUB:
		switch {
		case l.Class == layout.Float64:
			c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
				st(fp, in.a, math.Float64bits(-math.Float64frombits(ld(fp, in.b))))
				return done
			})
		case l.Class == layout.Float32:
			c.closure(dst, x, 0, func(_ *Machine, _ *G, fp unsafe.Pointer, in *instr) status {
				st(fp, in.a, uint64(uint32(ld(fp, in.b))^1<<31))
				return done
			})
		case l.Class == layout.Words:
			c.complexNeg(dst, x, l)
		default:
			c.emit(instr{op: opNeg, a: dst, b: x})
			c.ext(dst, l.Class)
		}
	}
}

// ext brings the result of 64-bit arithmetic back into the range of its class.
func (c *compiler) ext(r int32, cl layout.Class) {
	ops := map[layout.Class]op{
		layout.Int8: opExt8S, layout.Int16: opExt16S, layout.Int32: opExt32S,
		layout.Uint8: opExt8U, layout.Uint16: opExt16U, layout.Uint32: opExt32U,
	}
	if o, ok := ops[cl]; ok {
		c.emit(instr{op: o, a: r, b: r})
	}
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

func b2w(b bool) uint64 {
	if b {
		return 1
	}
	return 0
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
		l := c.layout(b)
		if l.Ptrs != nil {
			for base := uint64(0); base < l.Size; base += l.Ptrs.Elem {
				for _, o := range l.Ptrs.Offs {
					offs = append(offs, uint32(size+base)+o)
				}
			}
		}
		n := uint64(l.Words()) * 8
		caps = append(caps, capture{c.ref(c.reg(b)), n})
		size += n
	}
	pm := c.m.ptrMap(size, offs)
	text := c.m.text(f)
	c.closure(c.reg(in), 0, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
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
		st(fp, in.a, p)
		return done
	})
}
