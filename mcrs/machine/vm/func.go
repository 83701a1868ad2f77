package vm

import (
	"sync"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file defines functions of the closed program, and what an instruction answers. What the machines of a process
// have in common stands at its end: layouts, and functions as they are compiled before a machine gives them its numbers
// (code/links.go).

// A Status is what an operation outside the main loop answers.
type Status uint8

// The statuses.
const (
	Done  Status = iota
	Yield        // the operation is pending: ask the scheduler, then run the instruction again
	Panicked
	Reload // the goroutine's frames changed: go on with the innermost
	Halt   // the execution is over
)

// A closure op is an instruction too rare to have a number of its own.
type ClosureOp func(m *Machine, g *G, fp unsafe.Pointer, in *code.Instr) Status

// An Intrinsic is a function of the boundary. w holds the words of its parameters, then those of its results.
type Intrinsic func(m *Machine, g *G, w []uint64) Status

// A Func is a function of the closed program, compiled when it is first called.
type Func struct {
	ID    uint32
	Text  uint64 // its address (TEXT1)
	SSA   *ssa.Function
	Name  string
	sites uint32 // how many it has
	code.Code
	Closures []ClosureOp // see code.OpClosure
	Flows    []flow.Op   // see code.OpFlow
	Funcs    []*Func     // that it calls
	Compiled bool
	noted    uint32       // the Machine.noting in which it was last called first: see notes.go
	Silent   bool         // its accesses to memory and locks make no events
	Loud     []LoudAccess // but these (SILENT7)
	Std      bool
	// Calculates says that it is of a package of the standard library that only calculates (SPIN5).
	Calculates bool
	Inet       bool        // of the overlay of package inet
	Order      event.Order // of what it does, likewise
	Sync       bool        // of a package of primitives: an event in it stands at its caller's line
	Wrapper    bool        // synthetic: recover() looks through it
	Builtin    bool        // a builtin function called by go or defer
	Intrinsic  Intrinsic
	Quiet      bool   // of an intrinsic: see naming/local.go
	Missing    string // symbol of a function that has neither a body nor an intrinsic

	Live *code.Liveness // nil until it is asked for
}

// Index is the index of a function among those that f calls.
func (f *Func) Index(callee *Func) uint64 {
	for i, g := range f.Funcs {
		if g == callee {
			return uint64(i)
		}
	}
	f.Funcs = append(f.Funcs, callee)
	return uint64(len(f.Funcs) - 1)
}

// Nothing is an intrinsic that does nothing.
func Nothing(*Machine, *G, []uint64) Status { return Done }

// Zero makes every result zero: it is for functions whose only words are results, or whose parameters may be lost.
func Zero(_ *Machine, _ *G, w []uint64) Status {
	if len(w) > 0 {
		w[len(w)-1] = 0
	}
	return Done
}

// Constant0 returns an intrinsic without parameters whose result is v.
func Constant0(v uint64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) Status { w[0] = v; return Done }
}

// Constant1 returns an intrinsic with one word of parameters whose result is v.
func Constant1(v uint64) Intrinsic {
	return func(_ *Machine, _ *G, w []uint64) Status { w[1] = v; return Done }
}

// A LoudField is a field of testing.common or of testing.T whose accesses in some function are events.
type LoudField struct {
	Name string
	When func(m *Machine, base uint64) bool // for the struct at base
}

// A LoudAccess is an instruction that accesses such a field.
type LoudAccess struct {
	PC     int32
	Offset uint64 // of the field
	Field  *LoudField
}

// A Template is what a function is compiled to, for all machines. None of them changes it.
type Template struct {
	code.Code
	Closures []ClosureOp
	Flows    []flow.Op
	Loud     []LoudAccess
	TooLarge bool // its frame is
}

// common is what the machines of a universe share.
type common struct {
	layouts   *layout.Layouts
	templates sync.Map // templateKey -> *Template
}

// A templateKey has what a template depends on, beside the library: intrinsics watch functions by their names.
type templateKey struct {
	fn   *ssa.Function
	name string
}

// commonOf returns what machines for a program have in common, with a library.
func commonOf(p *program.Program, lib *Library) *common {
	return p.Shared(lib, func() any { return &common{layouts: layout.New("amd64")} }).(*common)
}

// Template returns the template of f. It calls compile if no machine has compiled it yet. What a machine follows (see
// Config.Regions) is its own, and so are its templates then.
func (m *Machine) Template(f *Func, compile func() *Template) *Template {
	if m.Config.Regions != nil {
		return compile()
	}
	key := templateKey{f.SSA, f.Name}
	if t, ok := m.common.templates.Load(key); ok {
		return t.(*Template)
	}
	t, _ := m.common.templates.LoadOrStore(key, compile())
	return t.(*Template)
}

// Instantiate makes f what a template says, with the numbers of a machine.
func (f *Func) Instantiate(m *Machine, t *Template, l code.Linker) {
	f.Code, f.Closures, f.Flows, f.Loud = t.Code, t.Closures, t.Flows, t.Loud
	before := m.sitesOf(f, t.Places)
	f.Sites = make([]event.Site, len(t.Sites))
	for i, s := range t.Sites {
		if s != 0 {
			f.Sites[i] = before + s
		}
	}
	if len(t.Links) > 0 {
		f.Instrs = append([]code.Instr(nil), t.Instrs...)
		f.Consts = append([]uint64(nil), t.Consts...)
		f.Link(l)
	}
}
