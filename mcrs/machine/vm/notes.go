package vm

import (
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"golang.org/x/tools/go/ssa"
)

// This file notes what code the executions of an entry depend on, for who keeps verdicts (passes/cache). Rules:
//
//	NOTE1 An execution depends on the functions that it calls, and on those that the machine has looked into without
//	      calling them: those of loop/unlocks.go.
//	NOTE2 It depends on what package initialisers have called, for they run once for all entries.
//	NOTE3 It depends on the lines of a function if the program has asked for a position in it. What package testing
//	      asks for goes into the log of the test alone, which no test can read: it depends on how long that is, for to
//	      write it takes work. A TestMain can read it, by a pipe in place of standard output, and there it counts.
//
// It depends on what the machine decides by looking at the whole program, too: Facts.

// Notes are what has been noted since BeginNotes, and by the initialisers.
type Notes struct {
	noting      uint32 // counts calls of BeginNotes, from 1 on
	Called      []*ssa.Function
	Lines       map[*ssa.Function]bool
	InLog       map[*ssa.Function]bool // package testing has asked for a position in them
	Always      map[*ssa.Function]bool // NOTE2, and what was looked into
	AlwaysLines map[*ssa.Function]bool
	Initialised bool
}

// Begin forgets what was noted, but for what counts for every entry.
func (n *Notes) Begin() {
	n.noting++
	n.Called, n.Lines, n.InLog = nil, map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	if n.Always == nil {
		n.Always, n.AlwaysLines = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	}
}

// noteCall is NOTE1 and NOTE2, at the first call of a function. It makes sure that the function is compiled.
func noteCall(m *Machine, f *Func) {
	if !f.Compiled {
		m.Library.Compile(m, f)
	}
	f.noted = m.noting
	switch {
	case f.SSA == nil || f.Intrinsic != nil:
	case m.Inits:
		m.Always[f.SSA] = true
	default:
		m.Called = append(m.Called, f.SSA)
	}
}

// NoteLook notes a function that is looked into, for every entry: the answer may be kept.
func (m *Notes) NoteLook(fn *ssa.Function) { m.Always[fn] = true }

// NotePosition is NOTE3.
func (m *Machine) NotePosition(g *G, s event.Site) {
	if int(s) >= len(m.SiteTable) || m.SiteTable[s].Func == nil || m.SiteTable[s].Func.SSA == nil {
		return
	}
	if m.Program.TestMain == nil && g.testingAsks() {
		m.InLog[m.SiteTable[s].Func.SSA] = true
		return
	}
	m.NoteLines(m.SiteTable[s].Func.SSA)
}

// NoteLines notes that executions depend on the lines of fn.
func (m *Machine) NoteLines(fn *ssa.Function) {
	if m.Inits {
		m.AlwaysLines[fn] = true
		return
	}
	m.Notes.Lines[fn] = true
}

// testingAsks reports whether it is package testing that asks for a position, through functions of package runtime
// alone.
func (g *GoStack) testingAsks() bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		name := g.Frames[i].Func.Name
		switch {
		case strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "(*runtime."):
		default:
			return strings.HasPrefix(name, "testing.") || strings.HasPrefix(name, "(*testing.")
		}
	}
	return false
}
