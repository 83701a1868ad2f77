package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file notes which words are behind a digest, where one of them leads to memory that is read without events:
// whoever is told the digest can see what is there (trace.Trace.Carried).

// Carried returns the digest of a value that goes to another goroutine, given in memory layout.
func (m *Machine) Carried(p unsafe.Pointer, size uint64, ptrs *mem.PtrMap) uint64 {
	d := Digest(unsafe.Slice((*byte)(p), size))
	if ptrs != nil && size > 8 {
		m.Carry(d, unsafe.Slice((*uint64)(p), size/8))
	}
	return d
}

// SortOf says of a channel which of those it is that have its address in other executions (UCHAN2 of package learn), 0
// of other objects.
func SortOf(o *mem.Object) uint64 {
	if c, is := o.Aux.(interface{ Sort() uint64 }); is {
		return c.Sort()
	}
	return 0
}

// Carry notes the words behind a digest.
func (m *Machine) Carry(digest uint64, words []uint64) {
	if m.Direct || m.Inits || m.Mode == Running || m.Trace.Carried[digest] != nil {
		return
	}
	for _, w := range words {
		if o := m.Mem.Object(w); o != nil && (o.Flags&(mem.Unlogged|mem.ReadOnly) == mem.Unlogged || SortOf(o) != 0) {
			if m.Trace.Carried == nil {
				m.Trace.Carried = make(map[uint64][]uint64)
			}
			m.Trace.Carried[digest] = append([]uint64(nil), words...)
			return
		}
	}
}
