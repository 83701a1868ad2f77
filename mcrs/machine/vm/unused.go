package vm

import (
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-go/heddle/mcrs/event"
)

// This file says which results no instruction looks at.
//
//	UNUSED1  An atomic addition whose result no instruction refers to returns 0, and its event has no value
//	         (event.Op.Adds): whatever it found, the goroutine is in one state. It is the call of a function or a
//	         method of sync/atomic itself: who calls one that calls it may look at what it returns.
//	UNUSED2  An explorer may know that nothing acts upon what a load of at most eight bytes, or an atomic addition,
//	         returns (sched.Options.Ignores). It returns 0, too, and its event has no value (event.Op.Blind, of a
//	         load). So what the program computes from it is the same in all executions.
//	UNUSED3  What a goroutine writes to the standard output or error is looked at by nobody, but the output of an
//	         example. The read of the program's bytes for it is an event that may race, and that learns nothing
//	         (event.Op.Blind). So what others write there tells nobody apart.

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
	site := g.Site()
	call, ok := m.SiteTable[site].Instr.(*ssa.Call)
	if !ok || !Unused(call) && !m.ignores(site) {
		return o
	}
	if f := call.Call.StaticCallee(); f == nil || f.Pkg == nil || f.Pkg.Pkg.Path() != "sync/atomic" || !strings.HasPrefix(f.Name(), "Add") {
		return o
	}
	o.Adds, o.Key = true, delta // UNUSED1
	return o
}

// Loading marks a load if nothing acts upon what it returns.
func Loading(m *Machine, g *G, o event.Op) event.Op {
	if m.Options.Ignores != nil && o.Loc.Size <= uint32(len(nothing)) && !m.Relaxed() && m.ignores(g.Site()) { // UNUSED2
		o.Blind = 1
	}
	return o
}

// ignores asks the explorer.
func (m *Execution) ignores(s event.Site) bool {
	return m.Options.Ignores != nil && m.Options.Ignores(s)
}

// nothing is what a load returns that is ignored.
var nothing [8]byte

// Loaded is what a load returns that has found the bytes at p, and has just made an event if it makes one.
func Loaded(m *Machine, g *G, p unsafe.Pointer) unsafe.Pointer {
	if m.LastEvent >= 0 && g.Op.Blind != 0 {
		return unsafe.Pointer(&nothing)
	}
	return p
}
