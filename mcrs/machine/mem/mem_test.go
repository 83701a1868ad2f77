package mem

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestReset allocates, writes and resets at random. Every object is zero when it is allocated, and keeps what was
// written to it until the reset. The snapshot is what it was.
// TestGiven asks for addresses of objects that are there, that were there, and that never were.
func TestGiven(t *testing.T) {
	m := New()
	large, last := m.Alloc(First, 1<<17, nil), m.Alloc(First, 8, nil)
	m.Free(last.Base)
	static := m.AllocStatic("s", []byte("s"))
	for _, c := range []struct {
		addr Addr
		want bool
	}{
		{large.Base, true}, {large.Base + large.Size, true}, {last.Base, true}, {static, true},
		{m.Next(First), false}, {Segment(First + 1), false}, {static + 1<<offBits, false}, {Segment(Text), false}, {0, false},
	} {
		if got := m.Given(c.addr); got != c.want {
			t.Errorf("%#x: %v", c.addr, got)
		}
	}
}

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

// TestStatics allocates static objects of all sizes, some in slots that are taken, until their table has grown.
// Each has slots of its own, and is found at each of its bytes. In another order they have the same addresses.
func TestStatics(t *testing.T) {
	sizes := []int{0, 1, 8, 4096, 65535, 65536, 200_000}
	alloc := func(m *Memory, n int) Addr {
		size := 8
		if n%100 < len(sizes) {
			size = sizes[n%100]
		}
		b := make([]byte, size)
		for i := range b {
			b[i] = byte(n)
		}
		return m.AllocStatic(fmt.Sprint(n), b)
	}
	const count = 2 * fewStatics
	m, other := New(), New()
	at := make([]Addr, count)
	for n := range count {
		at[n] = alloc(m, n)
	}
	for n := count - 1; n >= 0; n-- {
		if got := alloc(other, n); got != at[n] {
			t.Fatalf("object %d is at %#x, in another order at %#x", n, at[n], got)
		}
	}
	for n, a := range at {
		o := m.Object(a)
		if a == 0 || SegmentOf(a) != Static || o == nil || o.Base != a {
			t.Fatalf("object %d is not at %#x", n, a)
		}
		for i, b := range o.Bytes() {
			if b != byte(n) || m.Object(a+uint64(i)) != o {
				t.Fatalf("byte %d of object %d is not at %#x", i, n, a+uint64(i))
			}
		}
		if _, p := m.Writable(a, 0); p != nil {
			t.Fatalf("object %d can be written", n)
		}
	}
	last := uint64(slotMask)
	for _, h := range []uint64{0, 7, last - 1, last, 1 << 40} { // the same slot, or one of its neighbours
		for _, size := range []uint64{1, 200_000, 1, 70_000} {
			o := m.newObject(size)
			o.Base = staticBase(&m.statics, h, Slots(size))
			for i := range Slots(size) {
				if a := o.Base + i<<offBits; a == 0 || SegmentOf(a) != Static || m.Object(a) != nil {
					t.Fatalf("%#x, for %d bytes, is not free", a, size)
				}
			}
			m.statics.add(o)
		}
	}
}
