package tests

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says what races if a test calls t.Run in a goroutine and does not wait for it. A subtest notes at its end
// that it ran, in itself and in all above it, each under its lock (setRan). When the tests are over, runTests looks at
// that of the root, without a lock. Of subtests that are run by the goroutine of the test above them, the end comes
// before that. So only those of other goroutines make events, and those below them.

// bubbleTest is what synctest.Test calls in a goroutine of its own. It is testing's, and not silent: the channels that
// it makes are the bubble's. So its accesses are events, and that of the field failed among them.
const bubbleTest = "testing/synctest.testingSynctestTest"

// runsBeside notes that g runs a test below the one at c, if by is not the goroutine of that.
func runsBeside(m *vm.Machine, g, by *vm.G, c uint64) {
	if m.Direct || m.Inits || by == nil || runsTest(by, c) && !m.Beside[by] || !ofEntry(m, c) {
		return
	}
	if m.Beside == nil {
		m.Beside = map[*vm.G]bool{}
	}
	m.Beside[g] = true
}

// testRan is setRan, for each of the tests above one that has ended. That is an addition nobody looks at (UNUSED1): the
// lock lets subtests note it in any order, and their notes do not race with each other.
func testRan(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if !m.Beside[g] || testLevel(m, w[0]) > 0 {
		return vm.Done
	}
	at, ok := ranAt(m)
	if !ok {
		return vm.Done
	}
	if !m.Announce(g, event.Op{Kind: event.AtomicRMW, Loc: at, Order: event.Unheard, Adds: true, Key: 1}) {
		return vm.Yield
	}
	if i := m.LastEvent; i >= 0 {
		m.Trace.Events[i].Key = m.RanBeside
		m.RanBeside++
		m.Logged(g, 0, int64(m.RanBeside))
		m.SilentlyAt(int32(i), g, event.Lock, m.RootTest, 0, 0)
		m.Silently(g, event.Unlock, m.RootTest, 0, 0)
	}
	return vm.Done
}

// Ran is testing.heddleRan(root *common): runTests looks whether a test ran. The root's goroutine has taken its lock,
// and let go of it, before that.
func Ran(m *vm.Machine, g *vm.G, _ []uint64) vm.Status {
	if len(m.Beside) == 0 {
		return vm.Done
	}
	at, ok := ranAt(m)
	if !ok {
		return vm.Done
	}
	if !m.Announce(g, event.Op{Kind: event.Read, Loc: at}) {
		return vm.Yield
	}
	if i := m.LastEvent; i >= 0 {
		m.Accessed(g, []byte{byte(m.RanBeside)})
		m.SilentlyAt(int32(i), g, event.RLock, m.RootTest, 0, 0)
	}
	return vm.Done
}

// ranAt returns where the root of the entry notes that a test ran.
func ranAt(m *vm.Machine) (at event.Location, ok bool) {
	if m.Direct || testField(m, m.RootTest, "ran") == nil || !vm.SharedBytes(m.Mem.Object(m.RootTest)) {
		return at, false
	}
	return event.Location{Addr: m.RootTest + m.TestFields["ran"], Size: 1}, true
}
