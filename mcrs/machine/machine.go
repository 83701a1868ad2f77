// Package machine is a Go machine: it runs the functions of a closed program
// in memory of its own, one goroutine at a time, under a scheduler.
//
// # Background
//
// It follows Miri, the interpreter of Rust's MIR: the real standard library
// runs from source over a short table of intrinsics (package boundary). Functions
// are compiled from go/ssa to register code when they are first called
// (package code) and run by one loop (package interp). Memory is flat (package mem).
//
// # Method
//
// Every goroutine stops before each visible operation: an access to memory that another goroutine may
// reach, a lock, a channel, a spawn, and so on. The scheduler is offered all that can go on and picks one
// (package loop). Which memory is visible is decided where a pointer is published: an object is its
// goroutine's own until its address is stored in shared memory, sent, or passed to a new
// goroutine; from then on, with all it reaches, it is shared. Only the owner can do that, so what is
// visible, and the number of each access, is a function of the goroutine's own history and not of the schedule.
//
// # Limits
//
// 65,533 names of goroutines in one process; what is missing ends the execution as Unsupported and names the function
// and its caller.
//
// # Rooms
//
// This package is the machine as others see it. Package vm is the state of a run, on which all other rooms stand.
//
//   - A new primitive is a file of package prim.
//   - A function of the standard library that the machine performs itself is a row of package boundary.
//   - A system call is a case of package kernel; what goroutines share through it is announced by package host.
//   - An instruction is a constant of package code, and a case of package interp.
//
// docs/architecture.md has all rooms, and the steps to a new primitive.
package machine

import (
	"go/token"
	"sync"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/boundary"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/interp"
	"github.com/heddle-go/heddle/mcrs/machine/naming"
	"github.com/heddle-go/heddle/mcrs/machine/overlay"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/program"
)

// A Machine runs the entries of one program. It is used by one goroutine at a time.
type Machine struct {
	vm       *vm.Machine
	namer    *naming.Namer
	initErr  error
	starts   map[startKey]starting
	userVars map[uint64]bool // the addresses of package variables of the user's
}

// Config are the constants of a machine.
type Config = vm.Config

// Streams are the standard streams of `heddle run`.
type Streams = vm.Streams

// Faults are what may go wrong in the network (package inet).
type Faults = inet.Faults

// ParseFaults reads what may go wrong in the network: a list of kinds, as the flag -faults has it.
func ParseFaults(s string) (Faults, error) { return inet.ParseFaults(s) }

// New prepares a machine for a program. It runs nothing yet.
func New(p *program.Program, cfg Config) *Machine {
	v := vm.New(p, cfg, library())
	v.Types = interp.NewTypes(v)
	return &Machine{vm: v, namer: naming.New(v)}
}

// library is what every machine runs functions with.
var library = sync.OnceValue(func() *vm.Library {
	l := boundary.Library()
	l.Compile, l.Interpret = interp.Compile, interp.Run
	return l
})

// Overlay is for program.Config: the files of ours that join packages of the standard library, by import path and name.
func Overlay() map[string]map[string]string { return overlay.Files() }

// KeepBody is for program.Config: the functions of package runtime that are interpreted.
func KeepBody(path, name string) bool { return overlay.KeepBody(path, name) }

// Position implements report.Source.
func (m *Machine) Position(s event.Site) token.Position { return m.vm.Position(s) }
