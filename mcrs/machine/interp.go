package machine

import (
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
)

// This file defines the interpreter's loop: one long switch over the instructions of register code.

// run interprets g until its next visible operation, its end, or the end of the execution.
func (m *Machine) run(g *G) {
	if g.preempted {
		g.preempted, g.permit, g.waiting = false, false, false
	}
	for !m.interpret(g) {
	}
}

// Time slices of Exec, where no access to memory lets another goroutine run: a goroutine that computes gives way after so
// many instructions, and the clock goes on meanwhile.
const (
	sliceSteps = 1_000_000
	sliceTime  = 1_000_000 // nanoseconds
)

// preempt ends g's time slice. It returns false if g has to go on.
func (m *Machine) preempt(g *G) bool {
	m.maxSteps = min(m.hardSteps, m.steps+sliceSteps)
	if g.inText || m.opts.Cancelled != nil {
		return false // slices are there to look whether the execution is cancelled
	}
	m.now += sliceTime
	if len(m.timers) > 0 {
		m.collectDue(&m.timeline, nil)
	}
	g.op = event.Op{Kind: event.Yield, Site: m.siteOf(g)}
	g.waiting, g.preempted = true, true
	return true
}

// interpret is run, but stops, with ended false, after a fault met deep inside an operation has become g's panic.
func (m *Machine) interpret(g *G) (ended bool) {
	defer func() {
		if ended {
			return
		}
		e := recover()
		bad, ok := e.(rtype.BadAddr)
		if !ok {
			panic(e)
		}
		g.cursor = 0
		switch m.throwFault(g, bad.Addr) {
		case yield, halt:
			ended = true
		}
	}()
	m.walk(g)
	return true
}

