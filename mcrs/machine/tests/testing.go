// Package tests announces what of package testing's state other goroutines can see.
package tests

import (
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/trace"
	"github.com/heddle-go/heddle/program"
)

// This file defines what of package testing other goroutines can see: it is silent, and its state is announced here,
// as objects of each test. What reads and writes them is in testEffects; the rest of a test's state is its own
// goroutine's, or output.

// A testObject is a part of a test's state, by its distance from the test's common.
type testObject uint64

const (
	// What the test has come to: t.Log, t.Error and their kin read whether it has completed, and the end of the test
	// writes it (T.report is called just before testing sets T.done). So they commute with each other, and one that may
	// come too late is seen. Where the program asks whether a test has failed, that is part of the object: t.Failed
	// reads it, and what fails the test writes it.
	testOutcome testObject = iota
	// The functions of t.Cleanup, and whether they are run. t.Cleanup adds to it, the end takes from it, and t.Run
	// looks at it.
	testCleanups
	testStopped // by SkipNow, or FailNow
	testCorpus  // of F.Add
)

// A mention is a set of methods one of which the program must name for others to see an effect: else nobody asks, or
// there is nothing to be asked for.
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
	bubbleTest:                     {testCleanups, event.ObjectRead, cleansOrRuns},
	"(*testing.F).Add":             {testCorpus, event.ObjectWrite, nil},
	"(*testing.F).Fuzz":            {testCorpus, event.ObjectWrite, nil},
}

// Watches are the entries of testing that announce something.
func Watches() map[string]vm.Intrinsic {
	w := map[string]vm.Intrinsic{
		"(*testing.common).log":       testLog,
		"(*testing.common).Failed":    testAsked(testOutcome, "failed", fails),
		"(*testing.common).Skipped":   testAsked(testStopped, "skipped", skips),
		"(*testing.common).SkipNow":   testSkips,
		"(*testing.common).Output":    testLogs,
		"(*testing.matcher).fullName": testNamed,
		"(*testing.T).Parallel":       testParallel,
		"(*testing.T).checkParallel":  testJoins,
		"testing.tRunner$1":           testEnds,
		"testing.tRunner":             testRuns,
		"testing.fRunner":             testStarts,
		"(*testing.common).setRan":    testRan,
	}
	for _, name := range vm.OutputFunctions {
		w[name] = makesOutput
	}
	w["(*testing.outputWriter).Write"] = testWrites
	w["(*testing.T).report"], w["(*testing.F).report"] = testReports, testReports
	for name, e := range testEffects {
		w[name] = func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
			if !mentioned(m, e.only) && name == "(*testing.common).Cleanup" {
				return m.Lacks(g, "call of t.Cleanup by reflection")
			}
			if name == "(*testing.F).Add" && !readsGiven(m, g, w[1], 16*w[2]) {
				return vm.Yield
			}
			if mentioned(m, e.only) && !testState(m, g, w[0], e.object, e.kind) {
				return vm.Yield
			}
			switch name {
			case "(*testing.T).Run":
				runsBeside(m, g, g, w[0])
			case bubbleTest: // the test of a bubble is one below that which synctest.Test was given
				runsBeside(m, g, g.Parent, w[0])
			}
			return vm.Done
		}
	}
	return w
}

// testState announces what is done to a part of a test's state.
func testState(m *vm.Machine, g *vm.G, c uint64, o testObject, k event.Kind) bool {
	if m.Direct {
		return true
	}
	if !m.Announce(g, event.Op{Kind: k, Loc: event.Location{Addr: c + uint64(o)}}) {
		return false
	}
	m.Means(testWords[o][k])
	return true
}

// testWords say what reading and writing a part of a test's state means.
var testWords = map[testObject]map[event.Kind]string{
	testOutcome:  {event.ObjectRead: "looks whether the test has ended", event.ObjectWrite: "the test ends"},
	testCleanups: {event.ObjectRead: "looks whether cleanups are run", event.ObjectWrite: "adds to the test's cleanups, or runs one"},
	testStopped:  {event.ObjectRead: "looks whether the test was stopped", event.ObjectWrite: "stops the test"},
	testCorpus:   {event.ObjectRead: "reads the seed inputs", event.ObjectWrite: "writes the seed inputs"},
}

