package machine

import (
	"go/types"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
)

// This file defines calls through reflect: reflect.Value.Call, and the stubs of MakeFunc and of method values. reflect lays
// arguments and results out in memory by the rules of ABI0 (overlay/abi.go.txt sees to it); the functions here move them
// between that memory and the frames of the machine.

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

func (m *image) abi0(in, out []types.Type) abi0 {
	var a abi0
	reg := int32(0)
	add := func(to *[]abiSlot, ts []types.Type) {
		for _, t := range ts {
			l := m.layouts.Of(t)
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
func (m *image) abiOf(f *Func) abi0 {
	if sig, ok := m.stubs[f]; ok {
		return m.abi0(tupleTypes(sig.Params()), tupleTypes(sig.Results()))
	}
	if f.ssa == nil { // a function of the machine's: words
		words := func(n int32) []types.Type {
			ts := make([]types.Type, n/8)
			for i := range ts {
				ts[i] = types.Typ[types.UnsafePointer]
			}
			return ts
		}
		return m.abi0(words(f.Params), words(f.Results))
	}
	sig := f.ssa.Signature
	var in []types.Type
	for _, p := range f.ssa.Params {
		in = append(in, p.Type())
	}
	if f.ssa.Params == nil {
		if r := sig.Recv(); r != nil {
			in = append(in, r.Type())
		}
		in = append(in, tupleTypes(sig.Params())...)
	}
	return m.abi0(in, tupleTypes(sig.Results()))
}

// call(stackArgsType *abi.Type, f, stackArgs unsafe.Pointer, stackArgsSize, stackRetOffset, frameSize uint32, regArgs *abi.RegArgs)
func reflectCall(m *Machine, g *G, w []uint64) status {
	callee := m.closureFunc(w[1])
	if callee == nil {
		return m.throwNil(g)
	}
	g.top().pc++ // this call is done when the frame pushed here returns
	return m.push(g, m.caller(callee), unsafe.Pointer(&w[0]), 0, callFrame)
}

// caller returns the function that stands for reflect.call in the call of callee.
func (m *Machine) caller(callee *Func) *Func {
	if f, ok := m.callers[callee]; ok {
		return f
	}
	if !callee.compiled {
		m.compile(callee)
	}
	a := m.abiOf(callee)
	f := m.native("reflect.call", 7*8, 0, nil)
	f.wrapper = true
	f.Out = callee.Params + callee.Results + 8
	f.Instrs = []code.Instr{{Op: code.OpClosure, K: 0}, {Op: code.OpClosure, K: 1}, {Op: code.OpRet}}
	f.Sites = append(f.Sites[:0], 0, 0, 0)
	f.closures = []closureOp{
		func(m *Machine, g *G, fp unsafe.Pointer, _ *code.Instr) status {
			at := unsafe.Add(fp, f.Frame)
			for _, c := range a.in {
				p, s := m.place(g, ld(fp, 16)+c.off, c.l)
				if s != done {
					return s
				}
				if c.l.Size > 0 {
					m.toRegister(c.l.Class, unsafe.Add(at, c.reg), p, c.l.Size)
				}
			}
			g.top().pc = 1
			return m.push(g, callee, at, ld(fp, 8), callFrame)
		},
		func(m *Machine, g *G, fp unsafe.Pointer, _ *code.Instr) status {
			at := unsafe.Add(fp, f.Frame)
			for _, c := range a.out {
				if s := m.store(g, ld(fp, 16)+c.off, unsafe.Slice((*byte)(unsafe.Add(at, c.reg)), c.l.Size), c.l.Ptrs); s != done {
					return s
				}
			}
			return done
		},
	}
	if m.callers == nil {
		m.callers = map[*Func]*Func{}
	}
	m.callers[callee] = f
	return f
}

type stubKey struct {
	sig    types.Type
	method bool
}

// heddleStub(t *abi.Type, method bool) uintptr is the code of a function that MakeFunc or Value.Method makes: it
// calls reflect.callReflect, or callMethod, with its closure and its arguments in memory.
func reflectStub(m *Machine, g *G, w []uint64) status {
	t := m.types.TypeAt(w[0])
	key := stubKey{t, w[1]&0xff != 0}
	if f, ok := m.stubOf[key]; ok {
		w[2] = m.text(f)
		return done
	}
	name, to := "reflect.makeFuncStub", "reflect.callReflect"
	if key.method {
		name, to = "reflect.methodValueCall", "reflect.callMethod"
	}
	fn := m.overlay(to)
	if fn == nil {
		return m.lacks(g, "function "+name)
	}
	callee := m.Func(fn)
	callee.wrapper = true // recover works in what a deferred one calls
	sig := t.Underlying().(*types.Signature)
	a := m.abi0(tupleTypes(sig.Params()), tupleTypes(sig.Results()))
	f := m.native(name, int32(m.layouts.Of(sig.Params()).Size), int32(m.layouts.Of(sig.Results()).Size), nil)
	mem := f.Ctx + 8 // a word of the frame
	f.Frame = mem + 8
	f.Out = 4 * 8
	f.wrapper = true
	f.Instrs = []code.Instr{{Op: code.OpClosure, K: 0}, {Op: code.OpClosure, K: 1}, {Op: code.OpRet}}
	f.Sites = append(f.Sites[:0], 0, 0, 0)
	f.closures = []closureOp{
		func(m *Machine, g *G, fp unsafe.Pointer, _ *code.Instr) status {
			p, s := m.alloc(g, a.size+16, everyWord) // the frame, then retValid and an empty abi.RegArgs
			if s != done {
				return s
			}
			b := m.mem.Object(p).Data()
			for _, c := range a.in {
				copy(unsafe.Slice((*byte)(unsafe.Add(b, c.off)), c.l.Size), unsafe.Slice((*byte)(unsafe.Add(fp, c.reg)), c.l.Size))
			}
			st(fp, mem, p)
			at := unsafe.Add(fp, f.Frame)
			*(*[4]uint64)(at) = [4]uint64{ld(fp, f.Ctx), p, p + a.size, p + a.size + 8}
			g.top().pc = 1
			return m.push(g, callee, at, 0, callFrame)
		},
		func(m *Machine, g *G, fp unsafe.Pointer, _ *code.Instr) status {
			for _, c := range a.out {
				if p := m.mem.At(ld(fp, mem)+c.off, c.l.Size); p != nil && c.l.Size > 0 {
					m.toRegister(c.l.Class, unsafe.Add(fp, c.reg), p, c.l.Size)
				}
			}
			return done
		},
	}
	if m.stubOf == nil {
		m.stubOf, m.stubs = map[stubKey]*Func{}, map[*Func]*types.Signature{}
	}
	m.stubOf[key], m.stubs[f] = f, sig
	w[2] = m.text(f)
	return done
}
