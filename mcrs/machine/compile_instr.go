package machine

import (
	"fmt"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
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
				return m.throwBounds(g, fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", have, n))
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

// nilZone is the number of bytes from address 0 on that are never allocated.
const nilZone = 1 << 15

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

func (c *compiler) indexAddr(in *ssa.IndexAddr) {
	el := c.m.layouts.Of(deref(in.Type()))
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		c.emit(instr{op: opIdx, a: c.reg(in), b: c.reg(in.X), c: c.reg(in.Index), k: el.Size})
	case *types.Pointer:
		n := t.Elem().Underlying().(*types.Array).Len()
		base, off := c.address(in.X)
		if off != 0 {
			r := c.alloc(8)
			c.emit(instr{op: opAddr, a: r, b: base, k: off})
			base = r
		}
		if el.Size >= 1<<32 || n >= 1<<31 {
			size := el.Size
			c.closure(c.reg(in), base, c.reg(in.Index), func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
				p, i := ld(fp, in.b), ld(fp, in.c)
				if p == 0 {
					return m.throwNil(g)
				}
				if i >= uint64(n) {
					return m.throwIndex(g, int64(i), int64(n))
				}
				st(fp, in.a, p+i*size)
				return done
			})
			return
		}
		c.emit(instr{op: opIdxArr, a: c.reg(in), b: base, c: c.reg(in.Index), k: el.Size | uint64(n)<<32})
	}
}

func (c *compiler) index(in *ssa.Index) {
	x, i, dst := c.reg(in.X), c.reg(in.Index), c.reg(in)
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		c.emit(instr{op: opIdxStr, a: dst, b: x, c: i})
		return
	}
	arr := in.X.Type().Underlying().(*types.Array)
	l := c.layout(in)
	n := arr.Len()
	m := c.m
	cl := l.Class
	c.closure(dst, x, i, func(_ *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		k := int64(ld(fp, in.c))
		if uint64(k) >= uint64(n) {
			return m.throwIndex(g, k, n)
		}
		m.toRegister(cl, unsafe.Add(fp, in.a), unsafe.Add(fp, uintptr(in.b)+uintptr(k)*uintptr(l.Size)), l.Size)
		return done
	})
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

func (c *compiler) slice(in *ssa.Slice) {
	opt := func(v ssa.Value) *int32 {
		if v == nil {
			return nil
		}
		return c.ref(c.reg(v))
	}
	lo, hi, max := opt(in.Low), opt(in.High), opt(in.Max)
	lot, hit, mxt := operandType(in.Low), operandType(in.High), operandType(in.Max)
	alloc, _ := in.X.(*ssa.Alloc)
	makes := alloc != nil && alloc.Comment == "makeslice" // make([]T, hi, constant)
	dst := c.reg(in)
	if b, ok := in.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
		c.closure(dst, c.reg(in.X), 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
			p, n := ld(fp, in.b), int64(ld(fp, in.b+8))
			l, h := int64(0), n
			if lo != nil {
				l = int64(ld(fp, *lo))
			}
			if hi != nil {
				h = int64(ld(fp, *hi))
			}
			if uint64(h) > uint64(n) {
				return m.throwRange(g, h, hit, "[:%s]", " with length "+strconv.FormatInt(n, 10))
			}
			if uint64(l) > uint64(h) {
				return m.throwRange(g, l, lot, "[%s:]", fmt.Sprintf("[%%s:%d]", h))
			}
			if l < h { // an empty part keeps its base
				p += uint64(l)
			}
			st(fp, in.a, p)
			st(fp, in.a+8, uint64(h-l))
			return done
		})
		return
	}
	var el *layout.Layout
	arrLen := int64(-1)
	x := c.reg2(in.X)
	switch t := in.X.Type().Underlying().(type) {
	case *types.Slice:
		el = c.m.layouts.Of(t.Elem())
	case *types.Pointer:
		arr := t.Elem().Underlying().(*types.Array)
		el, arrLen = c.m.layouts.Of(arr.Elem()), arr.Len()
	}
	size := el.Size
	c.closure(dst, x, 0, func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		p := ld(fp, in.b)
		n, cp := arrLen, arrLen
		what := "length"
		if arrLen < 0 {
			n, cp = int64(ld(fp, in.b+8)), int64(ld(fp, in.b+16))
			what = "capacity"
		} else if p == 0 {
			return m.throwNil(g)
		}
		l, h, mx := int64(0), n, cp
		if lo != nil {
			l = int64(ld(fp, *lo))
		}
		if hi != nil {
			h = int64(ld(fp, *hi))
		}
		if max != nil {
			mx = int64(ld(fp, *max))
			if uint64(mx) > uint64(cp) {
				return m.throwRange(g, mx, mxt, "[::%s]", fmt.Sprintf(" with %s %d", what, cp))
			}
			if uint64(h) > uint64(mx) {
				return m.throwRange(g, h, hit, "[:%s:]", fmt.Sprintf("[:%%s:%d]", mx))
			}
			if uint64(l) > uint64(h) {
				return m.throwRange(g, l, lot, "[%s::]", fmt.Sprintf("[%%s:%d:]", h))
			}
		} else {
			if uint64(h) > uint64(cp) {
				switch {
				case makes && h < 0:
					return m.throwBounds(g, "makeslice: len out of range")
				case makes:
					return m.throwBounds(g, "makeslice: cap out of range")
				}
				return m.throwRange(g, h, hit, "[:%s]", fmt.Sprintf(" with %s %d", what, cp))
			}
			if uint64(l) > uint64(h) {
				return m.throwRange(g, l, lot, "[%s:]", fmt.Sprintf("[%%s:%d]", h))
			}
		}
		if mx != l {
			p += uint64(l) * size
		}
		st(fp, in.a, p)
		st(fp, in.a+8, uint64(h-l))
		st(fp, in.a+16, uint64(mx-l))
		return done
	})
}

