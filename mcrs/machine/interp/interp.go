// Package interp runs the instructions of functions.
//
//   - The loop over the instructions of register code: interp.go
//   - Instructions without a number of their own: rare.go and its neighbours, by kind; builtin functions: builtins.go
//   - The functions that descriptors of types name: typefuncs.go
//
// A new instruction is a constant of package code, and a case of the loop.
package interp

import (
	"math"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/clock"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/rtype"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the interpreter's loop: one long switch over the instructions of register code.

// Run interprets g until its next visible operation, its end, or the end of the execution.
func Run(m *vm.Machine, g *vm.G) {
	if g.Preempted {
		g.Preempted, g.Permit, g.Waiting = false, false, false
	}
	if g.Unbegun {
		if !m.Announce(g, event.Op{Kind: event.Yield}) {
			return
		}
		g.Unbegun, g.Stage, g.Cursor = false, 0, 0
	}
	for !interpret(m, g) {
	}
}

// sliceTime is how far the clock goes on in a time slice, in nanoseconds.
const sliceTime = 1_000_000

// preempt ends g's time slice. It returns false if g has to go on.
func preempt(m *vm.Machine, g *vm.G) bool {
	m.MaxSteps = min(m.HardSteps, m.Steps+vm.SliceSteps)
	if g.InText || m.Options.Cancelled != nil && m.Mode != vm.Running {
		return false // slices are there to look whether the execution is cancelled
	}
	if !m.Looking {
		m.Now += sliceTime
		if len(m.Timers) > 0 {
			clock.CollectDue(m, &m.Timeline, nil)
		}
	}
	g.Op = event.Op{Kind: event.Yield, Site: g.Site()}
	g.Waiting, g.Preempted = true, true
	vm.Restood(m, g)
	return true
}

// interpret is run, but stops, with ended false, after a fault met deep inside an operation has become g's panic.
func interpret(m *vm.Machine, g *vm.G) (ended bool) {
	defer func() {
		if ended {
			return
		}
		e := recover()
		bad, ok := e.(rtype.BadAddr)
		if !ok {
			panic(e)
		}
		g.Cursor = 0
		switch goroutine.ThrowFault(m, g, bad.Addr) {
		case vm.Yield, vm.Halt:
			ended = true
		}
	}()
	walk(m, g)
	return true
}

// walk is the loop.
func walk(m *vm.Machine, g *vm.G) {
	mm := m.Mem
	steps := m.Steps
	var (
		f  *vm.Func
		fr *vm.Frame
		fp unsafe.Pointer
		at []code.Instr // of f
		pc int32
		s  vm.Status
		in *code.Instr
	)
load:
	fr = g.Top()
	f, fp, pc = fr.Func, fr.FP, fr.PC
	at = f.Instrs
	if int(pc) >= len(at) { // a deferred call recovered
		if len(fr.Defers) > 0 {
			goto rundefers
		}
		if f.RecoverPC < 0 {
			goto ret
		}
		pc = f.RecoverPC
	}
	goto next
jump:
	if in.A <= pc && steps > m.MaxSteps {
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
			vm.St(fp, in.A, vm.Ld(fp, in.B))
		case code.OpMov2:
			*(*[2]uint64)(unsafe.Add(fp, in.A)) = *(*[2]uint64)(unsafe.Add(fp, in.B))
		case code.OpMov3:
			*(*[3]uint64)(unsafe.Add(fp, in.A)) = *(*[3]uint64)(unsafe.Add(fp, in.B))
		case code.OpMovN, code.OpFMov:
			copy(vm.FrameBytes(fp, in.A, in.K), vm.FrameBytes(fp, in.B, in.K))
		case code.OpZero:
			clear(vm.FrameBytes(fp, in.A, in.K))

		case code.OpJmp:
			goto jump
		case code.OpJT:
			if vm.Ld(fp, in.B)&0xff != 0 {
				goto jump
			}
		case code.OpJF:
			if vm.Ld(fp, in.B)&0xff == 0 {
				goto jump
			}
		case code.OpJEq:
			if vm.Ld(fp, in.B) == vm.Ld(fp, in.C) {
				goto jump
			}
		case code.OpJNe:
			if vm.Ld(fp, in.B) != vm.Ld(fp, in.C) {
				goto jump
			}
		case code.OpJLtS:
			if int64(vm.Ld(fp, in.B)) < int64(vm.Ld(fp, in.C)) {
				goto jump
			}
		case code.OpJLeS:
			if int64(vm.Ld(fp, in.B)) <= int64(vm.Ld(fp, in.C)) {
				goto jump
			}
		case code.OpJLtU:
			if vm.Ld(fp, in.B) < vm.Ld(fp, in.C) {
				goto jump
			}
		case code.OpJLeU:
			if vm.Ld(fp, in.B) <= vm.Ld(fp, in.C) {
				goto jump
			}
		case code.OpJEqI:
			if vm.Ld(fp, in.B) == in.K {
				goto jump
			}
		case code.OpJNeI:
			if vm.Ld(fp, in.B) != in.K {
				goto jump
			}
		case code.OpJLtSI:
			if int64(vm.Ld(fp, in.B)) < int64(in.K) {
				goto jump
			}
		case code.OpJLeSI:
			if int64(vm.Ld(fp, in.B)) <= int64(in.K) {
				goto jump
			}
		case code.OpJGtSI:
			if int64(vm.Ld(fp, in.B)) > int64(in.K) {
				goto jump
			}
		case code.OpJGeSI:
			if int64(vm.Ld(fp, in.B)) >= int64(in.K) {
				goto jump
			}

		case code.OpAdd:
			vm.St(fp, in.A, vm.Ld(fp, in.B)+vm.Ld(fp, in.C))
		case code.OpSub:
			vm.St(fp, in.A, vm.Ld(fp, in.B)-vm.Ld(fp, in.C))
		case code.OpMul:
			vm.St(fp, in.A, vm.Ld(fp, in.B)*vm.Ld(fp, in.C))
		case code.OpDivS, code.OpRemS:
			d := int64(vm.Ld(fp, in.C))
			if d == 0 {
				fr.PC = pc - 1
				s = goroutine.ThrowRuntime(m, g, "integer divide by zero")
				goto after
			}
			if in.Op == code.OpDivS {
				vm.St(fp, in.A, uint64(int64(vm.Ld(fp, in.B))/d))
			} else {
				vm.St(fp, in.A, uint64(int64(vm.Ld(fp, in.B))%d))
			}
		case code.OpDivU, code.OpRemU:
			d := vm.Ld(fp, in.C)
			if d == 0 {
				fr.PC = pc - 1
				s = goroutine.ThrowRuntime(m, g, "integer divide by zero")
				goto after
			}
			if in.Op == code.OpDivU {
				vm.St(fp, in.A, vm.Ld(fp, in.B)/d)
			} else {
				vm.St(fp, in.A, vm.Ld(fp, in.B)%d)
			}
		case code.OpAnd:
			vm.St(fp, in.A, vm.Ld(fp, in.B)&vm.Ld(fp, in.C))
		case code.OpOr:
			vm.St(fp, in.A, vm.Ld(fp, in.B)|vm.Ld(fp, in.C))
		case code.OpXor:
			vm.St(fp, in.A, vm.Ld(fp, in.B)^vm.Ld(fp, in.C))
		case code.OpAndNot:
			vm.St(fp, in.A, vm.Ld(fp, in.B)&^vm.Ld(fp, in.C))
		case code.OpShl:
			vm.St(fp, in.A, vm.Ld(fp, in.B)<<vm.Ld(fp, in.C))
		case code.OpShrS:
			vm.St(fp, in.A, uint64(int64(vm.Ld(fp, in.B))>>vm.Ld(fp, in.C)))
		case code.OpShrU:
			vm.St(fp, in.A, vm.Ld(fp, in.B)>>vm.Ld(fp, in.C))
		case code.OpShlChk:
			if int64(vm.Ld(fp, in.B)) < 0 {
				fr.PC = pc - 1
				s = goroutine.ThrowRuntime(m, g, "negative shift amount")
				goto after
			}
		case code.OpAddI:
			vm.St(fp, in.A, vm.Ld(fp, in.B)+in.K)
		case code.OpMulI:
			vm.St(fp, in.A, vm.Ld(fp, in.B)*in.K)
		case code.OpAndI:
			vm.St(fp, in.A, vm.Ld(fp, in.B)&in.K)
		case code.OpShlI:
			vm.St(fp, in.A, vm.Ld(fp, in.B)<<in.K)
		case code.OpShrSI:
			vm.St(fp, in.A, uint64(int64(vm.Ld(fp, in.B))>>in.K))
		case code.OpShrUI:
			vm.St(fp, in.A, vm.Ld(fp, in.B)>>in.K)
		case code.OpExt8S:
			vm.St(fp, in.A, uint64(int64(int8(vm.Ld(fp, in.B)))))
		case code.OpExt16S:
			vm.St(fp, in.A, uint64(int64(int16(vm.Ld(fp, in.B)))))
		case code.OpExt32S:
			vm.St(fp, in.A, uint64(int64(int32(vm.Ld(fp, in.B)))))
		case code.OpExt8U:
			vm.St(fp, in.A, uint64(uint8(vm.Ld(fp, in.B))))
		case code.OpExt16U:
			vm.St(fp, in.A, uint64(uint16(vm.Ld(fp, in.B))))
		case code.OpExt32U:
			vm.St(fp, in.A, uint64(uint32(vm.Ld(fp, in.B))))
		case code.OpNeg:
			vm.St(fp, in.A, -vm.Ld(fp, in.B))
		case code.OpNot:
			vm.St(fp, in.A, ^vm.Ld(fp, in.B))
		case code.OpNotB:
			vm.St(fp, in.A, vm.Ld(fp, in.B)&1^1)
		case code.OpEq:
			vm.St(fp, in.A, vm.Word(vm.Ld(fp, in.B) == vm.Ld(fp, in.C)))
		case code.OpNe:
			vm.St(fp, in.A, vm.Word(vm.Ld(fp, in.B) != vm.Ld(fp, in.C)))
		case code.OpLtS:
			vm.St(fp, in.A, vm.Word(int64(vm.Ld(fp, in.B)) < int64(vm.Ld(fp, in.C))))
		case code.OpLeS:
			vm.St(fp, in.A, vm.Word(int64(vm.Ld(fp, in.B)) <= int64(vm.Ld(fp, in.C))))
		case code.OpLtU:
			vm.St(fp, in.A, vm.Word(vm.Ld(fp, in.B) < vm.Ld(fp, in.C)))
		case code.OpLeU:
			vm.St(fp, in.A, vm.Word(vm.Ld(fp, in.B) <= vm.Ld(fp, in.C)))
		case code.OpAddF:
			vm.St(fp, in.A, math.Float64bits(fl(fp, in.B)+fl(fp, in.C)))
		case code.OpSubF:
			vm.St(fp, in.A, math.Float64bits(fl(fp, in.B)-fl(fp, in.C)))
		case code.OpMulF:
			vm.St(fp, in.A, math.Float64bits(fl(fp, in.B)*fl(fp, in.C)))
		case code.OpDivF:
			vm.St(fp, in.A, math.Float64bits(fl(fp, in.B)/fl(fp, in.C)))
		case code.OpLtF:
			vm.St(fp, in.A, vm.Word(fl(fp, in.B) < fl(fp, in.C)))
		case code.OpLeF:
			vm.St(fp, in.A, vm.Word(fl(fp, in.B) <= fl(fp, in.C)))
		case code.OpEqF:
			vm.St(fp, in.A, vm.Word(fl(fp, in.B) == fl(fp, in.C)))
		case code.OpNeF:
			vm.St(fp, in.A, vm.Word(fl(fp, in.B) != fl(fp, in.C)))

		case code.OpLd8S:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, 1)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(int64(*(*int8)(p))))
		case code.OpLd16S:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, 2)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(int64(*(*int16)(p))))
		case code.OpLd32S:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, 4)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(int64(*(*int32)(p))))
		case code.OpLd8U:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, 1)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(*(*uint8)(p)))
		case code.OpLd16U:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, 2)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(*(*uint16)(p)))
		case code.OpLd32U:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, 4)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(*(*uint32)(p)))
		case code.OpLd64:
			addr := vm.Ld(fp, in.B) + in.K
			if o := mm.Object(addr); o != nil && o.Flags&(mem.Shared|mem.ReadOnly) != mem.Shared {
				if off := addr - o.Base; off+8 <= o.Size {
					vm.St(fp, in.A, *(*uint64)(unsafe.Add(o.Data(), off)))
					continue
				}
			}
			p := access.Read(m, g, fr, pc, addr, 8)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, *(*uint64)(p))
		case code.OpLdN:
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+in.K, uint64(in.C))
			if p == nil {
				goto memory
			}
			copy(vm.FrameBytes(fp, in.A, uint64(in.C)), unsafe.Slice((*byte)(p), in.C))

		case code.OpSt8:
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+in.K, 1, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint8)(p) = uint8(vm.Ld(fp, in.B))
		case code.OpSt16:
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+in.K, 2, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint16)(p) = uint16(vm.Ld(fp, in.B))
		case code.OpSt32:
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+in.K, 4, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint32)(p) = uint32(vm.Ld(fp, in.B))
		case code.OpSt64:
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+in.K, 8, unsafe.Add(fp, in.B), nil)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = vm.Ld(fp, in.B)
		case code.OpStP:
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+in.K, 8, unsafe.Add(fp, in.B), onePointer)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = vm.Ld(fp, in.B)
		case code.OpStN:
			n := uint64(in.C)
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+in.K&0xffffffff, n, unsafe.Add(fp, in.B), m.PtrMaps[in.K>>32])
			if p == nil {
				goto memory
			}
			copy(unsafe.Slice((*byte)(p), n), vm.FrameBytes(fp, in.B, n))

		case code.OpFLd8S:
			vm.St(fp, in.A, uint64(int64(*(*int8)(unsafe.Add(fp, in.B)))))
		case code.OpFLd16S:
			vm.St(fp, in.A, uint64(int64(*(*int16)(unsafe.Add(fp, in.B)))))
		case code.OpFLd32S:
			vm.St(fp, in.A, uint64(int64(*(*int32)(unsafe.Add(fp, in.B)))))
		case code.OpFLd8U:
			vm.St(fp, in.A, uint64(*(*uint8)(unsafe.Add(fp, in.B))))
		case code.OpFLd16U:
			vm.St(fp, in.A, uint64(*(*uint16)(unsafe.Add(fp, in.B))))
		case code.OpFLd32U:
			vm.St(fp, in.A, uint64(*(*uint32)(unsafe.Add(fp, in.B))))
		case code.OpFSt8:
			*(*uint8)(unsafe.Add(fp, in.A)) = uint8(vm.Ld(fp, in.B))
		case code.OpFSt16:
			*(*uint16)(unsafe.Add(fp, in.A)) = uint16(vm.Ld(fp, in.B))
		case code.OpFSt32:
			*(*uint32)(unsafe.Add(fp, in.A)) = uint32(vm.Ld(fp, in.B))

		case code.OpIdx:
			i := vm.Ld(fp, in.C)
			if n := vm.Ld(fp, in.B+8); i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			vm.St(fp, in.A, vm.Ld(fp, in.B)+i*in.K)
		case code.OpIdxArr:
			i, n, p := vm.Ld(fp, in.C), in.K>>32, vm.Ld(fp, in.B)
			if p == 0 {
				fr.PC = pc - 1
				s = goroutine.ThrowNil(m, g)
				goto after
			}
			if i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			vm.St(fp, in.A, p+i*(in.K&0xffffffff))
		case code.OpIdxStr:
			i := vm.Ld(fp, in.C)
			if n := vm.Ld(fp, in.B+8); i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			p := mm.At(vm.Ld(fp, in.B)+i, 1)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(*(*uint8)(p)))
		case code.OpLdIdx8U:
			i := vm.Ld(fp, in.C)
			if n := vm.Ld(fp, in.B+8); i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+i, 1)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, uint64(*(*uint8)(p)))
		case code.OpLdIdx64:
			i := vm.Ld(fp, in.C)
			if n := vm.Ld(fp, in.B+8); i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			p := access.Read(m, g, fr, pc, vm.Ld(fp, in.B)+i*8, 8)
			if p == nil {
				goto memory
			}
			vm.St(fp, in.A, *(*uint64)(p))
		case code.OpStIdx8:
			i := vm.Ld(fp, in.B)
			if n := vm.Ld(fp, in.A+8); i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+i, 1, unsafe.Add(fp, in.C), nil)
			if p == nil {
				goto memory
			}
			*(*uint8)(p) = uint8(vm.Ld(fp, in.C))
		case code.OpStIdx64:
			i := vm.Ld(fp, in.B)
			if n := vm.Ld(fp, in.A+8); i >= n {
				fr.PC = pc - 1
				s = throwIndex(m, g, int64(i), int64(n))
				goto after
			}
			p := access.Write(m, g, fr, pc, vm.Ld(fp, in.A)+i*8, 8, unsafe.Add(fp, in.C), nil)
			if p == nil {
				goto memory
			}
			*(*uint64)(p) = vm.Ld(fp, in.C)
		case code.OpNew:
			l := m.LayoutList[in.K]
			fr.PC = pc - 1
			p, s1 := m.Alloc(g, l.Size, l.Ptrs)
			if s1 != vm.Done {
				s = s1
				goto after
			}
			vm.St(fp, in.A, p)
		case code.OpAddr:
			p := vm.Ld(fp, in.B)
			if p == 0 {
				fr.PC = pc - 1
				s = goroutine.ThrowNil(m, g)
				goto after
			}
			vm.St(fp, in.A, p+in.K)

		case code.OpCall:
			if steps > m.MaxSteps {
				goto limit
			}
			fr.PC = pc
			callee := f.Funcs[in.K]
			if s = m.Push(g, callee, unsafe.Add(fp, in.A), 0, vm.CallFrame); s != vm.Reload {
				goto after
			}
			goto load
		case code.OpCallClosure:
			if steps > m.MaxSteps {
				goto limit
			}
			fv := vm.Ld(fp, in.B)
			callee := m.ClosureFunc(fv)
			if callee == nil {
				fr.PC = pc - 1
				s = goroutine.ThrowNil(m, g)
				goto after
			}
			fr.PC = pc
			if s = m.Push(g, callee, unsafe.Add(fp, in.A), fv, vm.CallFrame); s != vm.Reload {
				goto after
			}
			goto load
		case code.OpInvoke:
			itab := vm.Ld(fp, in.B)
			if itab == 0 {
				fr.PC = pc - 1
				s = goroutine.ThrowNil(m, g)
				goto after
			}
			callee := m.ItabFunc(itab, int(in.C))
			vm.St(fp, in.A, vm.Ld(fp, in.B+8))
			fr.PC = pc
			if s = m.Push(g, callee, unsafe.Add(fp, in.A), 0, vm.CallFrame); s != vm.Reload {
				goto after
			}
			goto load
		case code.OpIntrinsic:
			fr.PC = pc - 1
			callee := f.Funcs[in.K]
			g.Cursor = 0
			g.Secret = g.Secret || !callee.Quiet
			m.Steps = steps
			s = callee.Intrinsic(m, g, unsafe.Slice((*uint64)(unsafe.Add(fp, in.A)), (callee.Params+callee.Results)/8))
			steps = m.Steps
			if s == vm.Done {
				g.Stage = 0
				continue
			}
			goto after
		case code.OpSelf:
			fr.PC = pc - 1
			g.Cursor = 0
			g.Secret = g.Secret || !f.Quiet
			s = f.Intrinsic(m, g, unsafe.Slice((*uint64)(fp), (f.Params+f.Results)/8))
			if s == vm.Done {
				g.Stage = 0
				continue
			}
			goto after
		case code.OpRet:
			goto ret
		case code.OpRunDefers:
			fr.PC = pc - 1
			if len(fr.Defers) > 0 {
				goto rundefers
			}
		case code.OpClosure:
			fr.PC = pc - 1
			g.Cursor = 0
			s = f.Closures[in.K](m, g, fp, in)
			if s == vm.Done {
				g.Stage = 0
				continue
			}
			goto after
		case code.OpPure:
			f.Pure[in.K](fp, in)
		case code.OpCtx1:
			vm.St(fp, in.A, *(*uint64)(m.Must(vm.Ld(fp, f.Ctx)+in.K, 8)))
		case code.OpCtx:
			copy(vm.FrameBytes(fp, in.A, in.K), unsafe.Slice((*byte)(m.Must(vm.Ld(fp, f.Ctx)+uint64(in.B), in.K)), in.K))
		case code.OpFlow:
			m.Flow(g, f.Flows[in.K], fp)
		case code.OpMissing:
			m.Steps = steps
			m.Unsupported(g, f)
			return
		default:
			panic("machine: unknown instruction")
		}
	}

