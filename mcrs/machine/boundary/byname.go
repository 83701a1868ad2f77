package boundary

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines functions of package runtime that nobody can import, and that modules reach by name
// (//go:linkname). Those of random numbers are in boundary.go. runtime.procPin is not among them: who is pinned to a
// processor excludes others from it, and here a goroutine has none.

// byName are these functions. The runtime's own comments name the modules that use them.
var byName = map[string]vm.Intrinsic{
	"runtime.memhash":              memHash,
	"runtime.memhash32":            memHashOf(4),
	"runtime.memhash64":            memHashOf(8),
	"runtime.strhash":              stringHash,
	"runtime.memequal":             memEqual,
	"runtime.memclrNoHeapPointers": memClear,
	"runtime.nanotime":             timeNano,
	"runtime.cputicks":             timeNano,
	"sync.runtime_canSpin":         vm.Zero,
	"sync.runtime_doSpin":          vm.Nothing,
}

// memHash is func(p unsafe.Pointer, seed, n uintptr) uintptr.
func memHash(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return hashInto(m, g, w[0], w[2], w[1], &w[3])
}

// memHashOf is memHash of n bytes: func(p unsafe.Pointer, seed uintptr) uintptr.
func memHashOf(n uint64) vm.Intrinsic {
	return func(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return hashInto(m, g, w[0], n, w[1], &w[2]) }
}

// stringHash is func(p unsafe.Pointer, seed uintptr) uintptr, p being of a string.
func stringHash(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	var s [2]uint64
	if st := access.Load(m, g, w[0], unsafe.Slice((*byte)(unsafe.Pointer(&s)), 16)); st != vm.Done {
		return st
	}
	return hashInto(m, g, s[0], s[1], w[1], &w[2])
}

// hashInto hashes n bytes at p. Natively the hash is another one in each process. Here it is constant, as random
// numbers are: FNV, and the last steps of SplitMix64, so that all bits depend on all bytes.
func hashInto(m *vm.Machine, g *vm.G, p, n, seed uint64, to *uint64) vm.Status {
	b, s := access.ViewText(m, g, p, n)
	if s != vm.Done {
		return s
	}
	h := seed ^ 0xcbf29ce484222325
	for _, c := range b {
		h = (h ^ uint64(c)) * 0x100000001b3
	}
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	*to = h ^ h>>31
	return vm.Done
}

// memEqual is func(p, q unsafe.Pointer, n uintptr) bool.
func memEqual(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	a, s := access.ViewText(m, g, w[0], w[2])
	if s != vm.Done {
		return s
	}
	b, s := access.ViewText(m, g, w[1], w[2])
	if s == vm.Done {
		w[3] = vm.Word(string(a) == string(b))
	}
	return s
}

// memClear is func(p unsafe.Pointer, n uintptr).
func memClear(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	if o := m.Mem.Object(w[0]); w[1] != 0 && (o == nil || w[1] > o.Size) {
		return goroutine.ThrowFault(m, g, w[0])
	}
	return access.Store(m, g, w[0], make([]byte, w[1]), nil)
}
