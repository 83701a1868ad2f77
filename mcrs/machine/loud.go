package machine

import (
	"go/types"
	"slices"

	"github.com/heddle-go/heddle/mcrs/event"
	"golang.org/x/tools/go/ssa"
)

// This file says which fields of silent packages race, as Go's race detector has it: rule SILENT7.

// A loudField is a field of testing.common or of testing.T whose accesses in some function are events.
type loudField struct {
	name string
	when func(m *Machine, base uint64) bool // for the struct at base
}

// loudFields are these, by function.
var loudFields = map[string][]loudField{
	"testing.tRunner$1":          {{"done", (*Machine).asksWhetherDone}, {"sub", joined}},
	"testing.fRunner$1":          {{"done", (*Machine).asksWhetherDone}},
	"(*testing.T).Run":           {{"failed", whileParallel}},
	"(*testing.T).Parallel":      {{"isParallel", joined}, {"denyParallel", joined}, {"sub", joined}},
	"(*testing.T).checkParallel": {{"isParallel", joined}, {"denyParallel", nil}},
}

// joined reports whether tests of the program run in parallel.
func joined(m *Machine, _ uint64) bool { return m.mentioned(joins) }

// whileParallel reports whether a test that T.Run returns from goes on: others may fail it then. One that is done was failed before that, by way of its lock.
func whileParallel(m *Machine, c uint64) bool { return m.testIs(c, "isParallel") }

// asksWhetherDone reports whether others may ask whether a test is done without a panic if it is: who logs to a subtest, for its parent takes the text,
// and who calls t.Failed.
func (m *Machine) asksWhetherDone(c uint64) bool {
	level, _ := m.above(c)
	return level > 1 || m.mentioned(fails)
}

// A loudAccess is an instruction that accesses such a field.
type loudAccess struct {
	pc     int32
	offset uint64 // of the field
	field  *loudField
}

// Accessed implements code.Extension: it notes accesses to loud fields.
func (c *compiler) Accessed(addr ssa.Value) {
	fields := loudFields[c.f.name]
	fa, ok := addr.(*ssa.FieldAddr)
	if fields == nil || !ok {
		return
	}
	st := deref(fa.X.Type()).Underlying().(*types.Struct)
	i := slices.IndexFunc(fields, func(f loudField) bool { return f.name == st.Field(fa.Field).Name() })
	if i >= 0 {
		c.f.loud = append(c.f.loud, loudAccess{int32(len(c.f.Instrs)) - 1, c.m.layouts.Of(deref(fa.X.Type())).Offs[fa.Field], &fields[i]})
	}
}

// hears reports whether the access to addr by the instruction at pc makes an event.
func (m *Machine) hears(f *Func, pc int32, addr uint64) bool {
	if !f.silent {
		return true
	}
	for i := range f.loud {
		if l := &f.loud[i]; l.pc == pc {
			return l.field.when == nil || l.field.when(m, addr-l.offset)
		}
	}
	return false
}

// heard is visible for an access that hears has let through.
func (m *Machine) heard(g *G, f *Func, plain event.Kind, addr uint64, n uint32) bool {
	if f.silent {
		return m.announce(g, event.Op{Kind: plain, Loc: event.Location{Addr: addr, Size: n}})
	}
	return m.visible(g, f.accessKind(plain), addr, n, 0)
}

// touchesField announces an access to a byte of the test at c that testing makes under the lock of the test. The lock is taken before the access is made; to
// let go of it is left to testing.
func (m *Machine) touchesField(g *G, c uint64, field string, k event.Kind) bool {
	p := m.testField(c, field)
	if m.direct || p == nil || !sharedBytes(m.mem.Object(c)) {
		return true
	}
	if !m.announce(g, event.Op{Kind: k, Loc: event.Location{Addr: c + m.testFields[field], Size: 1}}) {
		return false
	}
	lock := event.RLock
	if k == event.Write {
		lock = event.Lock
	}
	if i := m.lastEvent; i >= 0 {
		m.silentlyAt(int32(i), g, lock, c, 0, 0)
	}
	return true
}

// runsTest reports whether g runs the test at c.
func (g *goStack) runsTest(c uint64) bool {
	return slices.ContainsFunc(g.frames, func(fr frame) bool {
		return (fr.f.name == "testing.tRunner" || fr.f.name == "testing.fRunner") && ld(fr.fp, 0) == c
	})
}
