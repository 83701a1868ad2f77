package vm

import (
	"github.com/heddle-go/heddle/mcrs/event"
)

// This file defines what a machine is given by the packages above this one: who compiles and interprets functions,
// and what stands in for functions of the standard library. No package registers anything: who makes a machine
// gathers it.

// A Library is what a machine runs functions with.
type Library struct {
	Compile   func(m *Machine, f *Func)          // translates a function that has a body
	Interpret func(m *Machine, g *G)             // runs a goroutine until its next visible operation, its end, or the end of the execution
	LockFree  func(m *Machine, o *event.Op) bool // reports whether an operation that takes a lock is enabled

	// UnderLock announces what a function of a silent package does behind the lock at addr, which it takes without an
	// event. It returns false if g must wait.
	UnderLock func(m *Machine, g *G, addr uint64) bool

	Intrinsics map[string]Intrinsic                           // by function: the boundary
	Instances  map[string]func(m *Machine, f *Func) Intrinsic // they make the intrinsics of generic functions, one for each instance
	Watches    map[string]Intrinsic                           // called when a function is entered; they change nothing the program can see but which bytes a call takes
	Redirects  map[string]string                              // functions of std whose body is one of an overlay
	Overlaid   map[string]bool                                // the packages that overlays join, by path
	Quiet      []string                                       // the functions of the boundary that keep nothing of their own, by the beginning of their names
	Loud       map[string][]LoudField                         // fields of silent packages whose accesses are events, by function (SILENT7)
}
