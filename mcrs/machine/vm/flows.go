package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/flow"
)

// This file lets package flow follow what values depend on, where Config.Regions is set.

func beginFlows(m *Machine) {
	if m.Config.Regions != nil {
		m.Flows = flow.NewRun(m.Mem, m.Trace)
	}
}

// NewFlows is what flows on a new stack.
func NewFlows(m *Machine) *flow.Goroutine {
	if m.Config.Regions == nil {
		return nil
	}
	return flow.NewGoroutine()
}

// Flow performs a code.OpFlow.
func (m *Execution) Flow(g *G, op flow.Op, fp unsafe.Pointer) { op(m.Flows, g.Following(), fp) }

// Following returns what flows in g, with the depth of its stack as it is now. It is nil if nothing is followed.
func (g *G) Following() *flow.Goroutine {
	w := g.Flows
	if w == nil {
		return nil
	}
	if w.Depth = len(g.Frames); w.Depth == 0 {
		return w
	}
	switch g.Top().Kind {
	case BaseFrame:
		w.Start = flow.Spawned
	case CallFrame, TestFrame:
		w.Start = flow.Called
	default:
		w.Start = flow.Deferred
	}
	return w
}
