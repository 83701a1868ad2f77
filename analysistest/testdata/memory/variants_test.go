package memory

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
)

// This file has the litmus tests with atomics, and with locks in the middle: they do what they do under sequential consistency.

// A fence waits for the store buffer of the goroutine that passes it.
type fence struct{ mu sync.Mutex }

func (f *fence) pass() {
	f.mu.Lock()
	f.mu.Unlock()
}

func TestLBAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcome(t,
		func() string { r := x.Load(); y.Store(1); return fmt.Sprint(r) },
		func() string { r := y.Load(); x.Store(1); return fmt.Sprint(r) })
}

func TestLBLocks(t *testing.T) {
	var x, y int
	var f [2]fence
	outcome(t,
		func() string { r := x; f[0].pass(); y = 1; return fmt.Sprint(r) },
		func() string { r := y; f[1].pass(); x = 1; return fmt.Sprint(r) })
}

func TestSAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcomeAndThen(t, func() string { return fmt.Sprint(x.Load()) },
		func() string { x.Store(2); y.Store(1); return "" },
		func() string { r := y.Load(); x.Store(1); return fmt.Sprint(r) })
}

func TestSLocks(t *testing.T) {
	var x, y int
	var f [2]fence
	outcomeAndThen(t, func() string { return fmt.Sprint(x) },
		func() string { x = 2; f[0].pass(); y = 1; return "" },
		func() string { r := y; f[1].pass(); x = 1; return fmt.Sprint(r) })
}

func TestRAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcomeAndThen(t, func() string { return fmt.Sprint(y.Load()) },
		func() string { x.Store(1); y.Store(1); return "" },
		func() string { y.Store(2); r := x.Load(); return fmt.Sprint(r) })
}

func TestRLocks(t *testing.T) {
	var x, y int
	var f [2]fence
	outcomeAndThen(t, func() string { return fmt.Sprint(y) },
		func() string { x = 1; f[0].pass(); y = 1; return "" },
		func() string { y = 2; f[1].pass(); r := x; return fmt.Sprint(r) })
}

func TestTwoPlusTwoWAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcome(t,
		func() string { x.Store(1); y.Store(2); return "" },
		func() string { y.Store(1); x.Store(2); return "" },
		func() string { a := x.Load(); b := y.Load(); return fmt.Sprint(a, b) })
}

func TestTwoPlusTwoWLocks(t *testing.T) {
	var x, y int
	var f [3]fence
	outcome(t,
		func() string { x = 1; f[0].pass(); y = 2; return "" },
		func() string { y = 1; f[1].pass(); x = 2; return "" },
		func() string { a := x; f[2].pass(); b := y; return fmt.Sprint(a, b) })
}

func TestIRIWAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcome(t,
		func() string { x.Store(1); return "" },
		func() string { y.Store(1); return "" },
		func() string { a := x.Load(); b := y.Load(); return fmt.Sprint(a, b) },
		func() string { a := y.Load(); b := x.Load(); return fmt.Sprint(a, b) })
}

func TestIRIWLocks(t *testing.T) {
	var x, y int
	var f [4]fence
	outcome(t,
		func() string { x = 1; return "" },
		func() string { y = 1; return "" },
		func() string { a := x; f[2].pass(); b := y; return fmt.Sprint(a, b) },
		func() string { a := y; f[3].pass(); b := x; return fmt.Sprint(a, b) })
}

func TestWRCAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcome(t,
		func() string { x.Store(1); return "" },
		func() string { r := x.Load(); y.Store(1); return fmt.Sprint(r) },
		func() string { a := y.Load(); b := x.Load(); return fmt.Sprint(a, b) })
}

func TestWRCLocks(t *testing.T) {
	var x, y int
	var f [3]fence
	outcome(t,
		func() string { x = 1; return "" },
		func() string { r := x; f[1].pass(); y = 1; return fmt.Sprint(r) },
		func() string { a := y; f[2].pass(); b := x; return fmt.Sprint(a, b) })
}

func TestISA2Atomic(t *testing.T) {
	var x, y, z atomic.Int64
	outcome(t,
		func() string { x.Store(1); y.Store(1); return "" },
		func() string { r := y.Load(); z.Store(1); return fmt.Sprint(r) },
		func() string { a := z.Load(); b := x.Load(); return fmt.Sprint(a, b) })
}

func TestISA2Locks(t *testing.T) {
	var x, y, z int
	var f [3]fence
	outcome(t,
		func() string { x = 1; f[0].pass(); y = 1; return "" },
		func() string { r := y; f[1].pass(); z = 1; return fmt.Sprint(r) },
		func() string { a := z; f[2].pass(); b := x; return fmt.Sprint(a, b) })
}

func TestCoRRAtomic(t *testing.T) {
	var x atomic.Int64
	outcome(t,
		func() string { x.Store(1); return "" },
		func() string { a := x.Load(); b := x.Load(); return fmt.Sprint(a, b) })
}

func TestCoRRLocks(t *testing.T) {
	var x int
	var f [2]fence
	outcome(t,
		func() string { x = 1; return "" },
		func() string { a := x; f[1].pass(); b := x; return fmt.Sprint(a, b) })
}

func TestCoWWAtomic(t *testing.T) {
	var x atomic.Int64
	outcome(t,
		func() string { x.Store(1); x.Store(2); return "" },
		func() string { a := x.Load(); b := x.Load(); return fmt.Sprint(a, b) })
}

func TestCoWWLocks(t *testing.T) {
	var x int
	var f [2]fence
	outcome(t,
		func() string { x = 1; f[0].pass(); x = 2; return "" },
		func() string { a := x; f[1].pass(); b := x; return fmt.Sprint(a, b) })
}

func TestCoRWAtomic(t *testing.T) {
	var x atomic.Int64
	outcome(t,
		func() string { r := x.Load(); x.Store(1); return fmt.Sprint(r) },
		func() string { x.Store(2); a := x.Load(); return fmt.Sprint(a) })
}

func TestCoRWLocks(t *testing.T) {
	var x int
	var f [2]fence
	outcome(t,
		func() string { r := x; f[0].pass(); x = 1; return fmt.Sprint(r) },
		func() string { x = 2; f[1].pass(); a := x; return fmt.Sprint(a) })
}

func TestSBOwnReadsAtomic(t *testing.T) {
	var x, y atomic.Int64
	outcome(t,
		func() string { x.Store(1); r := x.Load(); a := y.Load(); return fmt.Sprint(r, a) },
		func() string { y.Store(1); r := y.Load(); a := x.Load(); return fmt.Sprint(r, a) })
}

func TestSBOwnReadsLocks(t *testing.T) {
	var x, y int
	var f [2]fence
	outcome(t,
		func() string {
			x = 1
			f[0].pass()
			r := x
			f[0].pass()
			a := y
			return fmt.Sprint(r, a)
		},
		func() string {
			y = 1
			f[1].pass()
			r := y
			f[1].pass()
			a := x
			return fmt.Sprint(r, a)
		})
}
