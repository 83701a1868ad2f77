package outcomes

import (
	"sync/atomic"
	"testing"
)

// Atomic additions whose results nobody looks at: what they race with, and what they order.

// TestAddsRace: an addition and a plain read of the same word race, and so does one with a plain write.
func TestAddsRace(t *testing.T) {
	var n, m int32
	go func() {
		atomic.AddInt32(&n, 1)
		atomic.AddInt32(&m, 1)
	}()
	if n == 1 {
		m = 2
	}
}

// TestAddsOrder: an addition orders as other operations of sync/atomic do. The write of x is seen by the third
// goroutine when it finds the sum.
func TestAddsOrder(t *testing.T) {
	var n atomic.Int32
	x := 0
	go func() {
		x = 1
		n.Add(1)
	}()
	go n.Add(1)
	if n.Load() == 2 && x == 0 {
		panic("not seen")
	}
}
