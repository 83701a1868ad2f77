package machine

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/program"
	"golang.org/x/tools/go/ssa"
)

// This file notes what code the executions of an entry depend on, for who keeps verdicts (passes/cache). Rules:
//
//	NOTE1 An execution depends on the functions that it calls, and on those that the machine has looked into without calling them: those of unlocks.go.
//	NOTE2 It depends on what package initialisers have called, for they run once for all entries.
//	NOTE3 It depends on the lines of a function if the program has asked for a position in it. What package testing asks for goes into the log of the test
//	      alone, which no test can read; a TestMain can, by a pipe in place of standard output, and there it counts.
//
// It depends on what the machine decides by looking at the whole program, too: Facts.

// notes are what has been noted since BeginNotes, and by the initialisers.
type notes struct {
	noting      uint32 // counts calls of BeginNotes, from 1 on
	called      []*ssa.Function
	lines       map[*ssa.Function]bool
	always      map[*ssa.Function]bool // NOTE2, and what was looked into
	alwaysLines map[*ssa.Function]bool
	initialised bool
}

func (n *notes) begin() {
	n.noting++
	n.called, n.lines = nil, map[*ssa.Function]bool{}
	if n.always == nil {
		n.always, n.alwaysLines = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	}
}

// BeginNotes forgets what was noted, but for what counts for every entry.
func (m *Machine) BeginNotes() { m.notes.begin() }

// Noted returns the functions that executions since BeginNotes depend on, and those of them whose lines matter, each once, in no order.
func (m *Machine) Noted() (code, lines []*ssa.Function) {
	all := maps.Clone(m.always)
	for _, fn := range m.called {
		all[fn] = true
	}
	asked := maps.Clone(m.alwaysLines)
	maps.Copy(asked, m.notes.lines)
	return slices.Collect(maps.Keys(all)), slices.Collect(maps.Keys(asked))
}

// Initialised reports whether the package initialisers are done.
func (m *Machine) Initialised() bool { return m.initialised }

// noteCall is NOTE1 and NOTE2, at the first call of a function. It makes sure that the function is compiled.
func (m *Machine) noteCall(f *Func) {
	if !f.compiled {
		m.compile(f)
	}
	f.noted = m.noting
	switch {
	case f.ssa == nil || f.intrinsic != nil:
	case m.inits:
		m.always[f.ssa] = true
	default:
		m.called = append(m.called, f.ssa)
	}
}

// noteLook notes a function that is looked into, for every entry: the answer may be kept.
func (m *notes) noteLook(fn *ssa.Function) { m.always[fn] = true }

// notePosition is NOTE3.
func (m *Machine) notePosition(g *G, s event.Site) {
	if int(s) >= len(m.siteTable) || m.siteTable[s].f == nil || m.siteTable[s].f.ssa == nil {
		return
	}
	if m.prog.TestMain == nil && g.testingAsks() {
		return
	}
	m.noteLines(m.siteTable[s].f.ssa)
}

func (m *Machine) noteLines(fn *ssa.Function) {
	if m.inits {
		m.alwaysLines[fn] = true
		return
	}
	m.notes.lines[fn] = true
}

// testingAsks reports whether it is package testing that asks for a position, through functions of package runtime alone.
func (g *goStack) testingAsks() bool {
	for i := len(g.frames) - 1; i >= 0; i-- {
		name := g.frames[i].f.name
		switch {
		case strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "(*runtime."):
		default:
			return strings.HasPrefix(name, "testing.") || strings.HasPrefix(name, "(*testing.")
		}
	}
	return false
}

// Facts is what the machine decides by looking at the whole program, as text.
func Facts(p *program.Program) string {
	mentions := mentionsOf(p)
	var named []string
	for _, name := range slices.Sorted(maps.Keys(mentions)) {
		if mentions[name] {
			named = append(named, name)
		}
	}
	return fmt.Sprint("trylock ", mentionsTryLock(p), " testing ", named, " main ", p.TestMain != nil)
}
