// Package vm is the state of a run, and what all operations of the machine are made of.
//
// A [Machine] has one program in memory, and the goroutines of one execution of it. An instruction, a primitive or a
// function of the boundary is a function of a Machine and a goroutine [G]. It answers with a [Status]. To do something
// that another goroutine could notice, it announces a visible operation (Announce, Visible): if the scheduler has not
// chosen the goroutine for it yet, the function returns Yield, and is called again later. Then it logs what the
// operation returned.
//
//   - A program in memory: image.go, func.go, alloc.go, collect.go
//   - A goroutine: g.go, stack.go, pending.go
//   - Visible operations: visible.go, silence.go, storebuffer.go
//   - What the rooms above keep of an execution: time.go, polling.go, locks.go, requests.go
//   - What they give a machine: library.go
package vm

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/flow"
	"github.com/heddle-go/heddle/mcrs/machine/inet"
	"github.com/heddle-go/heddle/mcrs/machine/kernel"
	"github.com/heddle-go/heddle/mcrs/machine/kernel/godebug"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// A Machine has a program in memory, and the state of one execution of it. It is used by one goroutine of the host at a
// time.
type Machine struct {
	Image
	Kernel  *kernel.Kernel
	Config  Config
	Library *Library
	Numbering
	Snapshot
	Spares
	ProgramRun
	TriesRW    bool                      // the program calls RWMutex.TryLock (rules RW3 to RW5)
	AsksStacks func(*program.Entry) bool // SEEN5 of package boundary
	Mentions   map[string]bool           // methods of testing that the program names, and host.Numbers
	TestFields map[string]uint64         // offsets in a testing.common
	Handles    HandleTable               // of package unique
	Inet       SocketCount               // of the initialisers, and of Exec

	Notes
	Execution
}

// Execution is the state of one execution.
type Execution struct {
	Record
	Goroutines
	Clockwork
	Aftermath
	TestRun
	Locks
	Progress
	Budget
	Requests

	Mode      Mode
	Exited    bool // the program called os.Exit
	Over      bool
	Direct    bool
	Worked    bool // Exec: an operation on a lock was performed at once
	FaultAddr uint64
	State     sched.State
	Inits     bool // package initialisers are running
	InitSpawn bool // one of them started a goroutine
	Entry     *program.Entry
	Collection
	Flows  *flow.Run         // nil unless Config.Regions is set
	Unique map[string]uint64 // handles of this execution, by type and value
	Coros  int               // coroutines that have not ended
	Ranged map[uint64]int    // iterations under way over maps that are the snapshot's (RANGE2 of package objects)
}

// Config are the constants of a machine.
type Config struct {
	Kernel kernel.Config
	Silent func(importPath string) bool // packages whose accesses to memory and locks make no events; nil is the default
	Exec   sched.Options                // limits of Exec
	Faults inet.Faults                  // what may go wrong in the network

	// CollectEvery makes the heap be collected whenever so many bytes have been allocated, and what is freed be
	// overwritten. It is for tests: collections change nothing that a program or a trace shows.
	CollectEvery int64

	// CleanFrames makes a call begin with a frame of zeros, and not with what calls before left there. It is for the
	// audit: what is left is no part of a state.
	CleanFrames bool

	// Regions makes the machine follow what each event depends on (trace.Dependence). Nil is the default: nothing is
	// followed, at no cost.
	Regions flow.Regions
}

// New makes a machine for a program.
func New(p *program.Program, cfg Config, lib *Library) *Machine {
	m := &Machine{
		Image: newImage(p, commonOf(p, lib)), Config: cfg, Library: lib, Numbering: NewNumbering(),
	}
	m.sharing = func(addr uint64) { share(m, addr) }
	m.Mem.Poison = cfg.CollectEvery > 0
	m.Notes.Begin()
	if m.Config.Silent == nil {
		m.Config.Silent = silentPackage
	}
	if len(m.Config.Kernel.Args) == 0 {
		m.Config.Kernel.Args = []string{"/tmp/heddle/main"}
	}
	m.Config.Kernel.Now = func() int64 { return Date(m.Now + m.Gain(m.Now)) }
	m.Config.Kernel.Stdout, m.Config.Kernel.Stderr = output{m, false}, output{m, true}
	m.Kernel = kernel.New(m.Config.Kernel)
	m.InitAsks.Settings = godebug.Given(m.Program.GODEBUG, m.Kernel.Env())
	return m
}

// A HandleTable has the handles that are there when an execution begins, by type and value.
type HandleTable struct {
	Inits map[string]uint64 // addresses of those that package initialisers made
}

// RollBack forgets the handles that initialisers have made since base was allocated.
func (hs *HandleTable) RollBack(base uint64) {
	for key, a := range hs.Inits {
		if a >= base {
			delete(hs.Inits, key)
		}
	}
}

// A StubKey names a function that reflect.MakeFunc or a method value calls by way of.
type StubKey struct {
	Type   types.Type
	Method bool
}

// A Snapshot is what Prepare leaves: the state in which each execution begins.
type Snapshot struct {
	Prepared bool
	UserFrom uint64   // from here on, objects of segment Init were made by initialisers of the user's packages
	InitAsks Requests // what package initialisers asked for
	Late     []*Func  // initialisers that each execution runs, see Prepare
	Mark     kernel.Mark
}