ret:
	{
		kind := fr.Kind
		g.Pop()
		if kind == vm.CallFrame || kind == vm.DeferFrame {
			goto load
		}
		if kind == vm.TextFrame {
			m.Steps = steps
			if g.InText {
				goroutine.GotText(m, g, f, fp)
				return
			}
			s = goroutine.Printed(m, g, f, fp)
			goto after
		}
		s = goroutine.Returned(m, g, kind)
		goto after
	}

rundefers:
	{
		n := len(fr.Defers) - 1
		d := fr.Defers[n]
		fr.Defers = fr.Defers[:n]
		if d.Func == nil {
			s = goroutine.ThrowNil(m, g)
			goto after
		}
		if s = goroutine.PushDeferred(m, g, &d, vm.DeferFrame); s != vm.Reload {
			goto after
		}
		goto load
	}

memory: // the access at pc-1 must wait for the scheduler, or is a fault
	fr.PC = pc - 1
	if g.Waiting {
		m.Steps = steps
		return
	}
	s = goroutine.ThrowFault(m, g, m.FaultAddr)
	goto after

limit:
	fr.PC = pc - 1
	m.Steps = steps
	if steps <= m.HardSteps && !m.Cancelled() {
		if preempt(m, g) {
			return
		}
		goto load
	}
	m.Limit(g, "limit of instructions reached")
	return

after:
	switch s {
	case vm.Reload, vm.Panicked:
		goto load
	case vm.Done:
		g.Stage = 0
		goto load
	default: // yield, halt
		m.Steps = steps
		return
	}
}

func fl(fp unsafe.Pointer, off int32) float64 { return math.Float64frombits(vm.Ld(fp, off)) }

var onePointer = &mem.PtrMap{Elem: 8, Offs: []uint32{0}}
