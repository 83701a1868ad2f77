package limits

import (
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

type node struct {
	v    int
	next uint64
}

// pack makes one number of an address and a count, which natively have room in it.
func pack(n *node, count uint64) uint64 {
	return uint64(uintptr(unsafe.Pointer(n)))<<16 | count&0xffff
}

func unpack(x uint64) *node {
	at := uintptr(x >> 16)
	return *(**node)(unsafe.Pointer(&at))
}

// TestPacks has a stack without locks whose head is such a number.
func TestPacks(t *testing.T) {
	var head atomic.Uint64
	push := func(n *node) {
		for {
			h := head.Load()
			n.next = h
			if head.CompareAndSwap(h, pack(n, h+1)) {
				return
			}
		}
	}
	a, b := &node{v: 1}, &node{v: 2}
	var wg sync.WaitGroup
	wg.Go(func() { push(a) })
	wg.Go(func() { push(b) })
	wg.Wait()
	n := unpack(head.Load())
	if n.v+unpack(n.next).v != a.v+b.v {
		t.Error(n.v)
	}
}