// reg2 is reg for an operand that may be a lazy address: it computes the address.
func (c *compiler) reg2(v ssa.Value) int32 {
	if fa, ok := v.(*ssa.FieldAddr); ok && c.lazy[fa] {
		base, off := c.address(fa)
		r := c.alloc(8)
		c.emit(instr{op: opAddr, a: r, b: base, k: off})
		return r
	}
	return c.reg(v)
}

func operandType(v ssa.Value) types.Type {
	if v == nil {
		return nil
	}
	return v.Type()
}

// boundText is a bound of type t as the runtime prints it, and whether it is negative.
func boundText(x int64, t types.Type) (string, bool) {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsUnsigned != 0 {
		return strconv.FormatUint(uint64(x), 10), false
	}
	return strconv.FormatInt(x, 10), x < 0
}

// throwRange panics with a slice error (runtime.boundsErrorFmts): alone is the range's form for a negative bound x, and what
// follows it otherwise is in rest, which may be a form of its own.
func (m *Machine) throwRange(g *G, x int64, t types.Type, alone, rest string) status {
	if t == nil {
		t = types.Typ[types.Int]
	}
	s, negative := boundText(x, t)
	form := alone
	switch {
	case negative:
	case rest[0] == '[':
		form = rest
	default:
		form += rest
	}
	return m.throwBounds(g, "slice bounds out of range "+strings.Replace(form, "%s", s, 1))
}

// throwIndex panics with an index error at g's instruction.
func (m *Machine) throwIndex(g *G, i, n int64) status {
	t := types.Type(types.Typ[types.Int])
	if i < 0 {
		if x := m.indexAt(g); x != nil {
			t = x.Type()
		}
	}
	s, negative := boundText(i, t)
	if negative {
		return m.throwBounds(g, "index out of range ["+s+"]")
	}
	return m.throwBounds(g, fmt.Sprintf("index out of range [%s] with length %d", s, n))
}

// indexAt is the index operand of the instruction that g stands at, or nil.
func (m *Machine) indexAt(g *G) ssa.Value {
	at := m.frameSite(g, len(g.frames)-1)
	if at == 0 {
		return nil
	}
	of := func(v ssa.Value) ssa.Value {
		if a, ok := v.(*ssa.IndexAddr); ok {
			return a.Index
		}
		return nil
	}
	switch in := m.siteTable[at].in.(type) {
	case *ssa.IndexAddr:
		return in.Index
	case *ssa.Index:
		return in.Index
	case *ssa.Lookup:
		return in.Index
	case *ssa.UnOp:
		return of(in.X)
	case *ssa.Store:
		return of(in.Addr)
	}
	return nil
}

func (c *compiler) makeSlice(in *ssa.MakeSlice) {
	el := c.m.layouts.Of(in.Type().Underlying().(*types.Slice).Elem())
	c.closure(c.reg(in), c.reg(in.Len), c.reg(in.Cap), func(m *Machine, g *G, fp unsafe.Pointer, in *instr) status {
		n, cp := int64(ld(fp, in.b)), int64(ld(fp, in.c))
		limit := int64(math.MaxInt64)
		if el.Size > 0 {
			limit = (1 << 47) / int64(el.Size)
		}
		if n < 0 || n > limit {
			return m.throwBounds(g, "makeslice: len out of range")
		}
		if cp < n || cp > limit {
			return m.throwBounds(g, "makeslice: cap out of range")
		}
		p, s := m.alloc(g, uint64(cp)*el.Size, el.Ptrs)
		if s != done {
			return s
		}
		st(fp, in.a, p)
		st(fp, in.a+8, uint64(n))
		st(fp, in.a+16, uint64(cp))
		return done
	})
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
		p, s := m.alloc(g, size, pm)
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
