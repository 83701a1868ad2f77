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

// An atomic store waits for the stores before it, also one to memory that nobody else reaches: it is one instruction.
func TestSBPrivateAtomic(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { var own atomic.Int64; x = 1; own.Store(1); return fmt.Sprint(y) },
		func() string { var own atomic.Value; y = 1; own.Swap(1); return fmt.Sprint(x) })
}

// So does a TryLock of an RWMutex, whether it takes the lock or not.
func TestSBTryRW(t *testing.T) {
	var x, y int
	var held, free sync.RWMutex
	held.Lock()
	outcome(t,
		func() string { x = 1; held.TryRLock(); return fmt.Sprint(y) },
		func() string { y = 1; free.TryLock(); return fmt.Sprint(x) })
}

// published reads what a pointer leads to.
func published(p **[2]int) string {
	if q := *p; q != nil {
		return fmt.Sprint(*q)
	}
	return "nil"
}

// What waits for the buffer is between a pointer and what it leads to: a TryLock that takes its lock, a select of two
// cases, an atomic store.
func TestPublishTry(t *testing.T) {
	var shared *[2]int
	var mu sync.Mutex
	outcome(t,
		func() string { p := &[2]int{1, 2}; mu.TryLock(); shared = p; return "" },
		func() string { return published(&shared) })
}

func TestPublishSelect(t *testing.T) {
	var shared *[2]int
	var never, nor chan int
	outcome(t,
		func() string {
			p := &[2]int{1, 2}
			select {
			case <-never:
			case <-nor:
			default:
			}
			shared = p
			return ""
		},
		func() string { return published(&shared) })
}

func TestPublishPrivateAtomic(t *testing.T) {
	var shared *[2]int
	outcome(t,
		func() string { var own atomic.Int64; p := &[2]int{1, 2}; own.Store(1); shared = p; return "" },
		func() string { return published(&shared) })
}

// A TryLock that fails is between them, and does not wait.
func TestPublishTryFails(t *testing.T) {
	var shared *[2]int
	var mu sync.Mutex
	mu.Lock()
	outcome(t,
		func() string { p := &[2]int{1, 2}; mu.TryLock(); shared = p; return "" },
		func() string { return published(&shared) })
}
