package vm

import (
	"maps"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/godebug"
	"github.com/heddle-go/heddle/mcrs/trace"
)

// This file defines what the program has asked for that the machine has otherwise than a real process.

// Measure notes that the program asked for name.
func (m *Requests) Measure(name string) {
	m.Measured = name
	if m.Asked == nil {
		m.Asked = map[string]bool{}
	}
	m.Asked[name] = true
}

// EnvNotes is what an execution asked for, and set itself.
type EnvNotes struct {
	Asked, Own map[string]bool
}

// Clone returns a copy.
func (n *EnvNotes) Clone() EnvNotes { return EnvNotes{maps.Clone(n.Asked), maps.Clone(n.Own)} }

// Requests are what the program has asked for that the machine does not have, or has otherwise than a real process. An
// execution begins with those of the package initialisers.
type Requests struct {
	Settings         godebug.Settings
	Measured         string          // what the program asked for that the machine cannot measure
	Asked            map[string]bool // all such
	Refused, Without *trace.Refusal  // the first, and the first that REFUSE3 leaves out
	Finalizer        string          // the function by which the program has registered one, "" if it has none
	Finalizers       []Finalizer     // those that it has registered
	Pooled           bool            // something was put into a Pool of the user's
	Weak             bool            // a weak pointer was asked for what it points to
	Collects         bool            // runtime.GC was called
	Uncollected      *trace.Refusal  // what a collection would have done that the program may count on
	Trusts           bool            // a finalizer was set that the program is to take back (FINAL1 of package boundary)
	Labelled         bool            // a goroutine was given labels for profiles
	Env              EnvNotes
	Views            map[uint64]uint64 // where the bytes are of strings that the program made with unsafe.String, and how many
}

// A Finalizer is what is to be done when nobody reaches an object any more.
type Finalizer struct {
	By      int32 // the goroutine that has registered it
	Object  uint64
	Uses    []uint64 // what it has in its hands: the function, and its arguments
	Cleanup bool     // of runtime.AddCleanup: an object may have several
	Trusted bool     // it is to be taken back (FINAL1 of package boundary)
	Site    event.Site
}

// HasFinalizer reports whether an object has one.
func (m *Requests) HasFinalizer(object uint64) bool {
	return slices.ContainsFunc(m.Finalizers, func(f Finalizer) bool { return f.Object == object && !f.Cleanup })
}

// NeverRun is why an entry with finalizers is not exhausted.
const NeverRun = ": finalizers and cleanups are never run"

// NotTakenBack notes that the execution has come to its end and has left a finalizer set, or may have in another order
// of its events (FINAL1 of package boundary).
func NotTakenBack(m *Machine) {
	if !m.Trusts || m.Inits {
		return
	}
	left := !m.Main.Ended || m.Trace.Status == trace.Failed
	site := m.Main.Site()
	for _, f := range m.Finalizers {
		if f.Trusted {
			left, site = true, f.Site
		}
	}
	if left && (m.Trace.Unseen == "" || m.Trace.GoesOn) {
		m.Trace.Unseen, m.Trace.UnseenSite, m.Trace.GoesOn = "runtime.SetFinalizer"+NeverRun, site, false
	}
}

// Finalize notes a finalizer. One that is no cleanup takes the place of the one before it, and with no function takes
// that back.
func (m *Requests) Finalize(f Finalizer) {
	if !f.Cleanup {
		m.Finalizers = slices.DeleteFunc(m.Finalizers, func(o Finalizer) bool { return o.Object == f.Object && !o.Cleanup })
	}
	if len(f.Uses) > 0 {
		m.Finalizers = append(m.Finalizers, f)
	}
}

// Clone returns a copy, in which other requests can be noted.
func (m *Requests) Clone() Requests {
	c := *m
	c.Settings.Forget()
	c.Finalizers = slices.Clone(m.Finalizers)
	c.Asked, c.Env, c.Views = maps.Clone(m.Asked), m.Env.Clone(), maps.Clone(m.Views)
	return c
}

// rewrittenView is what a program does that the machine does not follow: natively such a string changes.
const rewrittenView = "unsafe.String, whose bytes are written later"

// View notes that the program has made a string of n bytes at addr.
func (m *Requests) View(addr, n uint64) {
	if m.Views == nil {
		m.Views = map[uint64]uint64{}
	}
	m.Views[addr] = max(m.Views[addr], n)
}

// written notes that a goroutine writes bytes of a string. The entry is then not exhausted, and if its test fails, that
// may be the machine's fault.
func written(m *Machine, g *G, e *event.Event) {
	for addr, n := range m.Views {
		if e.Loc.Addr < addr+n && addr < e.Loc.Addr+uint64(e.Loc.Size) {
			m.Measure(rewrittenView)
			m.Unseen(g, rewrittenView)
			return
		}
	}
}
