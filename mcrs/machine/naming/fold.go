package naming

import (
	"math/bits"
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file is the hash of names. A goroutine is named at each of its operations, word by word, so one
// multiplication a word is what it may cost (Wang Yi, wyhash, 2019). vm.HashMix takes three, one after the other.

// Words without a pattern: one to fold with, and one that stands for a word that does not matter.
const (
	folded   = 0xa0761d6478bd642f
	whatever = 0xe7037ed1a0b428db
)

// fold adds a word to a hash. That begins as one of vm.HashMix: small numbers are no hashes. A product with zero
// would forget what the hash is of, so that is added to it.
func fold(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^vm.HashMul1, x^folded)
	return (hi ^ lo) + h*vm.HashMul1
}

// foldBytes adds bytes to a hash.
func foldBytes(h uint64, b []byte) uint64 {
	h = fold(h, uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		h = fold(h, *(*uint64)(unsafe.Pointer(&b[0])))
	}
	for _, c := range b {
		h = fold(h, uint64(c))
	}
	return h
}
