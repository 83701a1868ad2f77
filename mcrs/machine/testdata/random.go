package main

import (
	"math"
	"unsafe"
)

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

//go:linkname cheaprandn runtime.cheaprandn
func cheaprandn(n uint32) uint32

//go:linkname fastrand64 runtime.fastrand64
func fastrand64() uint64

//go:linkname memhash runtime.memhash
func memhash(p unsafe.Pointer, seed, n uintptr) uintptr

//go:linkname memhash64 runtime.memhash64
func memhash64(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname strhash runtime.strhash
func strhash(p unsafe.Pointer, seed uintptr) uintptr

//go:linkname memequal runtime.memequal
func memequal(p, q unsafe.Pointer, n uintptr) bool

//go:linkname memclr runtime.memclrNoHeapPointers
func memclr(p unsafe.Pointer, n uintptr)

//go:linkname typehash runtime.typehash
func typehash(t, p unsafe.Pointer, seed uintptr) uintptr

//go:linkname nanotime runtime.nanotime
func nanotime() int64

// memory uses what the runtime has for runs of bytes: equal ones have one hash, others another, and so has another seed.
func memory() {
	a, b, text := []byte("warp and weft"), []byte("warp and weft"), "warp and weft"
	p, q, n := unsafe.Pointer(&a[0]), unsafe.Pointer(&b[0]), uintptr(len(a))
	println(memhash(p, 1, n) == memhash(q, 1, n), memhash(p, 1, n) != memhash(p, 2, n), memhash(p, 1, n) != memhash(q, 1, n-1))
	println(strhash(unsafe.Pointer(&text), 1) == memhash(p, 1, n), memhash64(p, 1) == memhash64(q, 1), memhash(nil, 1, 0) == memhash(p, 1, 0))
	println(memequal(p, q, n), nanotime() <= nanotime())
	memclr(q, 4)
	println(memequal(p, q, n), string(b[4:]), b[0], b[3], memequal(p, q, 0))
	memclr(q, 0)
}

// hashOf is the hash of a value, as xsync asks for it.
func hashOf[T any](v T, seed uintptr) uintptr {
	var zero any = *new(T)
	return typehash(*(*unsafe.Pointer)(unsafe.Pointer(&zero)), unsafe.Pointer(&v), seed)
}

// values hashes values by their types: equal ones have one hash, others another, and so has another seed.
func values() {
	type key struct {
		name string
		any
	}
	a, b := key{string([]byte("weft")), 7.0}, key{"weft", 7.0}
	println(hashOf(a, 1) == hashOf(b, 1), hashOf(a, 1) != hashOf(a, 2), hashOf(a, 1) != hashOf(key{"weft", 8.0}, 1))
	println(hashOf(0.0, 1) == hashOf(-1/inf, 1), hashOf("warp", 1) != hashOf("weft", 1))
	defer func() { println(recover().(error).Error()) }()
	hashOf(key{"weft", []int{1}}, 1)
}

var inf = math.Inf(1)

func main() {
	memory()
	values()

	seen, below, high := map[uint32]bool{}, true, false
	for range 100 {
		seen[cheaprand()] = true
		below = below && cheaprandn(7) < 7
		high = high || fastrand64()>>63 == 1
	}
	println(len(seen) > 90, below, high)
}
