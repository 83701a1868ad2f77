package boundary

import (
	"encoding/binary"
	"math/bits"

	"github.com/heddle-go/heddle/mcrs/machine/access"
	"github.com/heddle-go/heddle/mcrs/machine/goroutine"
	"github.com/heddle-go/heddle/mcrs/machine/vm"
)

// This file defines the inner loops of arithmetic on large numbers. Natively they are assembly. RSA and the curve P-256
// spend nearly all their time there.

// addMulVVW is bigmod.addMulVVW(z, x []uint, y uint) (carry uint): z += x*y, of as many words as z has.
func addMulVVW(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	n := w[1]
	if n == 0 || w[4] < n {
		return goroutine.ThrowRuntime(m, g, "index out of range")
	}
	x, s := access.View(m, g, w[3], 8*n)
	if s != vm.Done {
		return s
	}
	old, s := access.View(m, g, w[0], 8*n)
	if s != vm.Done {
		return s
	}
	z, carry := make([]byte, 0, 8*n), uint64(0)
	for i := uint64(0); i < 8*n; i += 8 {
		hi, lo := bits.Mul64(binary.LittleEndian.Uint64(x[i:]), w[6])
		lo, c := bits.Add64(lo, binary.LittleEndian.Uint64(old[i:]), 0)
		hi += c
		lo, c = bits.Add64(lo, carry, 0)
		carry = hi + c
		z = binary.LittleEndian.AppendUint64(z, lo)
	}
	s = access.Store(m, g, w[0], z, nil)
	w[7] = carry
	return s
}

// p256 is the prime of the curve P-256, the least word first. It is -1 modulo 2^64.
var p256 = [4]uint64{1<<64 - 1, 1<<32 - 1, 0, 0xffffffff00000001}

// p256Times is x*y/2^256 modulo p256, below p256, of numbers below p256 (Montgomery's product, word by word).
func p256Times(x, y *[4]uint64) [4]uint64 {
	var t [6]uint64
	for _, yi := range y {
		t[5] = addTimes(t[:5], x, yi)
		t[5] += addTimes(t[:5], &p256, t[0])
		copy(t[:], t[1:])
		t[5] = 0
	}
	var less [4]uint64
	borrow := uint64(0)
	for i := range less {
		less[i], borrow = bits.Sub64(t[i], p256[i], borrow)
	}
	if t[4] < borrow {
		return [4]uint64(t[:4])
	}
	return less
}

// addTimes adds x*y to t, which has a word more than x, and returns the carry.
func addTimes(t []uint64, x *[4]uint64, y uint64) uint64 {
	carry := uint64(0)
	for i, xi := range x {
		hi, lo := bits.Mul64(xi, y)
		lo, c := bits.Add64(lo, t[i], 0)
		hi += c
		t[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	var c uint64
	t[4], c = bits.Add64(t[4], carry, 0)
	return c
}

// fiatMul is fiat.p256Mul(out, x, y *[4]uint64).
func fiatMul(m *vm.Machine, g *vm.G, w []uint64) vm.Status { return fiatTimes(m, g, w[0], w[1], w[2]) }

// fiatSquare is fiat.p256Square(out, x *[4]uint64).
func fiatSquare(m *vm.Machine, g *vm.G, w []uint64) vm.Status {
	return fiatTimes(m, g, w[0], w[1], w[1])
}

func fiatTimes(m *vm.Machine, g *vm.G, out, x, y uint64) vm.Status {
	a, s := access.View(m, g, x, 32)
	if s != vm.Done {
		return s
	}
	b, s := access.View(m, g, y, 32)
	if s != vm.Done {
		return s
	}
	z := p256Times(words4(a), words4(b))
	p := make([]byte, 0, 32)
	for _, v := range z {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return access.Store(m, g, out, p, nil)
}

func words4(b []byte) *[4]uint64 {
	var z [4]uint64
	for i := range z {
		z[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return &z
}
