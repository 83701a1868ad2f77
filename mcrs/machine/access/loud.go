package access

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file says which fields of silent packages race, as Go's race detector has it: rule SILENT7.

// hears reports whether the access to addr by the instruction at pc makes an event.
func hears(m *vm.Machine, f *vm.Func, pc int32, addr uint64) bool {
	if !f.Silent {
		return true
	}
	for i := range f.Loud {
		if l := &f.Loud[i]; l.PC == pc {
			return l.Field.When == nil || l.Field.When(m, addr-l.Offset)
		}
	}
	return false
}

// heard is visible for an access that hears has let through.
func heard(m *vm.Machine, g *vm.G, f *vm.Func, plain event.Kind, addr uint64, n uint32) bool {
	if f.Silent {
		return m.Announce(g, event.Op{Kind: plain, Loc: event.Location{Addr: addr, Size: n}})
	}
	op := event.Op{Kind: accessKind(f, plain), Loc: event.Location{Addr: addr, Size: n}}
	if op.Kind != plain { // ATOM2
		op.Order = event.Unheard
	}
	if op.Kind == event.Read {
		op = vm.Loading(m, g, op)
	}
	return m.VisibleOp(g, op)
}