// mentioned reports whether the program names one of the methods. One that is called by way of reflection is not seen
// here: where its effect would be missed, the execution ends.
func mentioned(m *vm.Machine, only mention) bool {
	return only == nil || slices.ContainsFunc(only, func(name string) bool { return m.Mentions[name] })
}

// MentionsOf returns which of the methods in question packages outside the standard library, and std's helpers of
// tests, have in their code: their own, or another's.
func MentionsOf(p *program.Program) map[string]bool {
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
	found[asksForCode] = looksAtCode(p)
	return found
}

// fromTesting reports whether a function of testing called the one that was just entered.
func fromTesting(g *vm.G) bool {
	i := len(g.Frames) - 2
	for i >= 0 && g.Frames[i].Func.Wrapper {
		i--
	}
	return i >= 0 && g.Frames[i].Func.Silent
}

// testReports is T.report or F.report, at the end of a test. The overlay's has announced it for that of package
// testing, which it calls where there is something to write: whether there is is output, and makes no difference to
// what its goroutine does next.
func testReports(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	n := len(g.Frames)
	if again := n > 1 && g.Frames[n-2].Func.Name == "(*testing.T).report"; !again && !testState(m, g, w[0], testOutcome, event.ObjectWrite) {
		return vm.Yield
	}
	return makesOutput(m, g, w)
}

// testAsked is t.Failed or t.Skipped, where the program calls it and not testing itself.
func testAsked(o testObject, field string, names mention) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
		switch {
		case m.Direct || fromTesting(g):
			return vm.Done
		case !mentioned(m, names):
			return m.Lacks(g, "call of t."+names[0]+" by reflection")
		case field == "failed" && !runsTest(g, w[0]) && !looksDone(m, g, w[0]):
			return vm.Yield
		case !testState(m, g, w[0], o, event.ObjectRead):
			return vm.Yield
		}
		m.Means("looks whether the test " + field)
		m.Logged(g, vm.Word(testIs(m, w[0], field)), 0)
		return vm.Done
	}
}

// looksDone announces that testing looks whether the test at c is done, for a goroutine that does not run it.
func looksDone(m *vm.Machine, g *vm.G, c uint64) bool {
	if !touchesField(m, g, c, "done", event.Read) {
		return false
	}
	m.Accessed(g, []byte{byte(vm.Word(testIs(m, c, "done")))})
	return true
}

// testSkips is t.SkipNow.
func testSkips(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if s := Finishes(m, g, w); s != vm.Done {
		return s
	}
	return testSkip(m, g, w)
}

// testJoins is t.Parallel, and what t.Setenv and t.Chdir ask first: a test that does the one cannot do the other, nor
// can those below it. That is one object of all tests.
func testJoins(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if mentioned(m, joins) && mentioned(m, mention{"Setenv", "Chdir"}) && !m.HostObject(g, vm.ParallelObject, 0, true) {
		return vm.Yield
	}
	return vm.Done
}

// testLogs announces that a test, or the innermost of those around it that has not completed, is logged to. A test
// that has completed stays so.
func testLogs(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	for c := w[0]; c != 0; c = testParent(m, c) {
		if level, _ := above(m, c); level > 1 && !runsTest(g, c) {
			if !looksDone(m, g, c) {
				return vm.Yield
			}
		} else if !testState(m, g, c, testOutcome, event.ObjectRead) {
			return vm.Yield
		}
		over := testIs(m, c, "done")
		m.Logged(g, vm.Word(over), 0)
		if !over && !testIs(m, c, "isSynctest") {
			break
		}
	}
	return vm.Done
}

// testLog is the end of t.Log and its kin, and notes the text.
func testLog(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if s := testLogs(m, g, w); s != vm.Done {
		return s
	}
	if m.LastLog == nil {
		m.LastLog = map[*vm.G]string{}
	}
	m.LastLog[g] = m.GoString(w[1], w[2])
	return vm.Done
}

