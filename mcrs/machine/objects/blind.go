package objects

import (
	"github.com/heddle-go/heddle/mcrs/event"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
	"golang.org/x/tools/go/ssa"
)

// This file says which receives from a timer's channel do not look at what they get: rule TOLD3 (vm/time.go).

// blind says which of some communications receive what the instruction at a site does not look at.
func blind(m *vm.Machine, site event.Site, cs []vm.SelCase) (mask uint64) {
	received := 0
	for i := range cs {
		if c := &cs[i]; !c.Send {
			if i < 64 && c.Chan != 0 && site != 0 && ChanAt(m, c.Chan).Timer && ignores(m.SiteTable[site].Instr, received) {
				mask |= 1 << i
			}
			received++
		}
	}
	return mask
}

// ignores reports whether no instruction refers to the n-th value that an instruction receives.
func ignores(in ssa.Instruction, n int) bool {
	switch x := in.(type) {
	case *ssa.UnOp:
		if !x.CommaOk {
			return vm.Unused(x)
		}
		return !refersTo(x, 0)
	case *ssa.Select:
		return !refersTo(x, 2+n)
	}
	return false
}

// refersTo reports whether some instruction refers to a component of a tuple.
func refersTo(tuple ssa.Value, component int) bool {
	for _, r := range *tuple.Referrers() {
		if x, ok := r.(*ssa.Extract); !ok || x.Index == component && !vm.Unused(x) {
			return true
		}
	}
	return false
}
