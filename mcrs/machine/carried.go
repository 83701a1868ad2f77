package machine

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file notes which words are behind a digest, where one of them leads to memory that is read without events: whoever is told
// the digest can see what is there (trace.Trace.Carried).

// carried returns the digest of a value that goes to another goroutine, given in memory layout.
func (m *Machine) carried(p unsafe.Pointer, size uint64, ptrs *mem.PtrMap) uint64 {
	d := digest(unsafe.Slice((*byte)(p), size))
	if ptrs != nil && size > 8 {
		m.carry(d, unsafe.Slice((*uint64)(p), size/8))
	}
	return d
}

// carry notes the words behind a digest.
func (m *Machine) carry(digest uint64, words []uint64) {
	if m.direct || m.inits || m.mode == running || m.tr.Carried[digest] != nil {
		return
	}
	for _, w := range words {
		if o := m.mem.Object(w); o != nil && o.Flags&(mem.Unlogged|mem.ReadOnly) == mem.Unlogged {
			if m.tr.Carried == nil {
				m.tr.Carried = make(map[uint64][]uint64)
			}
			m.tr.Carried[digest] = append([]uint64(nil), words...)
			return
		}
	}
}
