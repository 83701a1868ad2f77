package mem

import (
	"math/rand/v2"
	"testing"
)

// TestReset allocates, writes and resets at random. Every object is zero when it is allocated, and keeps what was
// written to it until the reset. The snapshot is what it was.
func TestReset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := New()
	sizes := []uint64{0, 1, 8, 16, 17, 255, 256, 257, 4096, 65535, 65536, 65537, 200_000}
	var base []*Object
	for _, n := range sizes {
		o := m.Alloc(Init, n, nil)
		for i := range o.Bytes() {
			o.Bytes()[i] = 7
		}
		base = append(base, o)
	}
	m.Freeze()
	for range 200 {
		type made struct {
			addr Addr
			n    uint64
			mark byte
		}
		var all []made
		for k := range 50 {
			if rng.IntN(4) == 0 {
				o := base[rng.IntN(len(base))]
				if b, ok := m.WritableBytes(o.Base, o.Size); ok && len(b) > 0 {
					b[0] = byte(k)
				}
				continue
			}
			n := sizes[rng.IntN(len(sizes))]
			o := m.Alloc(First+rng.IntN(3), n, nil)
			for i, b := range o.Bytes() {
				if b != 0 {
					t.Fatalf("byte %d of a new object of %d is %d", i, n, b)
				}
				o.Bytes()[i] = byte(k)
			}
			all = append(all, made{o.Base, n, byte(k)})
		}
		for _, a := range all {
			b, ok := m.Bytes(a.addr, a.n)
			if !ok {
				t.Fatalf("no %d bytes at %#x", a.n, a.addr)
			}
			for i := range b {
				if b[i] != a.mark {
					t.Fatalf("byte %d of the object at %#x is %d, want %d", i, a.addr, b[i], a.mark)
				}
			}
			if n := a.n; n > 0 && m.At(a.addr+n-1, 2) != nil {
				t.Fatalf("an access past the end of %#x is allowed", a.addr)
			}
		}
		m.Reset()
		for i, n := range sizes {
			b, ok := m.Bytes(base[i].Base, n)
			if !ok {
				t.Fatal("the snapshot lost an object")
			}
			for j := range b {
				if b[j] != 7 {
					t.Fatalf("byte %d of the snapshot's object of %d is %d", j, n, b[j])
				}
			}
		}
		if len(all) > 0 && m.Object(all[0].addr) != nil {
			t.Fatal("an object outlived the reset")
		}
	}
}
