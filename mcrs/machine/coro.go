package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file defines the coroutines behind iter.Pull. A coroutine is a stack that the goroutine in coroswitch trades
// for its own, so that it is no goroutine, and the change is no event.

type coroutine struct {
	stack goStack // of the side that does not run
	ended bool
}

// CloneAux implements mem.Aux. A coroutine does not outlive the package initialisers: newCoro sees to it.
func (c *coroutine) CloneAux() mem.Aux { return c }

// Scan implements mem.Aux. To the precise question it has no answer: see publish.
func (c *coroutine) Scan(visit func(uint64), maybe bool) {
	if maybe {
		c.stack.roots(visit)
	}
}

// Footprint implements mem.Aux.
func (c *coroutine) Footprint() int64 { return stackBytes(c.stack.chunks, c.stack.frames) }

// trade exchanges g's stack for the one in s.
func (g *G) trade(s *goStack) {
	g.goStack, *s = *s, g.goStack
}

// newCoro is runtime.newcoro(f func(*coro)) *coro.
func newCoro(m *Machine, g *G, w []uint64) status {
	if m.inits {
		return m.lacks(g, "function iter.Pull in a package initialiser")
	}
	fv := w[0]
	f := m.closureFunc(fv)
	if f == nil {
		return m.throwNil(g)
	}
	if !m.seesOthers(g, movesCount) {
		return yield
	}
	c := &coroutine{}
	a, s := m.allocAux(g, 8, c)
	if s != done {
		return s
	}
	// The last frame of the coroutine: it calls f, and goes back for good, also when f ends by Goexit.
	exit := m.native("iter.coroexit", 0, 0, nil)
	exit.Instrs = []code.Instr{{Op: code.OpClosure}}
	exit.closures = []closureOp{func(m *Machine, g *G, _ unsafe.Pointer, _ *code.Instr) status {
		if !m.seesOthers(g, movesCount) {
			return yield
		}
		c.ended = true
		m.coros--
		g.trade(&c.stack)
		c.stack = goStack{}
		return reload
	}}
	start := m.native("iter.corostart", 0, 0, nil)
	start.Out = 8
	start.Instrs = []code.Instr{{Op: code.OpClosure}, {Op: code.OpClosure, K: 1}}
	start.closures = []closureOp{func(m *Machine, g *G, fp unsafe.Pointer, _ *code.Instr) status {
		fr := g.top()
		fr.pc = 1
		fr.defers = append(fr.defers, deferRec{f: exit})
		at := unsafe.Add(fp, start.Frame)
		st(at, 0, a)
		return m.push(g, f, at, fv, callFrame)
	}, exit.closures[0]}
	own := goStack{}
	g.trade(&own) // make the first frame of the coroutine as if g ran on it
	m.addChunk(g, firstChunk)
	s = m.pushArgs(g, start, nil, 0, baseFrame)
	g.trade(&own)
	c.stack = own
	if s != reload {
		return s
	}
	m.coros++
	w[1] = a
	return done
}

// coroSwitch is runtime.coroswitch(*coro).
func coroSwitch(m *Machine, g *G, w []uint64) status {
	o := m.mem.Object(w[0])
	if o == nil {
		return m.throwNil(g)
	}
	c, ok := o.Aux.(*coroutine)
	if !ok || c.ended {
		return m.fatal(g, "coroswitch on exited coro")
	}
	g.top().pc++
	g.trade(&c.stack)
	return reload
}