// testWrites is Write of what t.Output has returned, where the program calls it, and where t.Log and its kin do,
// which have looked for a test to log to some steps before: it may have completed meanwhile. Who runs a test knows
// that it has not.
func testWrites(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	makesOutput(m, g, w)
	p := m.Mem.At(w[0], 8) // outputWriter.c
	if p == nil || m.Direct {
		return vm.Done
	}
	c := *(*uint64)(p)
	if fromTesting(g) && runsTest(g, c) {
		return vm.Done
	}
	if !readsGiven(m, g, w[1], w[2]) {
		return vm.Yield
	}
	return testLogs(m, g, []uint64{c})
}

// readsGiven announces that testing reads bytes that the program has given it.
func readsGiven(m *vm.Machine, g *vm.G, addr, n uint64) bool {
	o := m.Mem.Object(addr)
	if n == 0 || m.Direct || o == nil || !vm.SharedBytes(o) || addr-o.Base+n > o.Size {
		return true
	}
	if !m.Announce(g, event.Op{Kind: event.Read, Loc: event.Location{Addr: addr, Size: uint32(n)}}) {
		return false
	}
	m.Accessed(g, o.Bytes()[addr-o.Base:][:n])
	return true
}

// testNamed is what finds a name for a subtest: how often names of that beginning were asked for decides it.
func testNamed(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if w[1] == 0 || m.Direct {
		return vm.Done
	}
	name := (*[2]uint64)(testField(m, w[1], "name"))
	key := nameKey(m.GoString(name[0], name[1]), m.GoString(w[2], w[3]))
	if !m.Announce(g, event.Op{Kind: event.ObjectWrite, Loc: event.Location{Addr: nameObjects | vm.HashString(key)}}) {
		return vm.Yield
	}
	if m.Named == nil {
		m.Named = map[string]uint64{}
	}
	m.Named[key]++
	m.Logged(g, m.Named[key], 0)
	return vm.Done
}

// nameObjects is where the names of subtests are, among addresses: no memory is there (NUMBER3).
const nameObjects = 1 << 63

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

// testEnds is what a test's goroutine does last. One that ends by Goexit looks whether its test, or one around it,
// was told to.
func testEnds(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	if !mentioned(m, exits) || !slices.ContainsFunc(g.Panics, func(p vm.PanicRec) bool { return p.Goexit }) {
		return vm.Done
	}
	for c := captured(m, g, "t"); c != 0; c = testParent(m, c) {
		if !testState(m, g, c, testStopped, event.ObjectRead) {
			return vm.Yield
		}
		over := testIs(m, c, "finished")
		m.Logged(g, vm.Word(over), 0)
		if over {
			break
		}
	}
	return vm.Done
}

// captured returns the pointer that the variable of that name holds which the innermost function, a literal, has
// captured.
func captured(m *vm.Machine, g *vm.G, name string) uint64 {
	fr := g.Top()
	for i, v := range fr.Func.SSA.FreeVars {
		if v.Name() != name {
			continue
		}
		kept := fr.Func.Free[i]
		if p := m.Mem.At(vm.Ld(fr.FP, fr.Func.Ctx)+kept.At, 8); p != nil {
			if kept.Value {
				return *(*uint64)(p)
			}
			if q := m.Mem.At(*(*uint64)(p), 8); q != nil {
				return *(*uint64)(q)
			}
		}
	}
	return 0
}

// belowEntry reports whether c is the entry's own test or below it: of what is around that nobody hears.
func belowEntry(m *vm.Machine, c uint64) bool {
	level := testField(m, c, "level")
	return level != nil && *(*int64)(level) > 0
}

// Late is testing.heddleLate(c *common) (over, looked bool): another goroutine than that of the test looks whether it
// is done, before it fails it. What it finds decides whether it panics, though the test may end before c is failed:
// it ends without a lock.
func Late(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[1], w[2] = 0, 0
	if m.Direct || !belowEntry(m, w[0]) || !asksWhetherDone(m, w[0]) || runsTest(g, w[0]) {
		return vm.Done
	}
	if !looksDone(m, g, w[0]) {
		return vm.Yield
	}
	w[1], w[2] = vm.Word(testIs(m, w[0], "done")), 1
	return vm.Done
}

