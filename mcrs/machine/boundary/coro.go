package boundary

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the coroutines behind iter.Pull.
//
//	CORO1  A coroutine is a stack that the goroutine in coroswitch trades for its own. So it is no goroutine.
//	CORO2  The change is an event where several goroutines have the coroutine: who goes on with its stack goes on with
//	       all that those before have learnt on it. It synchronises: under the race detector iter.Pull has
//	       annotations there, and a coroutine is a goroutine of its own, whose accesses are in order.
//	CORO3  Who has a coroutine has what its stack reaches. All words of the stack count as addresses. This does not
//	       hold while a goroutine is on that stack, and its own lies in the coroutine: who changed then would have
//	       raced before.
//	CORO4  A goroutine on a coroutine's stack reaches what those below it reach (naming.Reads): it will come back to
//	       them, so what waits for that has not leaked.

type coroutine struct {
	fn    uint64     // the value of its function
	stack vm.GoStack // of the side that does not run
	on    bool       // a goroutine is on the coroutine's own stack
	ended bool
}

// CloneAux implements mem.Aux. A coroutine does not outlive the package initialisers: newCoro sees to it.
func (c *coroutine) CloneAux() mem.Aux { return c }

// Scan implements mem.Aux (CORO3).
func (c *coroutine) Scan(visit func(uint64), maybe bool) {
	if c.ended {
		return
	}
	if visit(c.fn); maybe || !c.on {
		c.stack.Roots(visit)
	}
}

// Hash is of the stack that does not run. The words of calls that have come to nothing more are among them: they only
// tell states apart that are equal.
func (c *coroutine) Hash() uint64 {
	h := vm.HashMix(c.fn, vm.Word(c.on)<<1|vm.Word(c.ended))
	for i := range c.stack.Frames {
		fr := &c.stack.Frames[i]
		h = vm.HashMix(vm.HashMix(h, vm.HashString(fr.Func.Name)), uint64(fr.PC))
		for _, w := range unsafe.Slice((*uint64)(fr.FP), fr.Func.Frame/8) {
			h = vm.HashMix(h, w)
		}
	}
	return h
}

// Footprint implements mem.Aux.
func (c *coroutine) Footprint() int64 { return vm.StackBytes(c.stack.Chunks, c.stack.Frames) }

// trade exchanges g's stack for the one in s.
func trade(m *vm.Machine, g *vm.G, s *vm.GoStack) {
	from := g.Following()
	g.GoStack, *s = *s, g.GoStack
	if from != nil && g.Flows != nil {
		m.Flows.Switch(g.Flows, from)
	}
}

// newCoro is runtime.newcoro(f func(*coro)) *coro.
func newCoro(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Inits {
		return m.Lacks(g, "function iter.Pull in a package initialiser")
	}
	g.Settle()
	fv := w[0]
	f := m.ClosureFunc(fv)
	if f == nil {
		return goroutine.ThrowNil(m, g)
	}
	if !m.SeesOthers(g, event.AddsOne) {
		return vm.Yield
	}
	c := &coroutine{fn: fv}
	a, s := m.AllocAux(g, 8, c)
	if s != vm.Done {
		return s
	}
	// The last frame of the coroutine: it calls f, and goes back for good, also when f ends by Goexit.
	exit := m.Native("iter.coroexit", "", 0, 0, nil)
	exit.Instrs = []code.Instr{{Op: code.OpClosure}}
	exit.Closures = []vm.ClosureOp{func(m *vm.Machine, g *vm.G, _ unsafe.Pointer, _ *code.Instr) vm.Status {
		if !changes(m, g, a) {
			return vm.Yield
		}
		c.ended, c.on = true, false
		if !m.SeesOthers(g, event.TakesOne) { // what it changes comes next, before anybody else moves
			return vm.Yield
		}
		m.Coros--
		trade(m, g, &c.stack)
		c.stack = vm.GoStack{}
		return vm.Reload
	}}
	start := m.Native("iter.corostart", "", 0, 0, nil)
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
	own := vm.GoStack{Flows: vm.NewFlows(m)}
	trade(m, g, &own) // make the first frame of the coroutine as if g ran on it
	m.AddChunk(g, vm.FirstChunk)
	s = m.PushArgs(g, start, nil, 0, vm.BaseFrame)
	trade(m, g, &own)
	own.Below = &c.stack // where the goroutine's own is while it is on this one
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
	if !changes(m, g, w[0]) {
		return vm.Yield
	}
	if c, ok := o.Aux.(*coroutine); !ok || c.ended {
		return goroutine.Fatal(m, g, "coroswitch on exited coro")
	}
	g.Settle()
	g.Top().PC++
	c := o.Aux.(*coroutine)
	trade(m, g, &c.stack)
	if c.on = !c.on; !c.on && vm.SharedBytes(o) {
		c.stack.Roots(m.Publish)
	}
	return vm.Reload
}

// changes announces that g goes on with the stack of the coroutine at addr (CORO2). It returns false if g must wait.
func changes(m *vm.Machine, g *vm.G, addr uint64) bool {
	if m.Direct || !vm.SharedBytes(m.Mem.Object(addr)) {
		m.Silently(g, event.ObjectWrite, addr, 0, 0)
		return true
	}
	return m.Announce(g, event.Op{Kind: event.ObjectWrite, Loc: event.Location{Addr: addr}})
}
