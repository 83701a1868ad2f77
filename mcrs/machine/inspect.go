package machine

import (
	"github.com/heddle-go/heddle/mcrs/machine/code"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file lets the audit (mcrs/audit) ask what it cannot read from the fields of a machine.

// DeadWords returns which words of a frame of a goroutine are not read again, nil if that is not known. Goroutines are counted as in a trace.
func (m *Machine) DeadWords(thread, frame int) code.Words { return m.deadWords(m.gs[thread], frame) }

// Addresses reports whether a word is the address of an object from which something could be reached: not one of output (SILENT6).
func (m *Machine) Addresses(word uint64) bool {
	o := m.mem.Object(word)
	return o != nil && o.Flags&mem.Output == 0
}

// MapsOf returns the addresses of the maps that a package variable holds, directly or by one pointer.
func (m *Machine) MapsOf(path, name string) (maps []uint64) {
	p := m.prog.PackageByPath(path)
	if p == nil || p.SSA.Var(name) == nil {
		return nil
	}
	looked := map[uint64]bool{}
	var look func(a uint64, depth int)
	look = func(a uint64, depth int) {
		o := m.mem.Object(a)
		if o == nil || looked[o.Base] {
			return
		}
		looked[o.Base] = true
		if _, ok := o.Aux.(*mapState); ok {
			maps = append(maps, o.Base)
		} else if depth > 0 {
			m.pointers(o, func(a uint64) { look(a, depth-1) })
		}
	}
	look(m.globalAddr(p.SSA.Var(name)), 2)
	return maps
}
