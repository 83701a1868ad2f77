package vm

import (
	"unsafe"

	"github.com/heddle-go/heddle/mcrs/machine/layout"
	"github.com/heddle-go/heddle/mcrs/machine/mem"
)

// This file reads, writes and hashes words: of frames, and of memory without an event.

// HashMul1 is an odd word without a pattern.
const (
	HashMul1 = 0x9e3779b97f4a7c15
	hashMul2 = 0xbf58476d1ce4e5b9
)

// HashMix hashes two words.
func HashMix(a, b uint64) uint64 {
	x := a*HashMul1 ^ (b + hashMul2)
	x = (x ^ x>>30) * hashMul2
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// HashBytes adds bytes to a hash.
func HashBytes(h uint64, b []byte) uint64 {
	h = HashMix(h, uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		h = HashMix(h, *(*uint64)(unsafe.Pointer(&b[0])))
	}
	for _, c := range b {
		h = HashMix(h, uint64(c))
	}
	return h
}

// HashString hashes a string.
func HashString(s string) uint64 { return HashBytes(0, unsafe.Slice(unsafe.StringData(s), len(s))) }

// Digest names a value, given in memory layout: up to 8 bytes stand for themselves.
func Digest(b []byte) uint64 {
	if len(b) <= 8 {
		var w uint64
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&w)), 8), b)
		return w
	}
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// Thawed returns o in a state that may be changed.
func (m *Heap) Thawed(o *mem.Object) *mem.Object {
	if o.Flags&mem.Frozen != 0 {
		return m.Mem.Thaw(o)
	}
	return o
}

// Ld reads a word of a frame, st writes one.
func Ld(fp unsafe.Pointer, off int32) uint64 { return *(*uint64)(unsafe.Add(fp, off)) }

// St writes a word of a frame.
func St(fp unsafe.Pointer, off int32, w uint64) { *(*uint64)(unsafe.Add(fp, off)) = w }

// FrameBytes returns n bytes of a frame in place.
func FrameBytes(fp unsafe.Pointer, off int32, n uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(fp, off)), n)
}

// Word returns 1 for true.
func Word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// ToRegister copies a value in memory layout to a register.
func ToRegister(cl layout.Class, dst, src unsafe.Pointer, size uint64) {
	switch cl {
	case layout.Int8:
		*(*uint64)(dst) = uint64(int64(*(*int8)(src)))
	case layout.Int16:
		*(*uint64)(dst) = uint64(int64(*(*int16)(src)))
	case layout.Int32:
		*(*uint64)(dst) = uint64(int64(*(*int32)(src)))
	case layout.Uint8:
		*(*uint64)(dst) = uint64(*(*uint8)(src))
	case layout.Uint16:
		*(*uint64)(dst) = uint64(*(*uint16)(src))
	case layout.Uint32, layout.Float32:
		*(*uint64)(dst) = uint64(*(*uint32)(src))
	case layout.Int64, layout.Uint64, layout.Float64:
		*(*uint64)(dst) = *(*uint64)(src)
	default:
		copy(unsafe.Slice((*byte)(dst), size), unsafe.Slice((*byte)(src), size))
	}
}

// Peek64 returns the word at an address, without an event; 0 if there is none.
func (m *Heap) Peek64(addr uint64) uint64 {
	p := m.Mem.At(addr, 8)
	if p == nil {
		return 0
	}
	return *(*uint64)(p)
}

// Word32 returns a 32-bit word of a primitive's state, nil if it is no memory.
func (m *Heap) Word32(addr uint64) *uint32 {
	_, p := m.Mem.Writable(addr, 4)
	return (*uint32)(p)
}

// Peek32 returns the 32-bit word at an address without an event, 0 if there is none.
func (m *Heap) Peek32(addr uint64) uint32 {
	if p := m.Mem.At(addr, 4); p != nil {
		return *(*uint32)(p)
	}
	return 0
}
