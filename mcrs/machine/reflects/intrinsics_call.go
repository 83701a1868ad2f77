package reflects

import (
	"fmt"
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/interp"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines calls through reflect: reflect.Value.Call, and the stubs of MakeFunc and of method values.
// reflect lays arguments and results out in memory by the rules of ABI0 (overlay/abi.go.txt sees to it); the
// functions here move them between that memory and the frames of the machine.

// An abi0 is the place of each parameter and result of a function in a frame and in ABI0 memory.
type abi0 struct {
	in, out []abiSlot
	size    uint64
}

type abiSlot struct {
	l   *layout.Layout
	reg int32 // in the frame, from the first parameter
	off uint64
}

func layOut(m *vm.Machine, in, out []types.Type) abi0 {
	var a abi0
	reg := int32(0)
	add := func(to *[]abiSlot, ts []types.Type) {
		for _, t := range ts {
			l := m.Layouts.Of(t)
			a.size = (a.size + l.Align - 1) &^ (l.Align - 1)
			*to = append(*to, abiSlot{l, reg, a.size})
			a.size += l.Size
			reg += int32(l.Words()) * 8
		}
		a.size = (a.size + 7) &^ 7
	}
	add(&a.in, in)
	add(&a.out, out)
	return a
}

func tupleTypes(t *types.Tuple) []types.Type {
	var ts []types.Type
	for v := range t.Variables() {
		ts = append(ts, v.Type())
	}
	return ts
}

// abiOf returns the places for a function that reflect calls.
func abiOf(m *vm.Machine, f *vm.Func) abi0 {
	if sig, ok := m.Stubs[f]; ok {
		return layOut(m, tupleTypes(sig.Params()), tupleTypes(sig.Results()))
	}
	if f.SSA == nil { // a function of the machine's: words
		words := func(n int32) []types.Type {
			ts := make([]types.Type, n/8)
			for i := range ts {
				ts[i] = types.Typ[types.UnsafePointer]
			}
			return ts
		}
		return layOut(m, words(f.Params), words(f.Results))
	}
	sig := f.SSA.Signature
	var in []types.Type
	for _, p := range f.SSA.Params {
		in = append(in, p.Type())
	}
	if f.SSA.Params == nil {
		if r := sig.Recv(); r != nil {
			in = append(in, r.Type())
		}
		in = append(in, tupleTypes(sig.Params())...)
	}
	return layOut(m, in, tupleTypes(sig.Results()))
}

// call(stackArgsType *abi.Type, f, stackArgs unsafe.Pointer, stackArgsSize, stackRetOffset, frameSize uint32, regArgs
// *abi.RegArgs)
func reflectCall(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	callee := m.ClosureFunc(w[1])
	if callee == nil {
		return goroutine.ThrowNil(m, g)
	}
	g.Top().PC++ // this call is done when the frame pushed here returns
	return m.Push(g, caller(m, callee), unsafe.Pointer(&w[0]), 0, vm.CallFrame)
}

// caller returns the function that stands for reflect.call in the call of callee.
func caller(m *vm.Machine, callee *vm.Func) *vm.Func {
	if f, ok := m.Callers[callee]; ok {
		return f
	}
	if !callee.Compiled {
		interp.Compile(m, callee)
	}
	a := abiOf(m, callee)
	f := m.Native("reflect.call", fmt.Sprint(callee.Text), 7*8, 0, nil)
	f.Wrapper = true
	f.Out = callee.Params + callee.Results + 8
	f.Instrs = []code.Instr{{Op: code.OpClosure, K: 0}, {Op: code.OpClosure, K: 1}, {Op: code.OpRet}}
	f.Sites = append(f.Sites[:0], 0, 0, 0)
	f.Closures = []vm.ClosureOp{
		func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, _ *code.Instr) vm.Status {
			at := unsafe.Add(fp, f.Frame)
			for _, c := range a.in {
				p, s := place(m, g, vm.Ld(fp, 16)+c.off, c.l)
				if s != vm.Done {
					return s
				}
				if c.l.Size > 0 {
					vm.ToRegister(c.l.Class, unsafe.Add(at, c.reg), p, c.l.Size)
				}
			}
			g.Top().PC = 1
			return m.Push(g, callee, at, vm.Ld(fp, 8), vm.CallFrame)
		},
		func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, _ *code.Instr) vm.Status {
			at := unsafe.Add(fp, f.Frame)
			for _, c := range a.out {
				if s := access.Store(m, g, vm.Ld(fp, 16)+c.off, unsafe.Slice((*byte)(unsafe.Add(at, c.reg)), c.l.Size), c.l.Ptrs); s != vm.Done {
					return s
				}
			}
			return vm.Done
		},
	}
	if m.Callers == nil {
		m.Callers = map[*vm.Func]*vm.Func{}
	}
	m.Callers[callee] = f
	return f
}

