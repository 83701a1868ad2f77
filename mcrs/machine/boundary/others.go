package boundary

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/loop"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"github.com/heddle-go/heddle/mcrs/sched"
	"github.com/heddle-go/heddle/program"
)

// This file defines what a goroutine sees of the others: how many there are, and where they stand.
//
//	SEEN1  runtime.NumGoroutine counts the goroutines that were started and have not ended, the coroutines of
//	       iter.Pull and, in a test, the one that waits for it in package testing. It is an event: go and the end of a
//	       goroutine change what it returns, and so do newCoro, a coroutine's end and, where goroutines of the program
//	       may run while no test does, the beginning and the end of the tests.
//	SEEN2  runtime.Stack of all goroutines is an event too: what it writes depends on each step that another goroutine
//	       takes.
//	       In a test it has the goroutine that waits in package testing, too: it is number 1, and started the test's.
//	       Who waits stands in the functions in which it would natively (parked.go).
//	SEEN3  The number of a goroutine in such a text is a function of its name, so that it does not depend on who was
//	       started first.
//	SEEN4  runtime/metrics has the number of SEEN1. How many were created, run, could run, or wait is not counted, and
//	       not supported.
//	SEEN5  A goroutine that was started may not have begun yet: the text has the function of its go statement, and
//	       nothing of what that calls. So in an entry that could ask for the stacks of all (unbegun.go) a goroutine
//	       begins with a step of its own, a Yield.
//	SEEN6  runtime.GoroutineProfile, and the profile "goroutine" of runtime/pprof, have the stacks of SEEN2, and below
//	       who waits the functions of the runtime in which it would natively (profile.go).
//	SEEN7  A metrics.Read that asks for the number of SEEN4 alone measures nothing. So a test that then fails has
//	       failed, and is not one that counted on a measurement.

func numGoroutine(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.SeesOthers(g, event.SeesCount) {
		return vm.Yield
	}
	n := uint64(m.Coros)
	if inTest(m) {
		n++
	}
	for _, o := range m.Threads {
		if !o.Ended && !o.Pseudo() {
			n++
		}
	}
	m.Logged(g, n, 0)
	w[0] = n
	return vm.Done
}

// notCounted is called for a metric that is not counted. A program that only runs finds it to be zero.
func notCounted(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	if m.Mode == vm.Running {
		return vm.Done
	}
	return m.Lacks(g, "metrics of what goroutines do")
}

// inTest reports whether the entry is a test and runs: under a TestMain there is code before and after it.
func inTest(m *vm.Machine) bool { return ofTest(m) && m.TestWaits }

// ofTest reports whether the entry is a test.
func ofTest(m *vm.Machine) bool {
	e := m.Entry
	return e != nil && m.Mode != vm.Running && (e.Kind == program.Test || e.Kind == program.Fuzz)
}

// number is the number of a goroutine in texts (SEEN3).
func number(m *vm.Machine, g *vm.G) int {
	if m.Mode == vm.Running { // of Exec, whose goroutines share a segment
		return int(g.Index) + 1
	}
	n := numberOf(g.ID)
	if ofTest(m) && n < generation {
		n++ // 1 is the one that waits in package testing
	}
	return n
}

// generation is more than a goroutine can start others.
const generation = 1 << 20

// numberOf is the number of a goroutine by its name: 1 is G1's, and 1 + k that of the k-th that G1 starts. Those that
// others start have the starter's number before their own, as digits. Names that are longer, and functions that timers
// run, have what is left.
func numberOf(id event.ThreadID) int {
	if id == "G1" {
		return 1
	}
	for by, child := range id.Ancestry {
		if by == "G1" {
			return 1 + child
		}
		if n := numberOf(by); n < generation*generation {
			return n*generation + child
		}
		break
	}
	return 1<<61 | int(vm.HashString(string(id))>>4)
}

// runtimeStack(buf []byte, all bool) int.
func runtimeStack(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	s := fmt.Sprintf("goroutine %d [running]:\n%s%s", number(m, g), stackDump(m, g), createdBy(m, g))
	if all := w[3]&0xff != 0; all {
		done := g.Cursor < g.Stage // in an earlier attempt
		if !m.SeesOthers(g, event.SeesStacks) {
			return vm.Yield
		}
		if !done {
			n := 0
			g.Others, n = otherStacks(m, g)
			m.Logged(g, vm.Digest([]byte(s+g.Others+"\x00padding")), int64(n))
			noteUnbegun(m, g, n)
		}
		s += g.Others
	}
	n := min(uint64(len(s)), w[1])
	w[4] = n
	return access.Store(m, g, w[0], []byte(s[:n]), nil)
}

// stackDump is what runtime.Stack writes of g's frames.
func stackDump(m *vm.Machine, g *vm.G) string {
	var b strings.Builder
	above := ""
	for _, fr := range ownStack(m, g) {
		f, args := m.SiteTable[fr.Site].Func, "(...)"
		if f.SSA != nil && len(f.SSA.Params) == 0 {
			args = "()"
		}
		name := shownName(m, f)
		if name == "" || name == above && name != NativeName(m, f) { // it calls what it stands for
			continue
		}
		if above = name; name == "runtime.gopanic" { // the runtime writes it so, and parsers of stacks look for it
			fmt.Fprintf(&b, "panic(...)\n\t%s/src/runtime/panic.go:860 +0x13a\n", m.Config.Kernel.GOROOT)
			continue
		}
		m.NotePosition(g, fr.Site)
		pos := m.Position(fr.Site)
		if f.SSA == nil { // deferWrap
			args = "()"
			_, pos.Filename, pos.Line = cutPlace(f.Name)
		}
		fmt.Fprintf(&b, "%s%s\n\t%s:%d +0x%x\n", name, args, pos.Filename, pos.Line, m.Offset(fr.Site))
	}
	return b.String()
}

