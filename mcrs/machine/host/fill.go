package host

import (
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines how a method of a descriptor reads a file into memory that several goroutines have.
//
//	FILL1  It is two operations: the one on the file, by which it has the bytes and has moved the descriptor's
//	       position, and the write of those bytes, as many as there were, to the program's memory. So nothing
//	       that was not read is written, as Go's race detector sees it, and who reads the file has learnt how
//	       much there was before the second.
//	FILL2  Natively the method has the descriptor until its end. A Close leaves that to it, so it is no matter
//	       when the second operation comes. Who reads by the same descriptor waits for it, which is no matter
//	       either if what it reads goes elsewhere. Else the execution is not supported.
//	FILL3  Its end, as its begin, is an operation on the descriptor's fdMutex (ORDER3 of package inet): of two
//	       that read by one descriptor, one after the other, the second is after what the first has written.

// sharesBytes is heddleShares(fd *FD, p []byte) bool.
func sharesBytes(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	w[4] = vm.Word(!m.Direct && w[2] != 0 && m.Peek64(w[0]+fdContext) == 0 && othersHave(m, w[1]))
	return vm.Done
}

// othersHave reports whether other goroutines may have what is at an address.
func othersHave(m *vm.Machine, addr uint64) bool {
	o := m.Mem.Object(addr)
	return o != nil && vm.SharedBytes(o)
}

// fills is heddleFills(fd *FD, p []byte).
func fills(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	g.Fill = vm.Fill{From: w[0], Addr: w[1], Size: w[2]}
	for _, other := range m.Live {
		if o := &other.Fill; other != g && o.From == w[0] && o.Addr < w[1]+w[2] && w[1] < o.Addr+o.Size { // FILL2
			return m.Lacks(g, "a file that two goroutines read into the same memory, by one descriptor")
		}
	}
	return vm.Done
}

// filled is heddleFilled(fd *FD).
func filled(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	g.Fill = vm.Fill{}
	return fdMutex(m, g, w[0])
}
