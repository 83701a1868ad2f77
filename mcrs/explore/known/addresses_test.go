package known

import (
	"math/rand/v2"
	"testing"
)

// TestAddresses compares with a set of single addresses.
func TestAddresses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s, plain := Addresses{}, map[uint64]bool{}
		for range 12 {
			lo := r.Uint64N(400)
			hi := lo + r.Uint64N(200)/(1+r.Uint64N(40))
			meets := false
			for a := lo; a < hi; a++ {
				meets = meets || plain[a]
			}
			if s.Meets(lo, hi) != meets {
				t.Fatalf("%d to %d: %v, want %v", lo, hi, !meets, meets)
			}
			if r.IntN(2) == 0 {
				s.Add(lo, hi)
				for a := lo; a < hi; a++ {
					plain[a] = true
				}
			}
		}
	}
}
