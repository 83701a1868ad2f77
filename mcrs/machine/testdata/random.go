package main

import _ "unsafe"

//go:linkname cheaprand runtime.cheaprand
func cheaprand() uint32

//go:linkname cheaprandn runtime.cheaprandn
func cheaprandn(n uint32) uint32

//go:linkname fastrand64 runtime.fastrand64
func fastrand64() uint64

func main() {
	seen, below, high := map[uint32]bool{}, true, false
	for range 100 {
		seen[cheaprand()] = true
		below = below && cheaprandn(7) < 7
		high = high || fastrand64()>>63 == 1
	}
	println(len(seen) > 90, below, high)
}
