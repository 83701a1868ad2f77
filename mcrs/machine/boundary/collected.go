package boundary

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/host"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file says what a collection of garbage would have done: runtime.GC does nothing here. Rules:
//
//	COLLECT1 A program that calls runtime.GC, and has registered a finalizer or put something into a sync.Pool, or
//	         asks a weak pointer after the call and gets what it points to, may count on what a collection does.
//	COLLECT2 An execution that fails, leaves goroutines blocked, or polls for ever after that has no verdict:
//	         natively it might not have.

// collect is runtime.GC, called by a goroutine.
func collect(m *vm.Machine, g *vm.G) {
	if callerStd(g) {
		return
	}
	m.Collects = true
	if m.Finalizer != "" {
		missed(m, m.Finalizer, g.Site()) // natively it would run now
	}
	if m.Pooled {
		missed(m, "runtime.GC, which empties a sync.Pool", g.Site())
	}
}

// missed notes what a collection would have done.
func missed(m *vm.Machine, what string, at event.Site) {
	m.Measure(what)
	m.Uncollected = &trace.Refusal{What: what, Site: at}
}

// strong is runtime_makeStrongFromWeak: the object is there, whatever was collected natively. A program that asks
// leaves the other answer out.
func strong(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[1] = w[0]
	mayDrop(m, g, &m.Weak)
	i := len(g.Frames) - 1
	for i >= 0 && strings.Contains(g.Frames[i].Func.Name, "weak.") {
		i--
	}
	if w[0] == 0 || i < 0 || g.Frames[i].Func.Std {
		return vm.Done
	}
	if m.Trace.Unseen == "" {
		m.Unseen(g, "weak.Pointer.Value: weak pointers are never cleared")
		m.Trace.UnseenSite = g.FrameSite(i)
	}
	if m.Collects {
		missed(m, "weak.Pointer.Value after runtime.GC", g.FrameSite(i))
	}
	return vm.Done
}

// CollectedEnd is rule COLLECT2, at the end of an execution.
func CollectedEnd(m *vm.Machine) {
	if u := m.Uncollected; u != nil && host.Fails(m.Trace) {
		host.NoVerdict(m.Trace, u.Site, "unsupported function "+u.What+", and the entry failed afterwards")
	}
}
