package boundary

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestP256Times compares with package big, also at the ends of the field and of words.
func TestP256Times(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	p := bigOf(p256)
	inverse := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), 256), p)
	draw := func() [4]uint64 {
		for {
			var x [4]uint64
			for i := range x {
				x[i] = []uint64{g.Uint64(), 0, 1, 1<<64 - 1, p256[i], p256[i] - 1}[g.IntN(6)]
			}
			if bigOf(x).Cmp(p) < 0 {
				return x
			}
		}
	}
	for range 20000 {
		x, y := draw(), draw()
		want := new(big.Int).Mul(bigOf(x), bigOf(y))
		want.Mul(want, inverse).Mod(want, p)
		if got := bigOf(p256Times(&x, &y)); got.Cmp(want) != 0 {
			t.Fatalf("%x * %x = %x, want %x", x, y, got, want)
		}
	}
}

func bigOf(x [4]uint64) *big.Int {
	n := new(big.Int)
	for _, w := range slices.Backward(x[:]) {
		n.Lsh(n, 64).Add(n, new(big.Int).SetUint64(w))
	}
	return n
}