// Limits of package initialisation.
const (
	initSteps  = 500_000_000
	InitMemory = 256 << 20
)

// BeginInit begins an execution of package initialisers. They go on with what others asked for, as InitAsks has it.
func (m *Machine) BeginInit() {
	m.Execution = Execution{
		Record: Record{Trace: &trace.Trace{Diverged: -1}}, Clockwork: Clockwork{Timeline: Timeline{Now: Epoch}}, Requests: m.InitAsks.Clone(),
		Mode: m.Mode, Inits: true, Direct: true,
	}
	m.Options = sched.Options{MaxMemory: InitMemory}
	beginFlows(m)
	m.collectFrom()
	m.MaxSteps = max(initSteps, m.Config.Exec.MaxSteps)
	m.outputMax = 1 << 16
}

// Reset returns to the snapshot and begins an execution.
func (m *Machine) Reset(e *program.Entry, o sched.Options) {
	if o.EarlyMost == 0 {
		o.EarlyMost = sched.EarlyMost
	}
	m.Mem.Reset()
	m.Kernel.Restore(m.Mark)
	recycle(m)
	m.Execution = Execution{
		Record: Record{Trace: m.newTrace(m.Image.Unordered), LastEvent: -1}, Goroutines: Goroutines{Threads: m.Threads}, Clockwork: Clockwork{Timeline: Timeline{Now: Epoch}},
		TestRun: TestRun{outputMax: 1 << 16}, Budget: Budget{Options: o}, Requests: m.InitAsks.Clone(),
		Mode: m.Mode, Entry: e, State: m.State,
	}
	beginFlows(m)
	m.Trace.Timing, m.Trace.EarlyMost, m.Trace.Memory = o.Timing, o.EarlyMost, o.Memory
	m.collectFrom()
	m.MaxSteps = o.MaxSteps
	if m.MaxSteps == 0 {
		m.MaxSteps = 1<<63 - 1
	}
	if o.Cancelled != nil {
		m.HardSteps, m.MaxSteps = m.MaxSteps, min(m.MaxSteps, SliceSteps)
	}
}

// newTrace returns an empty trace with room for an execution like the one before.
func (m *Record) newTrace(unordered map[uint64]bool) *trace.Trace {
	tr := &trace.Trace{Diverged: -1, Clockwork: trace.Clockwork{Start: Epoch}, Unordered: unordered}
	if last := m.Trace; last != nil {
		tr.Events = make([]event.Event, 0, len(last.Events)+4)
		tr.Threads = make([]trace.Thread, 0, len(last.Threads)+1)
		if n := len(last.Silent); n > 0 {
			tr.Silent = make([]trace.Silent, 0, n+4)
		}
		if n := len(last.Published); n > 0 {
			tr.Published, tr.Bytes = make([]trace.Publication, 0, n+4), make([]byte, 0, len(last.Bytes)+64)
		}
	}
	return tr
}

// Limit ends the execution at a limit.
func (m *Execution) Limit(g *G, reason string) {
	m.Trace.Status, m.Trace.Reason, m.Trace.ReasonSite = trace.Limit, reason, g.Site()
	m.Over = true
}

// Unseen notes what the execution leaves out, where g stands. The first reason stands.
func (m *Execution) Unseen(g *G, reason string) {
	if m.Trace.Unseen == "" && !m.Inits {
		m.Trace.Unseen, m.Trace.UnseenSite = reason, g.Site()
	}
}

// Unsupported ends the execution at a function that the machine lacks.
func (m *Execution) Unsupported(g *G, f *Func) { m.Lacks(g, "function "+f.Missing) }

// Lacks ends the execution: the machine has no what. Of functions of package testing it names the caller, which is
// the test where one fails it.
func (m *Execution) Lacks(g *G, what string) Status {
	caller, site := "?", g.Site()
	for i := len(g.Frames) - 1; i >= 0; i-- {
		f := g.Frames[i].Func
		if f.Missing != "" || f.Intrinsic != nil {
			continue
		}
		if !f.Std || !strings.HasPrefix(f.Name, "(*testing.") {
			caller = f.Name
			break
		}
		if i > 0 {
			site = g.FrameSite(i - 1)
		}
	}
	m.Trace.Status = trace.Unsupported
	m.Trace.Reason = fmt.Sprintf("unsupported %s, called by %s", what, caller)
	m.Trace.ReasonSite = site
	m.Over = true
	return Halt
}

// A SocketCount counts the descriptors that were made, and the ports that were asked for: by each goroutine, and by
// the initialisers.
type SocketCount struct{ Sockets, Ports int }

// A TestRun is what package testing has told the machine of the entry.
type TestRun struct {
	Testing   bool // tests are run (host/exits.go)
	TestWaits bool // a goroutine of package testing waits for a test (SEEN1 of package boundary)
	LastLog   map[*G]string
	Named     map[string]uint64 // how often names of subtests were asked for
	outputMax int
	// The part of the output that an example wrote before its end.
	EntryStart, EntryEnd int
	RootTest             uint64      // the testing.common above all tests of the entry
	Paired               bool        // the entry is a pair of tests
	Started              bool        // where there is a TestMain: it has called m.Run
	Beside               map[*G]bool // goroutines that have called t.Run beside the test, and those of the subtests below
	RanBeside            uint64      // how many such subtests have ended
}
