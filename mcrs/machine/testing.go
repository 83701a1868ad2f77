package machine

import (
	"go/types"
	"strings"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines what of package testing other goroutines can see: it is silent, and its state is announced here.

// What a test has come to is one object: t.Log, t.Error and their kin read whether it has completed, and the end of the test writes it
// (T.report is called just before testing sets T.done). So they commute with each other, and one that may come too late is seen. Where the program
// asks whether a test has failed, that is part of the object: t.Failed reads it, and what fails the test writes it.
func (m *Machine) testState(g *G, c uint64, k event.Kind) bool {
	return m.direct || m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: c}})
}

// mentionsFailed reports whether a package that is not of the standard library has a method Failed, its own or another's, in its code. A
// method that is called by way of reflection is not seen here: see testFailed.
func mentionsFailed(p *program.Program) bool {
	for _, pkg := range p.Init {
		if pkg.Std {
			continue
		}
		for id, o := range pkg.Info.Uses {
			if _, ok := o.(*types.Func); ok && id.Name == "Failed" {
				return true
			}
		}
	}
	return false
}

// testFailed is t.Failed, where the program calls it and not testing itself.
func testFailed(m *Machine, g *G, w []uint64) status {
	i := len(g.frames) - 2
	for i >= 0 && g.frames[i].f.wrapper {
		i--
	}
	if i >= 0 && g.frames[i].f.silent || m.direct {
		return done
	}
	if !m.asksFailed {
		return m.lacks(g, "call of t.Failed by reflection")
	}
	if !m.testState(g, w[0], event.ObjectRead) {
		return yield
	}
	m.logged(g, b2w(m.testIs(w[0], "failed")), 0)
	return done
}

func testReport(m *Machine, g *G, w []uint64) status {
	if !m.testState(g, w[0], event.ObjectWrite) {
		return yield
	}
	return done
}

// testLog notes the text of t.Log and its kin; testFail makes it a failure.
func testLog(m *Machine, g *G, w []uint64) status {
	if !m.testState(g, w[0], event.ObjectRead) {
		return yield
	}
	m.logged(g, b2w(m.testIs(w[0], "done")), 0)
	if m.lastLog == nil {
		m.lastLog = map[*G]string{}
	}
	m.lastLog[g] = m.goString(w[1], w[2])
	return done
}

func testFail(m *Machine, g *G, w []uint64) status {
	if n := len(g.frames); n > 1 && g.frames[n-2].f.name == "(*testing.common).Fail" {
		return done // a parent of the failing test
	}
	if !m.asksFailed {
		if !m.testState(g, w[0], event.ObjectRead) {
			return yield
		}
	} else if !m.failTests(g, w[0]) {
		return yield
	}
	m.logged(g, b2w(m.testIs(w[0], "done")), 0)
	for i := len(g.frames) - 2; i >= 0; i-- {
		// A test that panics is failed by tRunner; the panic itself is what there is to report.
		if n := g.frames[i].f.name; n != "(*testing.common).Fail" && !g.frames[i].f.wrapper {
			if strings.HasPrefix(n, "testing.tRunner$") {
				return done
			}
			break
		}
	}
	if m.testIs(w[0], "done") {
		return done // Fail panics, and fails nothing
	}
	if level := m.testField(w[0], "level"); level != nil && *(*int64)(level) == 0 && !m.inits {
		return done // new(testing.T): somebody tests assertions
	}
	if m.measured != "" { // the failure may be the machine's
		return m.lacks(g, "function "+m.measured)
	}
	m.tr.TestFailed = true
	if m.inits {
		return done
	}
	f := trace.Failure{Thread: g.idx, Event: int32(len(m.tr.Events)), Message: m.lastLog[g], Stack: m.stackOf(g)}
	delete(m.lastLog, g)
	m.tr.Failures = append(m.tr.Failures, f)
	return done
}

// failTests fails a test and those around it, the outermost first as Fail does, each with its event. What Fail itself does after that changes nothing
// any more, but panics if the test has completed.
func (m *Machine) failTests(g *G, c uint64) bool {
	if level, parent := m.testField(c, "level"), m.testField(c, "parent"); level != nil && *(*int64)(level) > 1 && !m.failTests(g, *(*uint64)(parent)) {
		return false
	}
	if before := g.stage; !m.testState(g, c, event.ObjectWrite) {
		return false
	} else if g.stage == before { // it was performed in an earlier attempt
		return true
	}
	if m.testIs(c, "done") {
		return true
	}
	if o := m.mem.Object(c); o != nil {
		m.thawed(o)
		*(*bool)(m.testField(c, "failed")) = true
	}
	return true
}

// testSkip notes that the entry's own test skips itself. A subtest that does is a part of the test that was not needed.
// The T of a bubble stands for the one that synctest.Test was given.
func testSkip(m *Machine, g *G, w []uint64) status {
	c := w[0]
	if parent := m.testField(c, "parent"); parent != nil && m.testIs(c, "isSynctest") {
		c = *(*uint64)(parent)
	}
	if !m.topLevel(c) || m.tr.Skipped {
		return done
	}
	m.tr.Skipped = true
	if n := len(g.frames); n > 1 && strings.HasPrefix(g.frames[n-2].f.name, "(*testing.common).Skip") {
		m.tr.SkipText, _, _ = strings.Cut(strings.TrimSpace(m.lastLog[g]), "\n")
	}
	return done
}

// topLevel reports whether a testing.common is that of a test of the package, and not of a subtest.
func (m *Machine) topLevel(c uint64) bool {
	level := m.testField(c, "level")
	return !m.inits && level != nil && *(*int64)(level) == 1
}

// testStarts notes who runs the tests of a pair.
func testStarts(m *Machine, g *G, w []uint64) status {
	if m.paired && m.topLevel(w[0]) {
		m.tr.Tests = append(m.tr.Tests, g.id)
	}
	return done
}

// testParallel notes that the entry's test may run beside others from here on.
func testParallel(m *Machine, _ *G, w []uint64) status {
	if m.topLevel(w[0]) && m.tr.Parallel == 0 {
		m.tr.Parallel = len(m.tr.Events) + 1
	}
	return done
}

// testIs reads a flag of a testing.common.
func (m *Machine) testIs(c uint64, field string) bool {
	p := m.testField(c, field)
	return p != nil && *(*bool)(p)
}

// testField returns where a field of a testing.common is, nil if there is none.
func (m *Machine) testField(c uint64, field string) unsafe.Pointer {
	if m.testFields == nil {
		m.testFields = map[string]uint64{}
		st, ok := m.prog.PackageByPath("testing").Types.Scope().Lookup("common").Type().Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		fields := make([]*types.Var, st.NumFields())
		for i := range fields {
			fields[i] = st.Field(i)
		}
		for i, off := range types.SizesFor("gc", "amd64").Offsetsof(fields) {
			m.testFields[fields[i].Name()] = uint64(off)
		}
	}
	off, ok := m.testFields[field]
	if !ok {
		return nil
	}
	return m.mem.At(c+off, 1)
}
