package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"golang.org/x/tools/go/ssa"
)

// This file defines functions of the closed program, and what an instruction answers.

// A status is what an operation outside the main loop answers.
type status uint8

const (
	done  status = iota
	yield        // the operation is pending: ask the scheduler, then run the instruction again
	panicked
	reload // the goroutine's frames changed: go on with the innermost
	halt   // the execution is over
)

// A closure op is an instruction too rare to have a number of its own.
type closureOp func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) status

// An Intrinsic is a function of the boundary. w holds the words of its parameters, then those of its results.
type Intrinsic func(m *Machine, g *G, w []uint64) status

// A Func is a function of the closed program, compiled when it is first called.
type Func struct {
	id   uint32
	ssa  *ssa.Function
	name string
	code.Code
	closures  []closureOp // see code.OpClosure
	flows     []flow.Op   // see code.OpFlow
	funcs     []*Func     // that it calls
	compiled  bool
	noted     uint32       // the Machine.noting in which it was last called first: see notes.go
	silent    bool         // its accesses to memory and locks make no events
	loud      []loudAccess // but these (SILENT7)
	std       bool
	inet      bool // of the overlay of package inet
	sync      bool // of a package of primitives: an event in it stands at its caller's line
	wrapper   bool // synthetic: recover() looks through it
	builtin   bool // a builtin function called by go or defer
	intrinsic Intrinsic
	quiet     bool   // of an intrinsic: see local.go
	missing   string // symbol of a function that has neither a body nor an intrinsic

	live *code.Liveness // nil until it is asked for
}

// index is the index of a function among those that f calls.
func (f *Func) index(callee *Func) uint64 {
	for i, g := range f.funcs {
		if g == callee {
			return uint64(i)
		}
	}
	f.funcs = append(f.funcs, callee)
	return uint64(len(f.funcs) - 1)
}
