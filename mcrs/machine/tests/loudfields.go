package tests

import (
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file lists the fields of package testing whose accesses are events: rule SILENT7 (vm/silence.go).

// LoudFields are these, by function.
var LoudFields = map[string][]vm.LoudField{
	"testing.tRunner$1":          {{Name: "done", When: asksWhetherDone}, {Name: "sub", When: joined}},
	"testing.fRunner$1":          {{Name: "done", When: asksWhetherDone}},
	"(*testing.T).Run":           {{Name: "failed", When: whileParallel}},
	"(*testing.T).Parallel":      {{Name: "isParallel", When: joined}, {Name: "denyParallel", When: joined}, {Name: "sub", When: joined}},
	"(*testing.B).loopSlowPath":  {{Name: "N"}},
	"(*testing.T).checkParallel": {{Name: "isParallel", When: joined}, {Name: "denyParallel"}},
}

// joined reports whether tests of the program run in parallel.
func joined(m *vm.Machine, _ uint64) bool { return mentioned(m, joins) }

// whileParallel reports whether a test that T.Run returns from goes on: others may fail it then. One that is done was
// failed before that, by way of its lock.
func whileParallel(m *vm.Machine, c uint64) bool { return testIs(m, c, "isParallel") }

// asksWhetherDone reports whether others may ask whether a test is done without a panic if it is: who logs to a
// subtest, for its parent takes the text, and who calls t.Failed.
func asksWhetherDone(m *vm.Machine, c uint64) bool {
	level, _ := above(m, c)
	return level > 1 || mentioned(m, fails)
}

// touchesField announces an access to a byte of the test at c that testing makes under the lock of the test. The lock
// is taken before the access is made; to let go of it is left to testing.
func touchesField(m *vm.Machine, g *vm.G, c uint64, field string, k event.Kind) bool {
	p := testField(m, c, field)
	if m.Direct || p == nil || !vm.SharedBytes(m.Mem.Object(c)) {
		return true
	}
	if !m.Announce(g, event.Op{Kind: k, Loc: event.Location{Addr: c + m.TestFields[field], Size: 1}}) {
		return false
	}
	lock := event.RLock
	if k == event.Write {
		lock = event.Lock
	}
	if i := m.LastEvent; i >= 0 {
		m.SilentlyAt(int32(i), g, lock, c, 0, 0)
	}
	return true
}

// runsTest reports whether g runs the test at c.
func runsTest(g *vm.G, c uint64) bool {
	return slices.ContainsFunc(g.Frames, func(fr vm.Frame) bool {
		return (fr.Func.Name == "testing.tRunner" || fr.Func.Name == "testing.fRunner") && vm.Ld(fr.FP, 0) == c
	})
}
