package vm

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says which results no instruction looks at.
//
//	UNUSED1  An atomic addition whose result no instruction refers to returns 0, and its event has no value
//	         (event.Op.Adds): whatever it found, the goroutine is in one state. It is the call of a function or a
//	         method of sync/atomic itself: who calls one that calls it may look at what it returns.

// Unused reports whether no instruction but a debugger's refers to a value.
func Unused(v ssa.Value) bool {
	for _, r := range *v.Referrers() {
		if _, ok := r.(*ssa.DebugRef); !ok {
			return false
		}
	}
	return true
}

// Adding marks an atomic addition of delta if nobody looks at what comes of it. With store buffers none is: what
// drains a buffer has rules of its own.
func Adding(m *Machine, g *G, o event.Op, delta uint64) event.Op {
	if m.Direct || m.Relaxed() {
		return o
	}
	call, ok := m.SiteTable[g.Site()].Instr.(*ssa.Call)
	if !ok || !Unused(call) {
		return o
	}
	if f := call.Call.StaticCallee(); f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Add") {
		return o
	}
	o.Adds, o.Key = true, delta // UNUSED1
	return o
}
