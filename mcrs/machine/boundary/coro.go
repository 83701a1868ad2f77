package boundary

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the coroutines behind iter.Pull. A coroutine is a stack that the goroutine in coroswitch trades
// for its own, so that it is no goroutine, and the change is no event.

type coroutine struct {
	stack vm.GoStack // of the side that does not run
	ended bool
}

// CloneAux implements mem.Aux. A coroutine does not outlive the package initialisers: newCoro sees to it.
func (c *coroutine) CloneAux() mem.Aux { return c }

// Scan implements mem.Aux. To the precise question it has no answer: see publish.
func (c *coroutine) Scan(visit func(uint64), maybe bool) {
	if maybe {
		c.stack.Roots(visit)
	}
}

// Footprint implements mem.Aux.
func (c *coroutine) Footprint() int64 { return vm.StackBytes(c.stack.Chunks, c.stack.Frames) }

// trade exchanges g's stack for the one in s.
func trade(g *vm.G, s *vm.GoStack) {
	g.GoStack, *s = *s, g.GoStack
}

// newCoro is runtime.newcoro(f func(*coro)) *coro.
func newCoro(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Inits {
		return m.Lacks(g, "function iter.Pull in a package initialiser")
	}
	fv := w[0]
	f := m.ClosureFunc(fv)
	if f == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !m.SeesOthers(g, vm.MovesCount) {
		return vm.Yield
	}
	c := &coroutine{}
	a, s := m.AllocAux(g, 8, c)
	if s != vm.Done {
		return s
	}
	// The last frame of the coroutine: it calls f, and goes back for good, also when f ends by Goexit.
	exit := m.Native("iter.coroexit", 0, 0, nil)
	exit.Instrs = []code.Instr{{Op: code.OpClosure}}
	exit.Closures = []vm.ClosureOp{func(m *vm.Machine, g *vm.G, _ unsafe.Pointer, _ *code.Instr) vm.Status {
		if !m.SeesOthers(g, vm.MovesCount) {
			return vm.Yield
		}
		c.ended = true
		m.Coros--
		trade(g, &c.stack)
		c.stack = vm.GoStack{}
		return vm.Reload
	}}
	start := m.Native("iter.corostart", 0, 0, nil)
	start.Out = 8
	start.Instrs = []code.Instr{{Op: code.OpClosure}, {Op: code.OpClosure, K: 1}}
	start.Closures = []vm.ClosureOp{func(m *vm.Machine, g *vm.G, fp unsafe.Pointer, _ *code.Instr) vm.Status {
		fr := g.Top()
		fr.PC = 1
		fr.Defers = append(fr.Defers, vm.DeferRec{Func: exit})
		at := unsafe.Add(fp, start.Frame)
		vm.St(at, 0, a)
		return m.Push(g, f, at, fv, vm.CallFrame)
	}, exit.Closures[0]}
	own := vm.GoStack{}
	trade(g, &own) // make the first frame of the coroutine as if g ran on it
	m.AddChunk(g, vm.FirstChunk)
	s = m.PushArgs(g, start, nil, 0, vm.BaseFrame)
	trade(g, &own)
	c.stack = own
	if s != vm.Reload {
		return s
	}
	m.Coros++
	w[1] = a
	return vm.Done
}

// coroSwitch is runtime.coroswitch(*coro).
func coroSwitch(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	o := m.Mem.Object(w[0])
	if o == nil {
		return goroutine.ThrowNil(m, g)
	}
	c, ok := o.Aux.(*coroutine)
	if !ok || c.ended {
		return goroutine.Fatal(m, g, "coroswitch on exited coro")
	}
	g.Top().PC++
	trade(g, &c.stack)
	return vm.Reload
}