// Fails is testing.heddleFails(c *common, over bool), before c is failed.
func Fails(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !belowEntry(m, w[0]) {
		if !failsRoot(m, g, w[0]) {
			return vm.Yield
		}
		return vm.Done
	}
	if over := w[1]&1 != 0; !over && !setsFailed(m, g, w[0]) {
		return vm.Yield
	}
	k := event.ObjectRead
	if mentioned(m, fails) {
		k = event.ObjectWrite
	}
	if !testState(m, g, w[0], testOutcome, k) {
		return vm.Yield
	}
	m.Means("fails the test")
	m.Logged(g, vm.Word(testIs(m, w[0], "done")), 0)
	return vm.Done
}

// setsFailed announces that the field failed of the test at c is written, which T.Run reads when its subtest goes on
// in parallel, and testing/synctest when its test has ended.
func setsFailed(m *vm.Machine, g *vm.G, c uint64) bool {
	if level, _ := above(m, c); (level < 2 || !mentioned(m, joins)) && !testIs(m, c, "isSynctest") {
		return true
	}
	if !touchesField(m, g, c, "failed", event.Write) {
		return false
	}
	m.Accessed(g, []byte{1})
	return true
}

// Finishes is testing.heddleFinishes(c *common), before FailNow says so.
func Finishes(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if (mentioned(m, exits) || mentioned(m, skips)) && !testState(m, g, w[0], testStopped, event.ObjectWrite) {
		return vm.Yield
	}
	return vm.Done
}

// Failed is testing.heddleFailed(c *common), after a test was failed.
func Failed(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		// A test that panics is failed by tRunner; the panic itself is what there is to report.
		if f := g.Frames[i].Func; f.Intrinsic == nil && f.Name != "(*testing.common).Fail" && !f.Wrapper {
			if strings.HasPrefix(f.Name, "testing.tRunner$") {
				return vm.Done
			}
			break
		}
	}
	if !m.Inits && !ofEntry(m, w[0]) {
		return vm.Done // somebody tests assertions, or a runner of tests
	}
	if m.Measured != "" { // the failure may be the machine's
		s := m.Lacks(g, "function "+m.Measured)
		m.Trace.Reason = "unsupported function " + m.Measured + ", and the test failed afterwards" // g reports the failure, and need not have called it
		return s
	}
	m.Trace.TestFailed = true
	if m.Inits {
		return vm.Done
	}
	f := trace.Failure{Thread: g.Index, Event: int32(len(m.Trace.Events)), Message: m.LastLog[g], Stack: g.StackFrames()}
	delete(m.LastLog, g)
	m.Trace.Failures = append(m.Trace.Failures, f)
	return vm.Done
}

// TakesCleanup announces, where runCleanup takes the lock of a test, that it takes a function off those of t.Cleanup,
// or finds that it is done.
func TakesCleanup(m *vm.Machine, g *vm.G, lock uint64) bool {
	for i := len(g.Frames) - 1; i >= 0; i-- {
		if f := g.Frames[i].Func; f.Intrinsic == nil && !f.Sync {
			return f.Name != "(*testing.common).runCleanup" || !mentioned(m, cleansOrRuns) || testState(m, g, lock, testCleanups, event.ObjectWrite)
		}
	}
	return true
}

// testParent returns the common of the test around c, 0 if there is none. The overlay's heddleOver is none: it is in
// the place of the entry's root when its test has completed.
func testParent(m *vm.Machine, c uint64) uint64 {
	_, parent := above(m, c)
	return parent
}

// testSkip notes that the entry's own test skips itself. A subtest that does is a part of the test that was not needed.
// The T of a bubble stands for the one that synctest.Test was given.
func testSkip(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	c := w[0]
	if parent := testField(m, c, "parent"); parent != nil && testIs(m, c, "isSynctest") {
		c = *(*uint64)(parent)
	}
	if !topLevel(m, c) || m.Trace.Skipped {
		return vm.Done
	}
	m.Trace.Skipped = true
	if n := len(g.Frames); n > 1 && strings.HasPrefix(g.Frames[n-2].Func.Name, "(*testing.common).Skip") {
		m.Trace.SkipText, _, _ = strings.Cut(strings.TrimSpace(m.LastLog[g]), "\n")
	}
	return vm.Done
}