// heddleStub(t *abi.Type, method bool) uintptr is the code of a function that MakeFunc or Value.Method makes: it
// calls reflect.callReflect, or callMethod, with its closure and its arguments in memory.
func reflectStub(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	t := m.Types.TypeAt(w[0])
	key := vm.StubKey{Type: t, Method: w[1]&0xff != 0}
	if f, ok := m.StubOf[key]; ok {
		w[2] = f.Text
		return vm.Done
	}
	name, to := "reflect.makeFuncStub", "reflect.callReflect"
	if key.Method {
		name, to = "reflect.methodValueCall", "reflect.callMethod"
	}
	fn := m.Overlay(to)
	if fn == nil {
		return m.Lacks(g, "function "+name)
	}
	callee := m.Func(fn)
	callee.Wrapper = true // recover works in what a deferred one calls
	sig := t.Underlying().(*types.Signature)
	a := layOut(m, tupleTypes(sig.Params()), tupleTypes(sig.Results()))
	f := m.Native(name, m.Types.Link(t), int32(m.Layouts.Of(sig.Params()).Size), int32(m.Layouts.Of(sig.Results()).Size), nil)
	mem := f.Ctx + 8 // a word of the frame
	f.Frame = mem + 8
	f.Out = 4 * 8
	f.Wrapper = true
	f.Instrs = []code.Instr{{Op: code.OpClosure, K: 0}, {Op: code.OpClosure, K: 1}, {Op: code.OpRet}}
	f.Sites = append(f.Sites[:0], 0, 0, 0)
	f.Closures = []vm.ClosureOp{
		func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, _ *code.Instr) vm.Status {
			p, s := m.Alloc(g, a.size+16, everyWord) // the frame, then retValid and an empty abi.RegArgs
			if s != vm.Done {
				return s
			}
			b := m.Mem.Object(p).Data()
			for _, c := range a.in {
				copy(unsafe.Slice((*byte)(unsafe.Add(b, c.off)), c.l.Size), unsafe.Slice((*byte)(unsafe.Add(fp, c.reg)), c.l.Size))
			}
			vm.St(fp, mem, p)
			at := unsafe.Add(fp, f.Frame)
			*(*[4]uint64)(at) = [4]uint64{vm.Ld(fp, f.Ctx), p, p + a.size, p + a.size + 8}
			g.Top().PC = 1
			return m.Push(g, callee, at, 0, vm.CallFrame)
		},
		func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, _ *code.Instr) vm.Status {
			for _, c := range a.out {
				if p := m.Mem.At(vm.Ld(fp, mem)+c.off, c.l.Size); p != nil && c.l.Size > 0 {
					vm.ToRegister(c.l.Class, unsafe.Add(fp, c.reg), p, c.l.Size)
				}
			}
			return vm.Done
		},
	}
	if m.StubOf == nil {
		m.StubOf, m.Stubs = map[vm.StubKey]*vm.Func{}, map[*vm.Func]*types.Signature{}
	}
	m.StubOf[key], m.Stubs[f] = f, sig
	w[2] = f.Text
	return vm.Done
}
