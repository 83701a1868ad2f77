package machine

import (
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines what of package testing other goroutines can see: it is silent, and its state is announced here, as objects of each test. What reads
// and writes them is in testEffects; the rest of a test's state is its own goroutine's, or output.

// A testRun is what package testing has told the machine of the entry.
type testRun struct {
	testing   bool // tests are run (exits.go)
	lastLog   map[*G]string
	named     map[string]uint64 // how often names of subtests were asked for
	outputMax int
	// The part of the output that the entry wrote, where a TestMain may have written more; entryEnd 0: all of it.
	entryStart, entryEnd int
	rootTest             uint64 // the testing.common above all tests of the entry
	paired               bool   // the entry is a pair of tests
	started              bool   // where there is a TestMain: it has called m.Run
}

// A testObject is a part of a test's state, by its distance from the test's common.
type testObject uint64

const (
	// What the test has come to: t.Log, t.Error and their kin read whether it has completed, and the end of the test writes it (T.report is called just
	// before testing sets T.done). So they commute with each other, and one that may come too late is seen. Where the program asks whether a
	// test has failed, that is part of the object: t.Failed reads it, and what fails the test writes it.
	testOutcome testObject = iota
	// The functions of t.Cleanup, and whether they are run: it is added to, taken from at the end, and t.Run looks at it.
	testCleanups
	testStopped // by SkipNow, or FailNow
	testCorpus  // of F.Add
)

// A mention is a set of methods one of which the program must name for others to see an effect: else nobody asks, or there is nothing to be asked for.
type mention []string

var (
	cleans = mention{"Cleanup", "TempDir", "ArtifactDir", "Setenv", "Chdir"}
	skips  = mention{"Skipped"}
	exits  = mention{"Goexit"}
	fails  = mention{"Failed"}
	joins  = mention{"Parallel"}
	// What looks whether cleanups are run, and the functions of t.Cleanup.
	cleansOrRuns = append(mention{"Run", "Test"}, cleans...)
)

// A testEffect is what a function of testing announces when it is entered, for the test that is its first parameter.
type testEffect struct {
	object testObject
	kind   event.Kind
	only   mention // nil: always
}

// testEffects are the functions that announce one object. Those with more to say have a function of their own.
var testEffects = map[string]testEffect{
	"(*testing.common).Cleanup":    {testCleanups, event.ObjectWrite, cleans},
	"(*testing.common).runCleanup": {testCleanups, event.ObjectWrite, cleansOrRuns},
	"(*testing.T).Run":             {testCleanups, event.ObjectRead, cleansOrRuns},
	"testing.testingSynctestTest":  {testCleanups, event.ObjectRead, cleansOrRuns},
	"(*testing.F).Add":             {testCorpus, event.ObjectWrite, nil},
	"(*testing.F).Fuzz":            {testCorpus, event.ObjectWrite, nil},
}

// testWatches are the entries of testing that announce something.
func testWatches() map[string]Intrinsic {
	w := map[string]Intrinsic{
		"(*testing.common).log":       testLog,
		"(*testing.common).Failed":    testAsked(testOutcome, "failed", fails),
		"(*testing.common).Skipped":   testAsked(testStopped, "skipped", skips),
		"(*testing.common).SkipNow":   testSkips,
		"(*testing.common).Output":    testLogs,
		"(*testing.matcher).fullName": testNamed,
		"(*testing.T).Parallel":       testParallel,
		"(*testing.T).checkParallel":  testJoins,
		"testing.tRunner$1":           testEnds,
	}
	for _, name := range outputFunctions {
		w[name] = makesOutput
	}
	w["(*testing.outputWriter).Write"] = testWrites
	w["(*testing.T).report"], w["(*testing.F).report"] = testReports, testReports
	for name, e := range testEffects {
		w[name] = func(m *Machine, g *G, w []uint64) status {
			if !m.mentioned(e.only) && name == "(*testing.common).Cleanup" {
				return m.lacks(g, "call of t.Cleanup by reflection")
			}
			if m.mentioned(e.only) && !m.testState(g, w[0], e.object, e.kind) {
				return yield
			}
			return done
		}
	}
	return w
}

// testState announces what is done to a part of a test's state.
func (m *Machine) testState(g *G, c uint64, o testObject, k event.Kind) bool {
	return m.direct || m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: c + uint64(o)}})
}

