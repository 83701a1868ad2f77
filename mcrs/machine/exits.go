package machine

import (
	"fmt"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines os.Exit.
//
//	EXIT1  It ends the process, without deferred calls. Of a test's process it ends the goroutine, and what the others then do is run.
//	       Whoever is blocked then has not leaked, if a test was run: its process is gone.
//	EXIT2  os.Exit(0) while tests are run is a panic, which the program can recover from (go test sets -test.paniconexit0).
//	EXIT3  Tests are run while the entry is, or, where the package has a TestMain, its m.Run. In initialisers they are not. Where this changes
//	       while the program's goroutines run, it is an object: os.Exit(0) reads it, and the beginning and the end of the tests write it.
//	EXIT4  A process that ends while packages are initialised runs no test: the entry is not explored.
//	EXIT5  The exit of a TestMain that runs no test any more ends its goroutine and nothing else: it is the goroutine's End, as a return would be, and the
//	       explorers go on to ask who is left blocked. A transition has one event of a goroutine.

// exitGuarded reports whether goroutines of the program may run while no test does.
func (m *Machine) exitGuarded() bool { return m.prog.TestMain != nil || len(m.late) > 0 }

// testsRun notes that the tests begin, or are over.
func (m *Machine) testsRun(g *G, on bool) status {
	if m.exitGuarded() && !m.hostObject(g, testsObject, 0, true) {
		return yield
	}
	m.testing = on
	return done
}

// testsAreRun is os.heddleTesting() bool.
func testsAreRun(m *Machine, g *G, w []uint64) status {
	if m.exitGuarded() && !m.hostObject(g, testsObject, 0, false) {
		return yield
	}
	w[0] = b2w(m.testing)
	m.logged(g, w[0], 0)
	return done
}

// exit is os.heddleEnd(code int), and syscall.Exit.
func exit(m *Machine, g *G, w []uint64) status {
	kind := event.Exit
	if m.entry != nil && m.entry.Kind != program.Main && g == m.main && !m.testing { // EXIT5
		kind = event.End
	}
	if !m.announce(g, event.Op{Kind: kind}) {
		return yield
	}
	m.logged(g, w[0], 0)
	m.tr.ExitCode = int(int32(w[0]))
	m.exited = true
	if m.entry != nil && m.entry.Kind != program.Main && m.mode == exploring {
		// The test's process would end here; what the entry left behind is run to quiescence first.
		for len(g.frames) > 0 {
			m.dropFrame(g)
		}
		g.panics = nil
		m.gone = m.gone || m.testing && !m.entryDone
		m.leave(g) // a transition has one event of a goroutine: the exit is its last
		m.entryDone, m.until = true, m.goneAfter()
		if m.tr.ExitCode != 0 && !m.tr.TestFailed {
			m.tr.TestFailed = true
			m.tr.Failures = append(m.tr.Failures, trace.Failure{Thread: g.idx, Event: int32(len(m.tr.Events)), Message: fmt.Sprintf("os.Exit(%d)", m.tr.ExitCode)})
		}
		return halt
	}
	m.tr.Status = trace.Returned
	m.entryDone, m.over = true, true
	return halt
}