// shownName is the name of a function in the text of a stack. A function of ours that stands for one of the standard
// library has the name of that, and one that it calls is not shown.
func shownName(m *vm.Machine, f *vm.Func) string {
	name := NativeName(m, f)
	if !f.Std || !strings.Contains(name, ".heddle") && !strings.Contains(name, ".Heddle") && !strings.Contains(name, "(*heddle") {
		return name
	}
	for _, of := range slices.Sorted(maps.Keys(m.Library.Redirects)) {
		if linkName(m.Library.Redirects[of]) == name {
			return linkName(of)
		}
	}
	return ""
}

// linkName writes the name of a method as the runtime does: "path.(*T).M" for "(*path.T).M".
func linkName(name string) string {
	path, ok := strings.CutPrefix(name, "(*")
	if !ok {
		return name
	}
	slash := strings.LastIndexByte(path, '/') + 1
	dot := slash + strings.IndexByte(path[slash:], '.')
	return path[:dot] + ".(*" + path[dot+1:]
}

// otherStacks is what runtime.Stack writes of all goroutines but g, and how many these are, without the one that waits
// in package testing.
func otherStacks(m *vm.Machine, g *vm.G) (string, int) {
	var b strings.Builder
	n := 0
	for _, o := range stacksBeside(m, g) {
		no := 1
		if o.of != nil {
			n, no = n+1, number(m, o.of)
		}
		fmt.Fprintf(&b, "\ngoroutine %d [%s]:\n%s", no, o.state, o.text)
	}
	return b.String(), n
}

// A besideStack is what runtime.Stack writes of another goroutine, nil the one that waits in package testing.
type besideStack struct {
	of          *vm.G
	state, text string
}

// stacksBeside are the stacks of all goroutines but g.
func stacksBeside(m *vm.Machine, g *vm.G) (all []besideStack) {
	others := slices.DeleteFunc(slices.Clone(m.Live), func(o *vm.G) bool { return o == g || o.Ended || o.Pseudo() })
	slices.SortFunc(others, func(a, b *vm.G) int { return number(m, a) - number(m, b) })
	if inTest(m) {
		all = append(all, besideStack{nil, "chan receive", waitingInTesting(m)})
	}
	for _, o := range others {
		state, stack := "runnable", ""
		if o.Unbegun {
			stack = unbegun(m, o)
		} else if o.Waiting && waits(m, o) {
			state, stack = parked(m, o)
		} else {
			stack = stackDump(m, o)
		}
		if f := o.Runs; len(o.Frames) == 0 && f != nil && f.SSA != nil { // it is about to end
			m.NoteLines(f.SSA)
			pos := m.Program.Fset.Position(f.SSA.Pos())
			stack += fmt.Sprintf("%s(...)\n\t%s:%d +0x0\n", NativeName(m, f), pos.Filename, pos.Line)
		}
		all = append(all, besideStack{o, state, stack + createdBy(m, o)})
	}
	return all
}

// createdBy is what a stack's text says of the go statement that started a goroutine.
func createdBy(m *vm.Machine, o *vm.G) string {
	at := m.Trace.Threads[o.Index].Site
	switch {
	case at != 0 && o.Parent != nil:
		m.NotePosition(o, at)
		pos := m.Position(at)
		return fmt.Sprintf("created by %s in goroutine %d\n\t%s:%d +0x%x\n", NativeName(m, m.SiteTable[at].Func), number(m, o.Parent), pos.Filename, pos.Line, m.Offset(at))
	case o == m.Main && inTest(m):
		return fmt.Sprintf("created by testing.(*T).Run in goroutine 1\n\t%s:2101 +0x4c5\n", testingFile(m))
	}
	return ""
}

// waitingInTesting is the text of the goroutine that waits for a test.
func waitingInTesting(m *vm.Machine) string {
	var b strings.Builder
	for _, at := range []struct {
		name         string
		line, offset int
	}{{"(*T).Run", 2109, 0x4e5}, {"runTests.func1", 2585, 0x3e}, {"tRunner", 2036, 0xea}, {"runTests", 2583, 0x505}, {"(*M).Run", 2443, 0x6ac}} {
		fmt.Fprintf(&b, "testing.%s(...)\n\t%s:%d +0x%x\n", at.name, testingFile(m), at.line, at.offset)
	}
	b.WriteString("main.main()\n\t_testmain.go:46 +0x9b\n")
	return b.String()
}

func testingFile(m *vm.Machine) string { return m.Config.Kernel.GOROOT + "/src/testing/testing.go" }

// waits reports whether a goroutine cannot go on where it stands, or sleeps: that a sleep may end early (TIME4) is that
// time may pass now.
func waits(m *vm.Machine, g *vm.G) bool {
	if g.Op.Kind == event.Sleep && m.Line(g).Now < g.WakeAt {
		return true
	}
	return !slices.ContainsFunc(m.State.Enabled, func(t sched.Transition) bool { return t.Thread == g.Index || t.Partner == g.Index }) && !loop.WaitsToPoll(m, g)
}

// WaitsFor names a pending operation as the runtime's goroutine dumps do.
func WaitsFor(o *event.Op) string {
	switch s := cmp.Or(o.Kind.Waits(), o.Kind.String()); {
	case o.IsSelect() && len(o.Cases) == 0:
		return "select (no cases)"
	case o.IsSelect():
		return "select"
	case o.Kind.IsComm() && o.Loc.Addr == 0:
		return s + " (nil chan)"
	case o.Kind == event.Lock && o.Key != event.MutexKey:
		return event.LockAnnounce.Waits() // the second half of RWMutex.Lock
	default:
		return s
	}
}