// mentioned reports whether the program names one of the methods. One that is called by way of reflection is not seen here: where its effect would be
// missed, the execution ends.
func (m *Machine) mentioned(only mention) bool {
	return only == nil || slices.ContainsFunc(only, func(name string) bool { return m.mentions[name] })
}

// mentionsOf returns which of the methods in question packages outside the standard library, and std's helpers of tests, have in their code: their
// own, or another's.
func mentionsOf(p *program.Program) map[string]bool {
	found := map[string]bool{}
	for _, names := range []mention{cleansOrRuns, skips, exits, joins, fails} {
		for _, name := range names {
			found[name] = false
		}
	}
	for _, pkg := range p.Init {
		if pkg.Info == nil || pkg.Std && !strings.HasPrefix(pkg.Path, "testing/") {
			continue
		}
		for id, o := range pkg.Info.Uses {
			if _, ok := o.(*types.Func); !ok {
				continue
			}
			if _, ok := found[id.Name]; ok {
				found[id.Name] = true
			}
		}
	}
	return found
}

// fromTesting reports whether a function of testing called the one that was just entered.
func (g *goStack) fromTesting() bool {
	i := len(g.frames) - 2
	for i >= 0 && g.frames[i].f.wrapper {
		i--
	}
	return i >= 0 && g.frames[i].f.silent
}

// testReports is T.report or F.report, at the end of a test. The overlay's has announced it for that of package testing, which it calls where there is something to write: whether there is
// is output, and makes no difference to what its goroutine does next.
func testReports(m *Machine, g *G, w []uint64) status {
	n := len(g.frames)
	if again := n > 1 && g.frames[n-2].f.name == "(*testing.T).report"; !again && !m.testState(g, w[0], testOutcome, event.ObjectWrite) {
		return yield
	}
	return makesOutput(m, g, w)
}

// testAsked is t.Failed or t.Skipped, where the program calls it and not testing itself.
func testAsked(o testObject, field string, names mention) Intrinsic {
	return func(m *Machine, g *G, w []uint64) status {
		switch {
		case m.direct || g.fromTesting():
			return done
		case !m.mentioned(names):
			return m.lacks(g, "call of t."+names[0]+" by reflection")
		case field == "failed" && !g.runsTest(w[0]) && !m.looksDone(g, w[0]):
			return yield
		case !m.testState(g, w[0], o, event.ObjectRead):
			return yield
		}
		m.logged(g, b2w(m.testIs(w[0], field)), 0)
		return done
	}
}

// looksDone announces that testing looks whether the test at c is done, for a goroutine that does not run it.
func (m *Machine) looksDone(g *G, c uint64) bool {
	if !m.touchesField(g, c, "done", event.Read) {
		return false
	}
	m.accessed(g, []byte{byte(b2w(m.testIs(c, "done")))})
	return true
}

// testSkips is t.SkipNow.
func testSkips(m *Machine, g *G, w []uint64) status {
	if s := testFinishes(m, g, w); s != done {
		return s
	}
	return testSkip(m, g, w)
}

// testJoins is t.Parallel, and what t.Setenv and t.Chdir ask first: a test that does the one cannot do the other, nor can those below it. That is one
// object of all tests.
func testJoins(m *Machine, g *G, w []uint64) status {
	if m.mentioned(joins) && m.mentioned(mention{"Setenv", "Chdir"}) && !m.hostObject(g, parallelObject, 0, true) {
		return yield
	}
	return done
}

// testLogs announces that a test, or the innermost of those around it that has not completed, is logged to. A test that has completed stays so.
func testLogs(m *Machine, g *G, w []uint64) status {
	for c := w[0]; c != 0; c = m.testParent(c) {
		if level, _ := m.above(c); level > 1 && !g.runsTest(c) {
			if !m.looksDone(g, c) {
				return yield
			}
		} else if !m.testState(g, c, testOutcome, event.ObjectRead) {
			return yield
		}
		over := m.testIs(c, "done")
		m.logged(g, b2w(over), 0)
		if !over && !m.testIs(c, "isSynctest") {
			break
		}
	}
	return done
}

