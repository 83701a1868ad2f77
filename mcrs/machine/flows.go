package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/flow"
)

// This file lets package flow follow what values depend on, where Config.Regions is set.

func (m *Machine) beginFlows() {
	if m.cfg.Regions != nil {
		m.flows = flow.NewRun(m.mem, m.tr)
	}
}

// flow performs a code.OpFlow.
func (m *execution) flow(g *G, op flow.Op, fp unsafe.Pointer) { op(m.flows, g.following(), fp) }

// following returns what flows in g, with the depth of its stack as it is now. It is nil if nothing is followed.
func (g *G) following() *flow.Goroutine {
	w := g.flows
	if w == nil {
		return nil
	}
	if w.Depth = len(g.frames); w.Depth == 0 {
		return w
	}
	switch g.top().kind {
	case baseFrame:
		w.Start = flow.Spawned
	case callFrame:
		w.Start = flow.Called
	default:
		w.Start = flow.Deferred
	}
	return w
}