// above returns the level of a testing.common, and its parent, 0 if it has none.
func above(m *vm.Machine, c uint64) (level int64, parent uint64) {
	p := testField(m, c, "parent")
	if p != nil {
		parent = *(*uint64)(p)
	}
	if parent != 0 && testLevel(m, parent) < 0 {
		parent = 0
	}
	return testLevel(m, c), parent
}

// testLevel returns the level of a testing.common: 0 of a root, 1 of a test.
func testLevel(m *vm.Machine, c uint64) int64 {
	p := testField(m, c, "level")
	if p == nil {
		return 0
	}
	return *(*int64)(p)
}

// ofEntry reports whether a test is the entry, or a subtest of it. A program may make others: with new(testing.T), or
// by testing.RunTests.
func ofEntry(m *vm.Machine, c uint64) bool {
	for {
		level, parent := above(m, c)
		switch {
		case level == 0:
			return c == m.RootTest
		case parent == 0: // the overlay takes it from the entry's own test when that has completed
			return level == 1
		}
		c = parent
	}
}

// topLevel reports whether a testing.common is that of a test of the package, and not of a subtest.
func topLevel(m *vm.Machine, c uint64) bool {
	level, _ := above(m, c)
	return !m.Inits && level == 1 && ofEntry(m, c)
}

// testStarts notes what is above all tests of the entry, where the first of them starts, and who runs the tests of a
// pair.
func testStarts(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.RootTest == 0 && !m.Inits {
		m.RootTest = w[0]
		for level, parent := above(m, m.RootTest); level > 0 && parent != 0; level, parent = above(m, m.RootTest) {
			m.RootTest = parent
		}
	}
	if m.Paired && topLevel(m, w[0]) {
		m.Trace.Tests = append(m.Trace.Tests, g.ID)
	}
	return vm.Done
}

// testRuns is testing.tRunner. Exec runs one test after the other, and each asks for itself.
func testRuns(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if m.Mode == vm.Running {
		m.Measured = ""
	}
	if m.Beside[g.Parent] {
		m.Beside[g] = true
	}
	return testStarts(m, g, w)
}

// testParallel notes that the entry's test may run beside others from here on.
func testParallel(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if s := testJoins(m, g, w); s != vm.Done {
		return s
	}
	if topLevel(m, w[0]) && m.Trace.Parallel == 0 {
		m.Trace.Parallel = len(m.Trace.Events) + 1
	}
	return vm.Done
}

// testIs reads a flag of a testing.common.
func testIs(m *vm.Machine, c uint64, field string) bool {
	p := testField(m, c, field)
	return p != nil && *(*bool)(p)
}

// testField returns where a field of a testing.common is, nil if there is none.
func testField(m *vm.Machine, c uint64, field string) unsafe.Pointer {
	if m.TestFields == nil {
		m.TestFields = map[string]uint64{}
		st, ok := m.Program.PackageByPath("testing").Types.Scope().Lookup("common").Type().Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		fields := make([]*types.Var, st.NumFields())
		for i := range fields {
			fields[i] = st.Field(i)
		}
		for i, off := range types.SizesFor("gc", "amd64").Offsetsof(fields) {
			m.TestFields[fields[i].Name()] = uint64(off)
		}
	}
	off, ok := m.TestFields[field]
	if !ok {
		return nil
	}
	return m.Mem.At(c+off, 1)
}

// makesOutput notes that the function that was entered is one of OutputFunctions. Where package testing is under test
// itself, and not silent, it is a function like others.
func makesOutput(_ *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	if !g.Top().Func.Silent {
		return vm.Done
	}
	if g.Outputs == 0 || g.Outputs > len(g.Frames) {
		g.Outputs = len(g.Frames)
	}
	return vm.Done
}
