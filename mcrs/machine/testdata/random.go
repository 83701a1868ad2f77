package main

import "unsafe"

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

func main() {
	memory()

	seen, below, high := map[uint32]bool{}, true, false
	for range 100 {
		seen[cheaprand()] = true
		below = below && cheaprandn(7) < 7
		high = high || fastrand64()>>63 == 1
	}
	println(len(seen) > 90, below, high)
}
