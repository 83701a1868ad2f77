package host

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines os.Exit.
//
//	EXIT1  It ends the process, without deferred calls. In a test's process it ends the goroutine, and what the others
//	       then do is run. Goroutines that are blocked then have not leaked, if a test was run: their process is gone.
//	EXIT2  os.Exit(0) while tests are run is a panic, which the program can recover from (go test sets
//	       -test.paniconexit0).
//	EXIT3  Tests are run while the entry is or, if the package has a TestMain, its m.Run. In initialisers they are
//	       not. This may change while the program's goroutines run. So it is an object: os.Exit reads it, and the
//	       beginning and the end of the tests write it. It is read whatever the code is: TestMain's goroutine has that
//	       of M.Run, and is not told what it is where it does nothing else with it.
//	EXIT4  A process that ends while packages are initialised runs no test: the entry is not explored.
//	EXIT5  The exit of a TestMain that runs no test any more ends its goroutine and nothing else. It is the
//	       goroutine's End, as a return would be, and the explorers go on to ask who is left blocked. A transition has
//	       one event of a goroutine.
//	EXIT6  The end of main, in a main program, is an Exit: the process ends with it. (Not if main ends by Goexit.) So
//	       explorers take it to come last, behind all that others do. As a goroutine's End, which is independent of
//	       all, it came where it stood, and what a goroutine would have done before it was not explored.

// exitGuarded reports whether goroutines of the program may run while no test does.
func exitGuarded(m *vm.Machine) bool { return m.Program.TestMain != nil || len(m.Late) > 0 }

// TestsRun notes that the tests begin, or are over.
func TestsRun(m *vm.Machine, g *vm.G, on bool) vm.Status {
	if exitGuarded(m) && !m.HostObject(g, vm.TestsObject, 0, true) {
		return vm.Yield
	}
	m.Testing = on
	key := uint64(event.TakesOne)
	if on {
		key = event.AddsOne
	}
	if e := m.Entry; exitGuarded(m) && e != nil && (e.Kind == program.Test || e.Kind == program.Fuzz) && !m.SeesOthers(g, key) { // SEEN1
		return vm.Yield
	}
	m.TestWaits = on
	return vm.Done
}

// TestsAreRun is os.heddleTesting() bool.
func TestsAreRun(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if exitGuarded(m) && !m.HostObject(g, vm.TestsObject, 0, false) {
		return vm.Yield
	}
	w[0] = vm.Word(m.Testing)
	m.Logged(g, w[0], 0)
	return vm.Done
}

// Exit is os.heddleEnd(code int), and syscall.Exit.
func Exit(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	kind := event.Exit
	if m.Entry != nil && m.Entry.Kind != program.Main && g == m.Main && !m.Testing { // EXIT5
		kind = event.End
	}
	if !m.Announce(g, event.Op{Kind: kind}) {
		return vm.Yield
	}
	m.Logged(g, w[0], 0)
	m.Trace.ExitCode = int(int32(w[0]))
	m.Exited = true
	if m.Entry != nil && m.Entry.Kind != program.Main && m.Mode == vm.Exploring {
		// The test's process would end here; what the entry left behind is run to quiescence first.
		for len(g.Frames) > 0 {
			goroutine.DropFrame(m, g)
		}
		g.Panics = nil
		m.Gone = m.Gone || m.Testing && !m.EntryDone
		goroutine.Leave(m, g) // a transition has one event of a goroutine: the exit is its last
		m.EntryDone, m.Until = true, goroutine.GoneAfter(m)
		if m.Trace.ExitCode != 0 && !m.Trace.TestFailed {
			m.Trace.TestFailed = true
			m.Trace.Failures = append(m.Trace.Failures, trace.Failure{Thread: g.Index, Event: int32(len(m.Trace.Events)), Message: fmt.Sprintf("os.Exit(%d)", m.Trace.ExitCode)})
		}
		return vm.Halt
	}
	m.Trace.Status = trace.Returned
	m.EntryDone, m.Over = true, true
	return vm.Halt
}
