package machine

import (
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
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
	if g.inText {
		return false
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
		f    *Func
		fr   *frame
		fp   unsafe.Pointer
		code []instr
		pc   int32
		s    status
		in   *instr
	)
load:
	fr = g.top()
	f, fp, pc = fr.f, fr.fp, fr.pc
	code = f.code
	if int(pc) >= len(code) { // a deferred call recovered
		if len(fr.defers) > 0 {
			goto rundefers
		}
		if f.recoverPC < 0 {
			goto ret
		}
		pc = f.recoverPC
	}
	goto next
jump:
	if in.a <= pc && steps > m.maxSteps {
		goto limit
	}
	pc = in.a
next:
	for {
		in = &code[pc]
		pc++
		steps++
		switch in.op {
		case opNop:
		case opMov:
			st(fp, in.a, ld(fp, in.b))
		case opMov2:
			*(*[2]uint64)(unsafe.Add(fp, in.a)) = *(*[2]uint64)(unsafe.Add(fp, in.b))
		case opMov3:
			*(*[3]uint64)(unsafe.Add(fp, in.a)) = *(*[3]uint64)(unsafe.Add(fp, in.b))
		case opMovN, opFMov:
			copy(frameBytes(fp, in.a, in.k), frameBytes(fp, in.b, in.k))
		case opZero:
			clear(frameBytes(fp, in.a, in.k))

		case opJmp:
			goto jump
		case opJT:
			if ld(fp, in.b)&0xff != 0 {
				goto jump
			}
		case opJF:
			if ld(fp, in.b)&0xff == 0 {
				goto jump
			}
		case opJEq:
			if ld(fp, in.b) == ld(fp, in.c) {
				goto jump
			}
		case opJNe:
			if ld(fp, in.b) != ld(fp, in.c) {
				goto jump
			}
		case opJLtS:
			if int64(ld(fp, in.b)) < int64(ld(fp, in.c)) {
				goto jump
			}
		case opJLeS:
			if int64(ld(fp, in.b)) <= int64(ld(fp, in.c)) {
				goto jump
			}
		case opJLtU:
			if ld(fp, in.b) < ld(fp, in.c) {
				goto jump
			}
		case opJLeU:
			if ld(fp, in.b) <= ld(fp, in.c) {
				goto jump
			}
		case opJEqI:
			if ld(fp, in.b) == in.k {
				goto jump
			}
		case opJNeI:
			if ld(fp, in.b) != in.k {
				goto jump
			}
		case opJLtSI:
			if int64(ld(fp, in.b)) < int64(in.k) {
				goto jump
			}
		case opJLeSI:
			if int64(ld(fp, in.b)) <= int64(in.k) {
				goto jump
			}
		case opJGtSI:
			if int64(ld(fp, in.b)) > int64(in.k) {
				goto jump
			}
		case opJGeSI:
			if int64(ld(fp, in.b)) >= int64(in.k) {
				goto jump
			}

		case opAdd:
			st(fp, in.a, ld(fp, in.b)+ld(fp, in.c))
		case opSub:
			st(fp, in.a, ld(fp, in.b)-ld(fp, in.c))
		case opMul:
			st(fp, in.a, ld(fp, in.b)*ld(fp, in.c))
		case opDivS, opRemS:
			d := int64(ld(fp, in.c))
			if d == 0 {
				fr.pc = pc - 1
				s = m.throwRuntime(g, "integer divide by zero")
				goto after
			}
			if in.op == opDivS {
				st(fp, in.a, uint64(int64(ld(fp, in.b))/d))
			} else {
				st(fp, in.a, uint64(int64(ld(fp, in.b))%d))
			}
		case opDivU, opRemU:
			d := ld(fp, in.c)
			if d == 0 {
				fr.pc = pc - 1
				s = m.throwRuntime(g, "integer divide by zero")
				goto after
			}
			if in.op == opDivU {
				st(fp, in.a, ld(fp, in.b)/d)
			} else {
				st(fp, in.a, ld(fp, in.b)%d)
			}
		case opAnd:
			st(fp, in.a, ld(fp, in.b)&ld(fp, in.c))
		case opOr:
			st(fp, in.a, ld(fp, in.b)|ld(fp, in.c))
		case opXor:
			st(fp, in.a, ld(fp, in.b)^ld(fp, in.c))
		case opAndNot:
			st(fp, in.a, ld(fp, in.b)&^ld(fp, in.c))
		case opShl:
			st(fp, in.a, ld(fp, in.b)<<ld(fp, in.c))
		case opShrS:
			st(fp, in.a, uint64(int64(ld(fp, in.b))>>ld(fp, in.c)))
		case opShrU:
			st(fp, in.a, ld(fp, in.b)>>ld(fp, in.c))
		case opShlChk:
			if int64(ld(fp, in.b)) < 0 {
				fr.pc = pc - 1
				s = m.throwRuntime(g, "negative shift amount")
				goto after
			}
		case opAddI:
			st(fp, in.a, ld(fp, in.b)+in.k)
		case opMulI:
			st(fp, in.a, ld(fp, in.b)*in.k)
		case opAndI:
			st(fp, in.a, ld(fp, in.b)&in.k)
		case opShlI:
			st(fp, in.a, ld(fp, in.b)<<in.k)
		case opShrSI:
			st(fp, in.a, uint64(int64(ld(fp, in.b))>>in.k))
		case opShrUI:
			st(fp, in.a, ld(fp, in.b)>>in.k)
		case opExt8S:
			st(fp, in.a, uint64(int64(int8(ld(fp, in.b)))))
		case opExt16S:
			st(fp, in.a, uint64(int64(int16(ld(fp, in.b)))))
		case opExt32S:
			st(fp, in.a, uint64(int64(int32(ld(fp, in.b)))))
		case opExt8U:
			st(fp, in.a, uint64(uint8(ld(fp, in.b))))
		case opExt16U:
			st(fp, in.a, uint64(uint16(ld(fp, in.b))))
		case opExt32U:
			st(fp, in.a, uint64(uint32(ld(fp, in.b))))
		case opNeg:
			st(fp, in.a, -ld(fp, in.b))
		case opNot:
			st(fp, in.a, ^ld(fp, in.b))
		case opNotB:
			st(fp, in.a, ld(fp, in.b)&1^1)
		case opEq:
			st(fp, in.a, b2w(ld(fp, in.b) == ld(fp, in.c)))
		case opNe:
			st(fp, in.a, b2w(ld(fp, in.b) != ld(fp, in.c)))
		case opLtS:
			st(fp, in.a, b2w(int64(ld(fp, in.b)) < int64(ld(fp, in.c))))
		case opLeS:
			st(fp, in.a, b2w(int64(ld(fp, in.b)) <= int64(ld(fp, in.c))))
		case opLtU:
			st(fp, in.a, b2w(ld(fp, in.b) < ld(fp, in.c)))
		case opLeU:
			st(fp, in.a, b2w(ld(fp, in.b) <= ld(fp, in.c)))
		case opAddF:
			st(fp, in.a, math.Float64bits(fl(fp, in.b)+fl(fp, in.c)))
		case opSubF:
			st(fp, in.a, math.Float64bits(fl(fp, in.b)-fl(fp, in.c)))
		case opMulF:
			st(fp, in.a, math.Float64bits(fl(fp, in.b)*fl(fp, in.c)))
		case opDivF:
			st(fp, in.a, math.Float64bits(fl(fp, in.b)/fl(fp, in.c)))
		case opLtF:
			st(fp, in.a, b2w(fl(fp, in.b) < fl(fp, in.c)))
		case opLeF:
			st(fp, in.a, b2w(fl(fp, in.b) <= fl(fp, in.c)))
		case opEqF:
			st(fp, in.a, b2w(fl(fp, in.b) == fl(fp, in.c)))
		case opNeF:
			st(fp, in.a, b2w(fl(fp, in.b) != fl(fp, in.c)))

		case opLd8S:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(int64(*(*int8)(p))))
		case opLd16S:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, 2)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(int64(*(*int16)(p))))
		case opLd32S:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, 4)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(int64(*(*int32)(p))))
		case opLd8U:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(*(*uint8)(p)))
		case opLd16U:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, 2)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(*(*uint16)(p)))
		case opLd32U:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, 4)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(*(*uint32)(p)))
		case opLd64:
			addr := ld(fp, in.b) + in.k
			if o := mm.Object(addr); o != nil && o.Flags&(mem.Shared|mem.ReadOnly) != mem.Shared {
				if off := addr - o.Base; off+8 <= o.Size {
					st(fp, in.a, *(*uint64)(unsafe.Add(o.Data(), off)))
					continue
				}
			}
			p := m.read(g, fr, pc, addr, 8)
			if p == nil {
				goto memory
			}
			st(fp, in.a, *(*uint64)(p))
		case opLdN:
			p := m.read(g, fr, pc, ld(fp, in.b)+in.k, uint64(in.c))
			if p == nil {
				goto memory
			}
			copy(frameBytes(fp, in.a, uint64(in.c)), unsafe.Slice((*byte)(p), in.c))

		case opSt8:
			p := m.write(g, fr, pc, ld(fp, in.a)+in.k, 1, unsafe.Add(fp, in.b), nil)
			if p == nil {
				goto memory
			}
			*(*uint8)(p) = uint8(ld(fp, in.b))
		case opSt16:
			p := m.write(g, fr, pc, ld(fp, in.a)+in.k, 2, unsafe.Add(fp, in.b), nil)
			if p == nil {
				goto memory
			}
			*(*uint16)(p) = uint16(ld(fp, in.b))
		case opSt32:
			p := m.write(g, fr, pc, ld(fp, in.a)+in.k, 4, unsafe.Add(fp, in.b), nil)
			if p == nil {
				goto memory
			}
			*(*uint32)(p) = uint32(ld(fp, in.b))
		case opSt64:
			p := m.write(g, fr, pc, ld(fp, in.a)+in.k, 8, unsafe.Add(fp, in.b), nil)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = ld(fp, in.b)
		case opStP:
			p := m.write(g, fr, pc, ld(fp, in.a)+in.k, 8, unsafe.Add(fp, in.b), onePointer)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = ld(fp, in.b)
		case opStN:
			n := uint64(in.c)
			p := m.write(g, fr, pc, ld(fp, in.a)+in.k&0xffffffff, n, unsafe.Add(fp, in.b), m.ptrMaps[in.k>>32])
			if p == nil {
				goto memory
			}
			copy(unsafe.Slice((*byte)(p), n), frameBytes(fp, in.b, n))

		case opFLd8S:
			st(fp, in.a, uint64(int64(*(*int8)(unsafe.Add(fp, in.b)))))
		case opFLd16S:
			st(fp, in.a, uint64(int64(*(*int16)(unsafe.Add(fp, in.b)))))
		case opFLd32S:
			st(fp, in.a, uint64(int64(*(*int32)(unsafe.Add(fp, in.b)))))
		case opFLd8U:
			st(fp, in.a, uint64(*(*uint8)(unsafe.Add(fp, in.b))))
		case opFLd16U:
			st(fp, in.a, uint64(*(*uint16)(unsafe.Add(fp, in.b))))
		case opFLd32U:
			st(fp, in.a, uint64(*(*uint32)(unsafe.Add(fp, in.b))))
		case opFSt8:
			*(*uint8)(unsafe.Add(fp, in.a)) = uint8(ld(fp, in.b))
		case opFSt16:
			*(*uint16)(unsafe.Add(fp, in.a)) = uint16(ld(fp, in.b))
		case opFSt32:
			*(*uint32)(unsafe.Add(fp, in.a)) = uint32(ld(fp, in.b))

		case opIdx:
			i := ld(fp, in.c)
			if n := ld(fp, in.b+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			st(fp, in.a, ld(fp, in.b)+i*in.k)
		case opIdxArr:
			i, n, p := ld(fp, in.c), in.k>>32, ld(fp, in.b)
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
			st(fp, in.a, p+i*(in.k&0xffffffff))
		case opIdxStr:
			i := ld(fp, in.c)
			if n := ld(fp, in.b+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := mm.At(ld(fp, in.b)+i, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(*(*uint8)(p)))
		case opLdIdx8U:
			i := ld(fp, in.c)
			if n := ld(fp, in.b+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.read(g, fr, pc, ld(fp, in.b)+i, 1)
			if p == nil {
				goto memory
			}
			st(fp, in.a, uint64(*(*uint8)(p)))
		case opLdIdx64:
			i := ld(fp, in.c)
			if n := ld(fp, in.b+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.read(g, fr, pc, ld(fp, in.b)+i*8, 8)
			if p == nil {
				goto memory
			}
			st(fp, in.a, *(*uint64)(p))
		case opStIdx8:
			i := ld(fp, in.b)
			if n := ld(fp, in.a+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.write(g, fr, pc, ld(fp, in.a)+i, 1, unsafe.Add(fp, in.c), nil)
			if p == nil {
				goto memory
			}
			*(*uint8)(p) = uint8(ld(fp, in.c))
		case opStIdx64:
			i := ld(fp, in.b)
			if n := ld(fp, in.a+8); i >= n {
				fr.pc = pc - 1
				s = m.throwIndex(g, int64(i), int64(n))
				goto after
			}
			p := m.write(g, fr, pc, ld(fp, in.a)+i*8, 8, unsafe.Add(fp, in.c), nil)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = ld(fp, in.c)
		case opNew:
			l := m.layoutList[in.k]
			fr.pc = pc - 1
			p, s1 := m.alloc(g, l.Size, l.Ptrs)
			if s1 != done {
				s = s1
				goto after
			}
			st(fp, in.a, p)
		case opAddr:
			p := ld(fp, in.b)
			if p == 0 {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			st(fp, in.a, p+in.k)

		case opCall:
			if steps > m.maxSteps {
				goto limit
			}
			fr.pc = pc
			callee := f.funcs[in.k]
			if s = m.push(g, callee, unsafe.Add(fp, in.a), 0, callFrame); s != reload {
				goto after
			}
			goto load
		case opCallClosure:
			if steps > m.maxSteps {
				goto limit
			}
			fv := ld(fp, in.b)
			callee := m.closureFunc(fv)
			if callee == nil {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			fr.pc = pc
			if s = m.push(g, callee, unsafe.Add(fp, in.a), fv, callFrame); s != reload {
				goto after
			}
			goto load
		case opInvoke:
			itab := ld(fp, in.b)
			if itab == 0 {
				fr.pc = pc - 1
				s = m.throwNil(g)
				goto after
			}
			callee := m.itabFunc(itab, int(in.c))
			st(fp, in.a, ld(fp, in.b+8))
			fr.pc = pc
			if s = m.push(g, callee, unsafe.Add(fp, in.a), 0, callFrame); s != reload {
				goto after
			}
			goto load
		case opIntrinsic:
			fr.pc = pc - 1
			callee := f.funcs[in.k]
			g.cursor = 0
			g.secret = g.secret || !callee.quiet
			m.steps = steps
			s = callee.intrinsic(m, g, unsafe.Slice((*uint64)(unsafe.Add(fp, in.a)), (callee.params+callee.results)/8))
			steps = m.steps
			if s == done {
				g.stage = 0
				continue
			}
			goto after
		case opSelf:
			fr.pc = pc - 1
			g.cursor = 0
			g.secret = g.secret || !f.quiet
			s = f.intrinsic(m, g, unsafe.Slice((*uint64)(fp), (f.params+f.results)/8))
			if s == done {
				g.stage = 0
				continue
			}
			goto after
		case opRet:
			goto ret
		case opRunDefers:
			fr.pc = pc - 1
			if len(fr.defers) > 0 {
				goto rundefers
			}
		case opClosure:
			fr.pc = pc - 1
			g.cursor = 0
			s = f.closures[in.k](m, g, fp, in)
			if s == done {
				g.stage = 0
				continue
			}
			goto after
		case opCtx1:
			st(fp, in.a, *(*uint64)(m.must(ld(fp, f.ctx)+in.k, 8)))
		case opCtx:
			copy(frameBytes(fp, in.a, in.k), unsafe.Slice((*byte)(m.must(ld(fp, f.ctx)+uint64(in.b), in.k)), in.k))
		case opFlow:
			f.flows[in.k](m, g, fp)
		case opMissing:
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
	if steps < m.hardSteps {
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
