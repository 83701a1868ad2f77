package merging

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// Atomic additions whose results nobody looks at (rules UNUSED1 of the machine, UMEM3 and RED15 of the explorers), and
// near misses.

// TestAddsSum: who loads sees every sum.
func TestAddsSum(t *testing.T) {
	var n atomic.Int32
	go n.Add(1)
	go func() { atomic.AddInt32((*int32)(unsafe.Pointer(&n)), 2) }()
	switch n.Load() {
	case 1:
		panic("one")
	case 2:
		panic("two")
	case 3:
		panic("three")
	}
}

// TestAddsDelta: the two goroutines stand at one instruction, and differ in what they will add.
func TestAddsDelta(t *testing.T) {
	var n atomic.Int32
	var wg sync.WaitGroup
	wg.Add(2)
	add := func(d int32) {
		n.Store(5)
		n.Add(d)
		wg.Done()
	}
	go add(1)
	go add(2)
	wg.Wait()
	switch n.Load() {
	case 6:
		panic("six")
	case 7:
		panic("seven")
	case 8:
		panic("eight")
	}
}

// TestAddsCarry: an addition to both halves of a word, of which others look at one each.
func TestAddsCarry(t *testing.T) {
	n := uint64(0xffffffff)
	half := func(i uintptr) uint32 {
		return atomic.LoadUint32((*uint32)(unsafe.Add(unsafe.Pointer(&n), 4*i)))
	}
	go func() {
		atomic.AddUint64(&n, 1)
		atomic.AddUint64(&n, ^uint64(1))
	}()
	go func() {
		if half(1) == 1 {
			panic("carried")
		}
	}()
	if half(0) == 0 {
		panic("over")
	}
	if half(0) == 0xfffffffe {
		panic("under")
	}
}
