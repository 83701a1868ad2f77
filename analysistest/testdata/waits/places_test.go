package waits

import (
	"sync"
	"testing"
	"unsafe"
)

// This file makes numbers of the addresses of local variables (NUMBER4). They are those of the goroutine's stack: the
// same in each call from one place, and others in another goroutine.

//go:noinline
func stackNumber() uintptr {
	var x byte
	return uintptr(unsafe.Pointer(&x))
}

//go:noinline
func stackHash() uint32 {
	var x byte
	return mixed(uintptr(unsafe.Pointer(&x)))
}

func mixed(addr uintptr) uint32 {
	h := uint64(addr) >> 11 * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return uint32(h ^ h>>31)
}

// Two calls from one place.
func TestPlaceSame(t *testing.T) {
	var n [2]uintptr
	for i := range n {
		n[i] = stackNumber()
	}
	if n[0] != n[1] {
		t.Error("they differ")
	}
}

// The number comes out of another function.
func TestPlaceHashed(t *testing.T) {
	var n [2]uint32
	for i := range n {
		n[i] = stackHash()
	}
	if n[0] != n[1] {
		t.Error("they differ")
	}
}

// Others of goroutines that live at the same time.
func TestPlaceOfTwo(t *testing.T) {
	ns, done := make(chan uintptr), make(chan bool)
	for range 2 {
		go func() { ns <- stackNumber(); <-done }()
	}
	if a, b := <-ns, <-ns; a == b {
		t.Error("they are equal")
	}
	close(done)
}

// A goroutine keeps its own while it waits.
func TestPlaceKept(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range 2 {
		wg.Go(func() {
			var n [2]uintptr
			for i := range n {
				n[i] = stackNumber()
				mu.Lock()
				mu.Unlock()
			}
			if n[0] != n[1] {
				t.Error("they differ")
			}
		})
	}
	wg.Wait()
}

// Two variables of one call.
func TestPlaceTwoVariables(t *testing.T) {
	var x, y int64
	if a, b := uintptr(unsafe.Pointer(&x)), uintptr(unsafe.Pointer(&y)); a == b || a-b < 8 || b-a < 8 {
		t.Error("they overlap")
	}
}

//go:noinline
func stackBelow(depth int, outer uintptr) bool {
	var x int64
	n := uintptr(unsafe.Pointer(&x))
	if depth == 0 || n >= outer {
		return n < outer
	}
	return stackBelow(depth-1, n)
}

// Calls one within the other.
func TestPlaceDepth(t *testing.T) {
	if !stackBelow(4, ^uintptr(0)) {
		t.Error("an inner one is not below the outer one")
	}
}

// A variable that is read and written besides.
func TestPlaceUsed(t *testing.T) {
	x := int64(1)
	n := uintptr(unsafe.Pointer(&x))
	x++
	if x != 2 || n == 0 {
		t.Error(x)
	}
}

// A pointer is made of the number again, so it must be the address.
func TestPlacePointer(t *testing.T) {
	x := [2]int64{1, 2}
	p := (*int64)(unsafe.Pointer(uintptr(unsafe.Pointer(&x)) + 8))
	y := int64(3)
	q := (*int64)(unsafe.Pointer(uintptr(unsafe.Pointer(&y)) &^ 1))
	if *p != 2 || *q != 3 {
		t.Error(*p, *q)
	}
}

// The stripes of a counter: of two goroutines that take one each may take the other's.
//
// finds: datarace
func TestPlaceStripes(t *testing.T) {
	var stripes [1]int
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { stripes[stackHash()%1]++ })
	}
	wg.Wait()
}

// A wrong guess: that each call has an address of its own.
//
// finds: testfailure
func TestPlaceAnew(t *testing.T) {
	seen := map[uintptr]bool{}
	for range 2 {
		if n := stackNumber(); seen[n] {
			t.Error("the same again")
		} else {
			seen[n] = true
		}
	}
}