// testLog is the end of t.Log and its kin, and notes the text.
func testLog(m *Machine, g *G, w []uint64) status {
	if s := testLogs(m, g, w); s != done {
		return s
	}
	if m.lastLog == nil {
		m.lastLog = map[*G]string{}
	}
	m.lastLog[g] = m.goString(w[1], w[2])
	return done
}

// testWrites is Write of what t.Output has returned, where the program calls it, and where t.Log and its kin do, which have looked for a test to log to some steps
// before: it may have completed meanwhile. Who runs a test knows that it has not.
func testWrites(m *Machine, g *G, w []uint64) status {
	makesOutput(m, g, w)
	p := m.mem.At(w[0], 8) // outputWriter.c
	if p == nil || m.direct {
		return done
	}
	c := *(*uint64)(p)
	if g.fromTesting() && g.runsTest(c) {
		return done
	}
	return testLogs(m, g, []uint64{c})
}

// testNamed is what finds a name for a subtest: how often names of that beginning were asked for decides it.
func testNamed(m *Machine, g *G, w []uint64) status {
	if w[1] == 0 || m.direct {
		return done
	}
	name := (*[2]uint64)(m.testField(w[1], "name"))
	key := nameKey(m.goString(name[0], name[1]), m.goString(w[2], w[3]))
	if !m.announce(g, event.Op{Kind: event.ObjectWrite, Loc: event.Location{Addr: nameObjects | hashString(key)&(1<<48-1)}}) {
		return yield
	}
	if m.named == nil {
		m.named = map[string]uint64{}
	}
	m.named[key]++
	m.logged(g, m.named[key], 0)
	return done
}

// nameObjects is a segment that has no memory.
const nameObjects = 0xfffe << 48

var numbered = regexp.MustCompile(`(#[0-9]+)+$`)

// nameKey is what the names of subtests that can get into each other's way have in common: "x", "x#01" and "x#01#02".
func nameKey(parent, name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte('_')
		case !strconv.IsPrint(r):
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteRune(r)
		}
	}
	return numbered.ReplaceAllString(parent+"/"+b.String(), "")
}

// testEnds is what a test's goroutine does last. One that ends by Goexit looks whether its test, or one around it, was told to.
func testEnds(m *Machine, g *G, _ []uint64) status {
	if !m.mentioned(exits) || !slices.ContainsFunc(g.panics, func(p panicRec) bool { return p.goexit }) {
		return done
	}
	for c := m.captured(g, "t"); c != 0; c = m.testParent(c) {
		if !m.testState(g, c, testStopped, event.ObjectRead) {
			return yield
		}
		over := m.testIs(c, "finished")
		m.logged(g, b2w(over), 0)
		if over {
			break
		}
	}
	return done
}

// captured returns the pointer that the variable of that name holds which the innermost function, a literal, has captured.
func (m *heap) captured(g *G, name string) uint64 {
	fr := g.top()
	for i, v := range fr.f.ssa.FreeVars {
		if v.Name() != name {
			continue
		}
		if p := m.mem.At(ld(fr.fp, fr.f.Ctx)+8*uint64(i+1), 8); p != nil {
			if q := m.mem.At(*(*uint64)(p), 8); q != nil {
				return *(*uint64)(q)
			}
		}
	}
	return 0
}

// belowEntry reports whether c is the entry's own test or below it: of what is around that nobody hears.
func (m *Machine) belowEntry(c uint64) bool {
	level := m.testField(c, "level")
	return level != nil && *(*int64)(level) > 0
}

// testLate is testing.heddleLate(c *common) (over, looked bool): another goroutine than that of the test looks whether it is done, before it fails it. What it finds decides
// whether it panics, though the test may end before c is failed: it ends without a lock.
func testLate(m *Machine, g *G, w []uint64) status {
	w[1], w[2] = 0, 0
	if m.direct || !m.belowEntry(w[0]) || !m.asksWhetherDone(w[0]) || g.runsTest(w[0]) {
		return done
	}
	if !m.looksDone(g, w[0]) {
		return yield
	}
	w[1], w[2] = b2w(m.testIs(w[0], "done")), 1
	return done
}

