package loop

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file finds the goroutines that a garbage collection would let go on: rule LEAK4.

// droppedReason is why an entry is not exhausted in which a goroutine waits for the end of something dropped.
const droppedReason = "what reads or writes here waits for the other end of a pipe or connection that nobody reaches any more: a garbage collection would close it, and none is explored"

// noteDropped notes whether one of some goroutines, which are blocked for ever, waits for something that nobody reaches
// any more.
func noteDropped(m *vm.Machine, dead []*vm.G) {
	if !slices.ContainsFunc(dead, awaitsNetwork) {
		return
	}
	ends := reach{m: m, seen: map[*mem.Object]bool{}}
	for _, d := range dropped(m) {
		vm.Pointers(d, ends.visit)
	}
	ends.flush()
	for _, g := range dead {
		if awaitsNetwork(g) && slices.ContainsFunc(channelsOf(g), ends.has) {
			m.Unseen(g, droppedReason)
			return
		}
	}
}

// awaitsNetwork reports whether a goroutine waits for a socket or pipe.
func awaitsNetwork(g *vm.G) bool { return !g.Ended && g.Waiting && g.NetworkWait() != "" }

// channelsOf lists the channels at which a goroutine waits.
func channelsOf(g *vm.G) (all []uint64) {
	if g.Sel == nil {
		return []uint64{g.Op.Loc.Addr}
	}
	for _, c := range g.Sel {
		all = append(all, c.Chan)
	}
	return all
}

// dropped lists the descriptors of which all are dropped that lead to the same file: package syscall's heddleFd, which
// begins with its reader and the file. One that no reader has is only a number, which anybody may have.
func dropped(m *vm.Machine) (all []*mem.Object) {
	r := everything(m, true)
	var table []uint64
	for v, a := range m.Globals {
		if v.Name() == "heddleWeakFiles" {
			table = append(table, a)
		}
	}
	kept := map[uint64]bool{} // files
	var open []*mem.Object
	each := func(a uint64, visit func(uint64)) {
		if o := m.Mem.Object(a); o != nil {
			vm.Pointers(o, visit)
		}
	}
	for _, a := range table {
		each(a, func(entries uint64) {
			each(entries, func(fd uint64) {
				o := m.Mem.Object(fd)
				if o == nil { // it is closed
					return
				}
				open = append(open, o)
				if r.seen[o] || binary.NativeEndian.Uint64(o.Bytes()) == 0 {
					kept[fileOf(o)] = true
				}
			})
		})
	}
	for _, o := range open {
		if !kept[fileOf(o)] {
			all = append(all, o)
		}
	}
	return all
}

// fileOf is the address of the file to which a descriptor leads.
func fileOf(fd *mem.Object) uint64 { return binary.NativeEndian.Uint64(fd.Bytes()[16:]) }
