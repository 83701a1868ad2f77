package machine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// This file defines what a goroutine sees of the others: how many there are, and where they stand.
//
//	SEEN1  runtime.NumGoroutine counts the goroutines that were started and have not ended; the coroutines of iter.Pull; and, in a test, the one that waits for it in package testing. It is an
//	       event: go and the end of a goroutine change what it returns, and so do newCoro and a coroutine's end.
//	SEEN2  runtime.Stack of all goroutines is an event too: what it writes depends on each step that another goroutine takes.
//	SEEN3  The number of a goroutine in such a text is a function of its name, so that it does not depend on who was started first.

// The keys of event.Goroutines.
const (
	seesCount  = iota // Value is the number
	movesCount        // a coroutine begins or ends
	seesStacks        // Value is a digest of the text
)

// seesOthers announces an operation on what goroutines see of each other.
func (m *Machine) seesOthers(g *G, what uint64) bool {
	return m.direct || m.announce(g, event.Op{Kind: event.Goroutines, Key: what})
}

func numGoroutine(m *Machine, g *G, w []uint64) status {
	if !m.seesOthers(g, seesCount) {
		return yield
	}
	n := uint64(m.coros)
	if m.inTest() {
		n++
	}
	for _, o := range m.gs {
		if !o.ended && !o.pseudo() {
			n++
		}
	}
	m.logged(g, n, 0)
	w[0] = n
	return done
}

// inTest reports whether the entry is a test and runs: under a TestMain there is code before and after it.
func (m *Machine) inTest() bool {
	e := m.entry
	if e == nil || m.mode == running || e.Kind != program.Test && e.Kind != program.Fuzz {
		return false
	}
	return m.testing
}

// pseudo reports whether g is the thread of a timer or of a store buffer, and no goroutine.
func (g *G) pseudo() bool { return g.fires != nil || g.buffers != nil }

// number is the number of a goroutine in texts.
func (m *Machine) number(g *G) int {
	if m.mode == running { // of Exec, whose goroutines share a segment
		return int(g.idx) + 1
	}
	return g.seg - mem.First + 1
}

// runtimeStack(buf []byte, all bool) int.
func runtimeStack(m *Machine, g *G, w []uint64) status {
	s := fmt.Sprintf("goroutine %d [running]:\n%s", m.number(g), m.stackDump(g))
	if all := w[3]&0xff != 0; all {
		done := g.cursor < g.stage // in an earlier attempt
		if !m.seesOthers(g, seesStacks) {
			return yield
		}
		if !done {
			g.others = m.otherStacks(g)
			m.logged(g, digest([]byte(s+g.others+"\x00padding")), 0)
		}
		s += g.others
	}
	n := min(uint64(len(s)), w[1])
	w[4] = n
	return m.store(g, w[0], []byte(s[:n]), nil)
}

// stackDump is what runtime.Stack writes of g's frames.
func (m *Machine) stackDump(g *G) string {
	var b strings.Builder
	for _, fr := range m.callStack(g) {
		f, args := m.siteTable[fr.Site].f, "(...)"
		if f.ssa != nil && len(f.ssa.Params) == 0 {
			args = "()"
		}
		m.notePosition(g, fr.Site)
		pos := m.Position(fr.Site)
		fmt.Fprintf(&b, "%s%s\n\t%s:%d +0x%x\n", m.nativeName(f), args, pos.Filename, pos.Line, fr.Site)
	}
	return b.String()
}

// otherStacks is what runtime.Stack writes of all goroutines but g.
func (m *Machine) otherStacks(g *G) string {
	others := slices.DeleteFunc(slices.Clone(m.live), func(o *G) bool { return o == g || o.ended || o.pseudo() })
	slices.SortFunc(others, func(a, b *G) int { return m.number(a) - m.number(b) })
	var b strings.Builder
	for _, o := range others {
		state := "runnable"
		if o.waiting && m.waits(o) {
			state = waitsFor(&o.op)
		}
		fmt.Fprintf(&b, "\ngoroutine %d [%s]:\n%s", m.number(o), state, m.stackDump(o))
		if f := o.runs; len(o.frames) == 0 && f != nil && f.ssa != nil { // it is about to end
			m.noteLines(f.ssa)
			pos := m.prog.Fset.Position(f.ssa.Pos())
			fmt.Fprintf(&b, "%s(...)\n\t%s:%d +0x0\n", m.nativeName(f), pos.Filename, pos.Line)
		}
		if at := m.tr.Threads[o.idx].Site; at != 0 && o.parent != nil {
			m.notePosition(o, at)
			pos := m.Position(at)
			fmt.Fprintf(&b, "created by %s in goroutine %d\n\t%s:%d +0x%x\n", m.nativeName(m.siteTable[at].f), m.number(o.parent), pos.Filename, pos.Line, at)
		}
	}
	return b.String()
}

// waits reports whether a goroutine cannot go on where it stands.
func (m *execution) waits(g *G) bool {
	return !slices.ContainsFunc(m.state.Enabled, func(t sched.Transition) bool { return t.Thread == g.idx || t.Partner == g.idx }) && !m.waitsToPoll(g)
}