// testFails is testing.heddleFails(c *common, over bool), before c is failed.
func testFails(m *Machine, g *G, w []uint64) status {
	if !m.belowEntry(w[0]) {
		return done
	}
	if over := w[1]&1 != 0; !over && !m.setsFailed(g, w[0]) {
		return yield
	}
	k := event.ObjectRead
	if m.mentioned(fails) {
		k = event.ObjectWrite
	}
	if !m.testState(g, w[0], testOutcome, k) {
		return yield
	}
	m.logged(g, b2w(m.testIs(w[0], "done")), 0)
	return done
}

// setsFailed announces that the field failed of the test at c is written, which T.Run reads when its subtest goes on in parallel.
func (m *Machine) setsFailed(g *G, c uint64) bool {
	level, _ := m.above(c)
	if level < 2 || !m.mentioned(joins) {
		return true
	}
	if !m.touchesField(g, c, "failed", event.Write) {
		return false
	}
	m.accessed(g, []byte{1})
	return true
}

// testFinishes is testing.heddleFinishes(c *common), before FailNow says so.
func testFinishes(m *Machine, g *G, w []uint64) status {
	if (m.mentioned(exits) || m.mentioned(skips)) && !m.testState(g, w[0], testStopped, event.ObjectWrite) {
		return yield
	}
	return done
}

// testFailed is testing.heddleFailed(c *common), after a test was failed.
func testFailed(m *Machine, g *G, w []uint64) status {
	for i := len(g.frames) - 1; i >= 0; i-- {
		// A test that panics is failed by tRunner; the panic itself is what there is to report.
		if f := g.frames[i].f; f.intrinsic == nil && f.name != "(*testing.common).Fail" && !f.wrapper {
			if strings.HasPrefix(f.name, "testing.tRunner$") {
				return done
			}
			break
		}
	}
	if !m.inits && !m.ofEntry(w[0]) {
		return done // somebody tests assertions, or a runner of tests
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

// takesCleanup announces, where runCleanup takes the lock of a test, that it takes a function off those of t.Cleanup, or finds that it is done.
func (m *Machine) takesCleanup(g *G, lock uint64) bool {
	for i := len(g.frames) - 1; i >= 0; i-- {
		if f := g.frames[i].f; f.intrinsic == nil && !f.sync {
			return f.name != "(*testing.common).runCleanup" || !m.mentioned(cleansOrRuns) || m.testState(g, lock, testCleanups, event.ObjectWrite)
		}
	}
	return true
}

// testParent returns the common of the test around c, 0 if there is none.
func (m *Machine) testParent(c uint64) uint64 {
	if p := m.testField(c, "parent"); p != nil {
		return *(*uint64)(p)
	}
	return 0
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

// above returns the level of a testing.common, and its parent, 0 if it has none.
func (m *Machine) above(c uint64) (level int64, parent uint64) {
	if p := m.testField(c, "level"); p != nil {
		level = *(*int64)(p)
	}
	if p := m.testField(c, "parent"); p != nil {
		parent = *(*uint64)(p)
	}
	return level, parent
}

// ofEntry reports whether a test is the entry, or a subtest of it. A program may make others: with new(testing.T), or by testing.RunTests.
func (m *Machine) ofEntry(c uint64) bool {
	for {
		level, parent := m.above(c)
		switch {
		case level == 0:
			return c == m.rootTest
		case parent == 0: // the overlay takes it from the entry's own test when that has completed
			return level == 1
		}
		c = parent
	}
}

// topLevel reports whether a testing.common is that of a test of the package, and not of a subtest.
func (m *Machine) topLevel(c uint64) bool {
	level, _ := m.above(c)
	return !m.inits && level == 1 && m.ofEntry(c)
}

// testStarts notes what is above all tests of the entry, where the first of them starts, and who runs the tests of a pair.
func testStarts(m *Machine, g *G, w []uint64) status {
	if m.rootTest == 0 && !m.inits {
		m.rootTest = w[0]
		for level, parent := m.above(m.rootTest); level > 0 && parent != 0; level, parent = m.above(m.rootTest) {
			m.rootTest = parent
		}
	}
	if m.paired && m.topLevel(w[0]) {
		m.tr.Tests = append(m.tr.Tests, g.id)
	}
	return done
}

// testParallel notes that the entry's test may run beside others from here on.
func testParallel(m *Machine, g *G, w []uint64) status {
	if s := testJoins(m, g, w); s != done {
		return s
	}
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