// walk is the loop.
func (m *Machine) walk(g *G) {
	mm := m.mem
	steps := m.steps
	var (
		f  *Func
		fr *frame
		fp unsafe.Pointer
		at []code.Instr // of f
		pc int32
		s  status
		in *code.Instr
	)
load:
	fr = g.top()
	f, fp, pc = fr.f, fr.fp, fr.pc
	at = f.Instrs
	if int(pc) >= len(at) { // a deferred call recovered
		if len(fr.defers) > 0 {
			goto rundefers
		}
		if f.RecoverPC < 0 {
			goto ret
		}
		pc = f.RecoverPC
	}
	goto next
jump:
	if in.A <= pc && steps > m.maxSteps {
		goto limit
	}
	pc = in.A
next:
	for {
		in = &at[pc]
		pc++
		steps++
		switch in.Op {
		case code.OpNop:
		case code.OpMov:
			st(fp, in.A, ld(fp, in.B))
		case code.OpMov2:
			*(*[2]uint64)(unsafe.Add(fp, in.A)) = *(*[2]uint64)(unsafe.Add(fp, in.B))
		case code.OpMov3:
			*(*[3]uint64)(unsafe.Add(fp, in.A)) = *(*[3]uint64)(unsafe.Add(fp, in.B))
		case code.OpMovN, code.OpFMov:
			copy(frameBytes(fp, in.A, in.K), frameBytes(fp, in.B, in.K))
		case code.OpZero:
			clear(frameBytes(fp, in.A, in.K))

		case code.OpJmp:
			goto jump
		case code.OpJT:
			if ld(fp, in.B)&0xff != 0 {
				goto jump
			}
		case code.OpJF:
			if ld(fp, in.B)&0xff == 0 {
				goto jump
			}
		case code.OpJEq:
			if ld(fp, in.B) == ld(fp, in.C) {
				goto jump
			}
		case code.OpJNe:
			if ld(fp, in.B) != ld(fp, in.C) {
				goto jump
			}
		case code.OpJLtS:
			if int64(ld(fp, in.B)) < int64(ld(fp, in.C)) {
				goto jump
			}
		case code.OpJLeS:
			if int64(ld(fp, in.B)) <= int64(ld(fp, in.C)) {
				goto jump
			}
		case code.OpJLtU:
			if ld(fp, in.B) < ld(fp, in.C) {
				goto jump
			}
		case code.OpJLeU:
			if ld(fp, in.B) <= ld(fp, in.C) {
				goto jump
			}
		case code.OpJEqI:
			if ld(fp, in.B) == in.K {
				goto jump
			}
		case code.OpJNeI:
			if ld(fp, in.B) != in.K {
				goto jump
			}
		case code.OpJLtSI:
			if int64(ld(fp, in.B)) < int64(in.K) {
				goto jump
			}
		case code.OpJLeSI:
			if int64(ld(fp, in.B)) <= int64(in.K) {
				goto jump
			}
		case code.OpJGtSI:
			if int64(ld(fp, in.B)) > int64(in.K) {
				goto jump
			}
		case code.OpJGeSI:
			if int64(ld(fp, in.B)) >= int64(in.K) {
				goto jump
			}

		case code.OpAdd:
			st(fp, in.A, ld(fp, in.B)+ld(fp, in.C))
		case code.OpSub:
			st(fp, in.A, ld(fp, in.B)-ld(fp, in.C))
		case code.OpMul:
			st(fp, in.A, ld(fp, in.B)*ld(fp, in.C))
		case code.OpDivS, code.OpRemS:
			d := int64(ld(fp, in.C))
			if d == 0 {
				fr.pc = pc - 1
				s = m.throwRuntime(g, "integer divide by zero")
				goto after
			}
			if in.Op == code.OpDivS {
				st(fp, in.A, uint64(int64(ld(fp, in.B))/d))
			} else {
				st(fp, in.A, uint64(int64(ld(fp, in.B))%d))
			}
		case code.OpDivU, code.OpRemU:
			d := ld(fp, in.C)
			if d == 0 {
				fr.pc = pc - 1
				s = m.throwRuntime(g, "integer divide by zero")
				goto after
			}
			if in.Op == code.OpDivU {
				st(fp, in.A, ld(fp, in.B)/d)
			} else {
				st(fp, in.A, ld(fp, in.B)%d)
			}
		case code.OpAnd:
			st(fp, in.A, ld(fp, in.B)&ld(fp, in.C))
		case code.OpOr:
			st(fp, in.A, ld(fp, in.B)|ld(fp, in.C))
		case code.OpXor:
			st(fp, in.A, ld(fp, in.B)^ld(fp, in.C))
		case code.OpAndNot:
			st(fp, in.A, ld(fp, in.B)&^ld(fp, in.C))
		case code.OpShl:
			st(fp, in.A, ld(fp, in.B)<<ld(fp, in.C))
		case code.OpShrS:
			st(fp, in.A, uint64(int64(ld(fp, in.B))>>ld(fp, in.C)))
		case code.OpShrU:
			st(fp, in.A, ld(fp, in.B)>>ld(fp, in.C))
		case code.OpShlChk:
			if int64(ld(fp, in.B)) < 0 {
				fr.pc = pc - 1
				s = m.throwRuntime(g, "negative shift amount")
				goto after
			}
		case code.OpAddI:
			st(fp, in.A, ld(fp, in.B)+in.K)
		case code.OpMulI:
			st(fp, in.A, ld(fp, in.B)*in.K)
		case code.OpAndI:
			st(fp, in.A, ld(fp, in.B)&in.K)
		case code.OpShlI:
			st(fp, in.A, ld(fp, in.B)<<in.K)
		case code.OpShrSI:
			st(fp, in.A, uint64(int64(ld(fp, in.B))>>in.K))
		case code.OpShrUI:
			st(fp, in.A, ld(fp, in.B)>>in.K)
		case code.OpExt8S:
			st(fp, in.A, uint64(int64(int8(ld(fp, in.B)))))
		case code.OpExt16S:
			st(fp, in.A, uint64(int64(int16(ld(fp, in.B)))))
		case code.OpExt32S:
			st(fp, in.A, uint64(int64(int32(ld(fp, in.B)))))
		case code.OpExt8U:
			st(fp, in.A, uint64(uint8(ld(fp, in.B))))
		case code.OpExt16U:
			st(fp, in.A, uint64(uint16(ld(fp, in.B))))
		case code.OpExt32U:
			st(fp, in.A, uint64(uint32(ld(fp, in.B))))
		case code.OpNeg:
			st(fp, in.A, -ld(fp, in.B))
		case code.OpNot:
			st(fp, in.A, ^ld(fp, in.B))
		case code.OpNotB:
			st(fp, in.A, ld(fp, in.B)&1^1)
		case code.OpEq:
			st(fp, in.A, b2w(ld(fp, in.B) == ld(fp, in.C)))
		case code.OpNe:
			st(fp, in.A, b2w(ld(fp, in.B) != ld(fp, in.C)))
		case code.OpLtS:
			st(fp, in.A, b2w(int64(ld(fp, in.B)) < int64(ld(fp, in.C))))
		case code.OpLeS:
			st(fp, in.A, b2w(int64(ld(fp, in.B)) <= int64(ld(fp, in.C))))
		case code.OpLtU:
			st(fp, in.A, b2w(ld(fp, in.B) < ld(fp, in.C)))
		case code.OpLeU:
			st(fp, in.A, b2w(ld(fp, in.B) <= ld(fp, in.C)))
		case code.OpAddF:
			st(fp, in.A, math.Float64bits(fl(fp, in.B)+fl(fp, in.C)))
		case code.OpSubF:
			st(fp, in.A, math.Float64bits(fl(fp, in.B)-fl(fp, in.C)))
		case code.OpMulF:
			st(fp, in.A, math.Float64bits(fl(fp, in.B)*fl(fp, in.C)))
		case code.OpDivF:
			st(fp, in.A, math.Float64bits(fl(fp, in.B)/fl(fp, in.C)))
		case code.OpLtF:
			st(fp, in.A, b2w(fl(fp, in.B) < fl(fp, in.C)))
		case code.OpLeF:
			st(fp, in.A, b2w(fl(fp, in.B) <= fl(fp, in.C)))
		case code.OpEqF:
			st(fp, in.A, b2w(fl(fp, in.B) == fl(fp, in.C)))
		case code.OpNeF:
			st(fp, in.A, b2w(fl(fp, in.B) != fl(fp, in.C)))

		case code.OpLd8S:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(int64(*(*int8)(p))))
		case code.OpLd16S:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, 2)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(int64(*(*int16)(p))))
		case code.OpLd32S:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, 4)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(int64(*(*int32)(p))))
		case code.OpLd8U:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(*(*uint8)(p)))
		case code.OpLd16U:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, 2)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(*(*uint16)(p)))
		case code.OpLd32U:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, 4)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(*(*uint32)(p)))
		case code.OpLd64:
			addr := ld(fp, in.B) + in.K
			if o := mm.Object(addr); o != nil && o.Flags&(mem.Shared|mem.ReadOnly) != mem.Shared {
				if off := addr - o.Base; off+8 <= o.Size {
					st(fp, in.A, *(*uint64)(unsafe.Add(o.Data(), off)))
					continue
				}
			}
			p := m.read(g, fr, pc, addr, 8)
			if p == nil {
				goto memory
			}
			st(fp, in.A, *(*uint64)(p))
		case code.OpLdN:
			p := m.read(g, fr, pc, ld(fp, in.B)+in.K, uint64(in.C))
			if p == nil {
				goto memory
			}
			copy(frameBytes(fp, in.A, uint64(in.C)), unsafe.Slice((*byte)(p), in.C))

		case code.OpSt8:
			p := m.write(g, fr, pc, ld(fp, in.A)+in.K, 1, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint8)(p) = uint8(ld(fp, in.B))
		case code.OpSt16:
			p := m.write(g, fr, pc, ld(fp, in.A)+in.K, 2, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint16)(p) = uint16(ld(fp, in.B))
		case code.OpSt32:
			p := m.write(g, fr, pc, ld(fp, in.A)+in.K, 4, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint32)(p) = uint32(ld(fp, in.B))
		case code.OpSt64:
			p := m.write(g, fr, pc, ld(fp, in.A)+in.K, 8, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = ld(fp, in.B)
		case code.OpStP:
			p := m.write(g, fr, pc, ld(fp, in.A)+in.K, 8, unsafe.Add(fp, in.B), onePointer)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = ld(fp, in.B)
		case code.OpStN:
			n := uint64(in.C)
			p := m.write(g, fr, pc, ld(fp, in.A)+in.K&0xffffffff, n, unsafe.Add(fp, in.B), m.ptrMaps[in.K>>32])
			if p == nil {
				goto memory
			}
			copy(unsafe.Slice((*byte)(p), n), frameBytes(fp, in.B, n))

		case code.OpFLd8S:
			st(fp, in.A, uint64(int64(*(*int8)(unsafe.Add(fp, in.B)))))
		case code.OpFLd16S:
			st(fp, in.A, uint64(int64(*(*int16)(unsafe.Add(fp, in.B)))))
		case code.OpFLd32S:
			st(fp, in.A, uint64(int64(*(*int32)(unsafe.Add(fp, in.B)))))
		case code.OpFLd8U:
			st(fp, in.A, uint64(*(*uint8)(unsafe.Add(fp, in.B))))
		case code.OpFLd16U:
			st(fp, in.A, uint64(*(*uint16)(unsafe.Add(fp, in.B))))
		case code.OpFLd32U:
			st(fp, in.A, uint64(*(*uint32)(unsafe.Add(fp, in.B))))
		case code.OpFSt8:
			*(*uint8)(unsafe.Add(fp, in.A)) = uint8(ld(fp, in.B))
		case code.OpFSt16:
			*(*uint16)(unsafe.Add(fp, in.A)) = uint16(ld(fp, in.B))
		case code.OpFSt32:
			*(*uint32)(unsafe.Add(fp, in.A)) = uint32(ld(fp, in.B))

		case code.OpIdx:
			i := ld(fp, in.C)
			if n := ld(fp, in.B+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			st(fp, in.A, ld(fp, in.B)+i*in.K)
		case code.OpIdxArr:
			i, n, p := ld(fp, in.C), in.K>>32, ld(fp, in.B)
			if p == 0 {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			if i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			st(fp, in.A, p+i*(in.K&0xffffffff))
		case code.OpIdxStr:
			i := ld(fp, in.C)
			if n := ld(fp, in.B+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := mm.At(ld(fp, in.B)+i, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(*(*uint8)(p)))
		case code.OpLdIdx8U:
			i := ld(fp, in.C)
			if n := ld(fp, in.B+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.read(g, fr, pc, ld(fp, in.B)+i, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.A, uint64(*(*uint8)(p)))
		case code.OpLdIdx64:
			i := ld(fp, in.C)
			if n := ld(fp, in.B+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.read(g, fr, pc, ld(fp, in.B)+i*8, 8)
			if p == nil {
				goto memory
			}
			st(fp, in.A, *(*uint64)(p))
		case code.OpStIdx8:
			i := ld(fp, in.B)
			if n := ld(fp, in.A+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.write(g, fr, pc, ld(fp, in.A)+i, 1, unsafe.Add(fp, in.C), nil)
			if p == nil {
				goto memory
			}
			*(*uint8)(p) = uint8(ld(fp, in.C))
		case code.OpStIdx64:
			i := ld(fp, in.B)
			if n := ld(fp, in.A+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.write(g, fr, pc, ld(fp, in.A)+i*8, 8, unsafe.Add(fp, in.C), nil)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = ld(fp, in.C)
		case code.OpNew:
			l := m.layoutList[in.K]
			fr.pc = pc - 1
			p, s1 := m.alloc(g, l.Size, l.Ptrs)
			if s1 != done {
				s = s1
				goto after
			}
			st(fp, in.A, p)
		case code.OpAddr:
			p := ld(fp, in.B)
			if p == 0 {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			st(fp, in.A, p+in.K)

		case code.OpCall:
			if steps > m.maxSteps {
				goto limit
			}
			fr.pc = pc
			callee := f.funcs[in.K]
			if s = m.push(g, callee, unsafe.Add(fp, in.A), 0, callFrame); s != reload {
				goto after
			}
			goto load
		case code.OpCallClosure:
			if steps > m.maxSteps {
				goto limit
			}
			fv := ld(fp, in.B)
			callee := m.closureFunc(fv)
			if callee == nil {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			fr.pc = pc
			if s = m.push(g, callee, unsafe.Add(fp, in.A), fv, callFrame); s != reload {
				goto after
			}
			goto load
		case code.OpInvoke:
			itab := ld(fp, in.B)
			if itab == 0 {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			callee := m.itabFunc(itab, int(in.C))
			st(fp, in.A, ld(fp, in.B+8))
			fr.pc = pc
			if s = m.push(g, callee, unsafe.Add(fp, in.A), 0, callFrame); s != reload {
				goto after
			}
			goto load
		case code.OpIntrinsic:
			fr.pc = pc - 1
			callee := f.funcs[in.K]
			g.cursor = 0
			g.secret = g.secret || !callee.quiet
			m.steps = steps
			s = callee.intrinsic(m, g, unsafe.Slice((*uint64)(unsafe.Add(fp, in.A)), (callee.Params+callee.Results)/8))
			steps = m.steps
			if s == done {
				g.stage = 0
				continue
			}
			goto after
		case code.OpSelf:
			fr.pc = pc - 1
			g.cursor = 0
			g.secret = g.secret || !f.quiet
			s = f.intrinsic(m, g, unsafe.Slice((*uint64)(fp), (f.Params+f.Results)/8))
			if s == done {
				g.stage = 0
				continue
			}
			goto after
		case code.OpRet:
			goto ret
		case code.OpRunDefers:
			fr.pc = pc - 1
			if len(fr.defers) > 0 {
				goto rundefers
			}
		case code.OpClosure:
			fr.pc = pc - 1
			g.cursor = 0
			s = f.closures[in.K](m, g, fp, in)
			if s == done {
				g.stage = 0
				continue
			}
			goto after
		case code.OpPure:
			f.Pure[in.K](fp, in)
		case code.OpCtx1:
			st(fp, in.A, *(*uint64)(m.must(ld(fp, f.Ctx)+in.K, 8)))
		case code.OpCtx:
			copy(frameBytes(fp, in.A, in.K), unsafe.Slice((*byte)(m.must(ld(fp, f.Ctx)+uint64(in.B), in.K)), in.K))
		case code.OpFlow:
			m.flow(g, f.flows[in.K], fp)
		case code.OpMissing:
			m.steps = steps
			m.unsupported(g, f)
			return
		default:
			panic("machine: unknown instruction")
		}
	}

ret:
	{
		kind := fr.kind
		g.pop()
		if kind == callFrame || kind == deferFrame {
			goto load
		}
		if kind == textFrame {
			m.steps = steps
			m.gotText(g, f, fp)
			return
		}
		s = m.returned(g, kind)
		goto after
	}

rundefers:
	{
		n := len(fr.defers) - 1
		d := fr.defers[n]
		fr.defers = fr.defers[:n]
		if d.f == nil {
			s = m.throwNil(g)
			goto after
		}
		if s = m.pushArgs(g, d.f, d.args, d.ctx, deferFrame); s != reload {
			goto after
		}
		goto load
	}

memory: // the access at pc-1 must wait for the scheduler, or is a fault
	fr.pc = pc - 1
	if g.waiting {
		m.steps = steps
		return
	}
	s = m.throwFault(g, m.faultAddr)
	goto after

limit:
	fr.pc = pc - 1
	m.steps = steps
	if steps <= m.hardSteps && !m.cancelled() {
		if m.preempt(g) {
			return
		}
		goto load
	}
	m.limit(g, "limit of instructions reached")
	return

after:
	switch s {
	case reload, panicked:
		goto load
	case done:
		g.stage = 0
		goto load
	default: // yield, halt
		m.steps = steps
		return
	}
}

func fl(fp unsafe.Pointer, off int32) float64 { return math.Float64frombits(ld(fp, off)) }

var onePointer = &mem.PtrMap{Elem: 8, Offs: []uint32{0}}
