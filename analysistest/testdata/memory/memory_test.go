// Package memory has the litmus tests of the literature on memory models. Each test fails with what its goroutines have read, so that its messages are its outcomes.
package memory

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// outcome runs goroutines side by side, and fails with what they return.
func outcome(t *testing.T, goroutines ...func() string) {
	outcomeAndThen(t, func() string { return "" }, goroutines...)
}

// outcomeAndThen is outcome with what last returns when the goroutines have ended.
func outcomeAndThen(t *testing.T, last func() string, goroutines ...func() string) {
	results := make([]chan string, len(goroutines))
	for i, f := range goroutines {
		results[i] = make(chan string, 1)
		go func() { results[i] <- f() }()
	}
	var all []string
	for _, r := range results {
		if s := <-r; s != "" {
			all = append(all, s)
		}
	}
	t.Error(strings.TrimSpace(strings.Join(all, " ") + " " + last()))
}

// SB: store buffering.
func TestSB(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 1; return fmt.Sprint(y) },
		func() string { y = 1; return fmt.Sprint(x) })
}

func TestSBAtomicStores(t *testing.T) {
	var x, y atomic.Int64
	outcome(t,
		func() string { x.Store(1); return fmt.Sprint(y.Load()) },
		func() string { y.Store(1); return fmt.Sprint(x.Load()) })
}

// An atomic load waits for no store.
func TestSBAtomicLoads(t *testing.T) {
	var x, y int64
	outcome(t,
		func() string { x = 1; return fmt.Sprint(atomic.LoadInt64(&y)) },
		func() string { y = 1; return fmt.Sprint(atomic.LoadInt64(&x)) })
}

// A compare-and-swap waits for the stores before it, also one that changes nothing.
func TestSBFailedSwap(t *testing.T) {
	var x, y int
	var a, b atomic.Int64
	outcome(t,
		func() string { x = 1; a.CompareAndSwap(1, 2); return fmt.Sprint(y) },
		func() string { y = 1; b.CompareAndSwap(1, 2); return fmt.Sprint(x) },
		func() string { return fmt.Sprint(a.Load()+b.Load() > 0) })
}

// A TryLock waits for the stores before it if it takes the lock.
func TestSBTry(t *testing.T) {
	var x int
	var y atomic.Int64
	var mu sync.Mutex
	outcome(t,
		func() string {
			x = 1
			took := mu.TryLock()
			r := y.Load()
			if took {
				mu.Unlock()
			}
			return fmt.Sprint(took, r)
		},
		func() string { y.Store(1); return fmt.Sprint(x) },
		func() string { mu.Lock(); defer mu.Unlock(); return "" })
}

// A read of what the buffer has a part of waits for that, and with total order for all before it.
func TestSBPart(t *testing.T) {
	var x, y int
	var a, b [2]int
	outcome(t,
		func() string { x = 1; a[1] = 0; c := a; return fmt.Sprint(c[0], y) },
		func() string { y = 1; b[1] = 0; c := b; return fmt.Sprint(c[0], x) },
		func() string { a[0]++; b[0]++; return "" })
}

// A goroutine that is blocked for ever: what it stored reaches memory all the same.
func TestBlockedStore(t *testing.T) {
	var x, y int
	c := make(chan int, 1)
	go func() { x = 1; y = 1; <-c }()
	if x == 0 {
		c <- 1
		t.Error("received")
		return
	}
	t.Error("blocked")
	_ = y
}

// Two locks taken in both orders: a deadlock before the stores.
func TestCrossedLocks(t *testing.T) {
	var a, b sync.Mutex
	var x, y int
	outcome(t,
		func() string {
			a.Lock()
			b.Lock()
			x = 1
			b.Unlock()
			a.Unlock()
			return fmt.Sprint(y)
		},
		func() string {
			b.Lock()
			a.Lock()
			y = 1
			a.Unlock()
			b.Unlock()
			return fmt.Sprint(x)
		})
}

func TestSBLocks(t *testing.T) {
	var x, y int
	var a, b sync.Mutex
	outcome(t,
		func() string { x = 1; a.Lock(); a.Unlock(); return fmt.Sprint(y) },
		func() string { y = 1; b.Lock(); b.Unlock(); return fmt.Sprint(x) })
}

func TestSBChannel(t *testing.T) {
	var x, y int
	a, b := make(chan int, 1), make(chan int, 1)
	outcome(t,
		func() string { x = 1; a <- 1; return fmt.Sprint(y) },
		func() string { y = 1; b <- 1; return fmt.Sprint(x) })
}

// A rendezvous waits for the buffers of both.
func TestSBRendezvous(t *testing.T) {
	var x, y int
	c := make(chan int)
	outcome(t,
		func() string { x = 1; c <- 1; return fmt.Sprint(y) },
		func() string { y = 1; <-c; return fmt.Sprint(x) })
}

// SB where the newest store of two is read back.
func TestSBTwice(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 2; x = 1; _ = x; return fmt.Sprint(y) },
		func() string { y = 1; return fmt.Sprint(min(x, 1)) })
}

// SB by goroutines that run the same code.
func TestSameCode(t *testing.T) {
	var cells [2]int
	var mu sync.Mutex
	next := 0
	take := func() string {
		mu.Lock()
		i := next
		next++
		mu.Unlock()
		cells[i] = 1
		return fmt.Sprint(i, cells[1-i])
	}
	outcome(t, take, take)
}

// All that is stored is stored under a lock.
func TestUnderLocks(t *testing.T) {
	var mu sync.Mutex
	var x, y int
	both := func() string {
		mu.Lock()
		defer mu.Unlock()
		x++
		y = x
		return ""
	}
	outcomeAndThen(t, func() string {
		mu.Lock()
		defer mu.Unlock()
		return fmt.Sprint(x, y)
	}, both, both, both)
}

// A function of the standard library locks, or uses atomics.
func TestSBLibrary(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 1; fmt.Sprint(); return fmt.Sprint(y) },
		func() string { y = 1; fmt.Sprint(); return fmt.Sprint(x) })
}

// len of a channel, a failed TryLock and the default of a select with one case are plain loads.
func TestSBLooks(t *testing.T) {
	var x, y int
	c := make(chan int, 1)
	var held sync.Mutex
	held.Lock()
	outcome(t,
		func() string { x = 1; _ = len(c); held.TryLock(); return fmt.Sprint(y) },
		func() string {
			y = 1
			select {
			case <-c:
			default:
			}
			return fmt.Sprint(x)
		})
}

// SB with own reads: what was stored and is not in memory yet is read back (store forwarding).
func TestSBOwnReads(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 1; r := x; return fmt.Sprint(r, y) },
		func() string { y = 1; r := y; return fmt.Sprint(r, x) })
}

// MP: message passing.
func TestMP(t *testing.T) {
	var x, flag int
	outcome(t,
		func() string { x = 1; flag = 1; return "" },
		func() string { f := flag; return fmt.Sprint(f, x) })
}

func TestMPAtomic(t *testing.T) {
	var x int
	var flag atomic.Int64
	outcome(t,
		func() string { x = 1; flag.Store(1); return "" },
		func() string { f := flag.Load(); return fmt.Sprint(f, x) })
}

func TestMPLocks(t *testing.T) {
	var x, flag int
	var mu sync.Mutex
	outcome(t,
		func() string { x = 1; mu.Lock(); mu.Unlock(); flag = 1; return "" },
		func() string { f := flag; return fmt.Sprint(f, x) })
}

// LB: load buffering.
func TestLB(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { r := x; y = 1; return fmt.Sprint(r) },
		func() string { r := y; x = 1; return fmt.Sprint(r) })
}

// S: two stores of one goroutine, and a store of the other that follows a read.
func TestS(t *testing.T) {
	var x, y int
	outcomeAndThen(t, func() string { return fmt.Sprint(x) },
		func() string { x = 2; y = 1; return "" },
		func() string { r := y; x = 1; return fmt.Sprint(r) })
}

// R: two stores, and a store with a read.
func TestR(t *testing.T) {
	var x, y int
	outcomeAndThen(t, func() string { return fmt.Sprint(y) },
		func() string { x = 1; y = 1; return "" },
		func() string { y = 2; return fmt.Sprint(x) })
}

// 2+2W, with a goroutine that reads x, then y.
func TestTwoPlusTwoW(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 1; y = 2; return "" },
		func() string { y = 1; x = 2; return "" },
		func() string { a := x; return fmt.Sprint(a, y) })
}

// IRIW: independent reads of independent writes.
func TestIRIW(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 1; return "" },
		func() string { y = 1; return "" },
		func() string { a := x; return fmt.Sprint(a, y) },
		func() string { a := y; return fmt.Sprint(a, x) })
}

// WRC: write to read causality.
func TestWRC(t *testing.T) {
	var x, y int
	outcome(t,
		func() string { x = 1; return "" },
		func() string { r := x; y = 1; return fmt.Sprint(r) },
		func() string { r := y; return fmt.Sprint(r, x) })
}

// ISA2: a message passed on.
func TestISA2(t *testing.T) {
	var x, y, z int
	outcome(t,
		func() string { x = 1; y = 1; return "" },
		func() string { r := y; z = 1; return fmt.Sprint(r) },
		func() string { r := z; return fmt.Sprint(r, x) })
}

// CoRR: two reads of one location.
func TestCoRR(t *testing.T) {
	var x int
	outcome(t,
		func() string { x = 1; return "" },
		func() string { a := x; return fmt.Sprint(a, x) })
}

// CoWW: two stores to one location.
func TestCoWW(t *testing.T) {
	var x int
	outcome(t,
		func() string { x = 1; x = 2; return "" },
		func() string { a := x; return fmt.Sprint(a, x) })
}

// CoRW: a read, and then a store to the same location.
func TestCoRW(t *testing.T) {
	var x int
	outcome(t,
		func() string { r := x; x = 1; return fmt.Sprint(r) },
		func() string { x = 2; a := x; return fmt.Sprint(a) })
}

// What a pointer leads to may reach memory after the pointer.
func TestPublish(t *testing.T) {
	type pair struct{ a, b int }
	var shared *pair
	outcome(t,
		func() string { shared = &pair{1, 2}; return "" },
		func() string {
			if p := shared; p != nil {
				return fmt.Sprint(*p)
			}
			return "nil"
		})
}

func TestPublishAtomic(t *testing.T) {
	type pair struct{ a, b int }
	var shared atomic.Pointer[pair]
	outcome(t,
		func() string { shared.Store(&pair{1, 2}); return "" },
		func() string {
			if p := shared.Load(); p != nil {
				return fmt.Sprint(p.a, p.b)
			}
			return "nil"
		})
}

// A read of bytes of which the newest store has some waits until that is in memory.
func TestPartial(t *testing.T) {
	var x [2]int32
	var y int
	outcome(t,
		func() string { x[0] = 1; c := x; return fmt.Sprint(c, y) },
		func() string { y = 1; return fmt.Sprint(x[0]) })
}

// Stores of a whole and of a part of it keep their order, in whichever it is; others meet a mix only where one store is
// in memory and the other is not yet.
func TestWholeAndPart(t *testing.T) {
	var x [2]int32
	outcome(t,
		func() string { x = [2]int32{1, 2}; x[1] = 3; return "" },
		func() string { c := x; return fmt.Sprint(c) })
}

func TestPartAndWhole(t *testing.T) {
	var x [2]int32
	var y int
	outcome(t,
		func() string { x[1] = 3; y = 1; x = [2]int32{1, 2}; x[0] = 4; return fmt.Sprint(x[1]) },
		func() string { c := x; return fmt.Sprint(c, y) })
}

// figure39 is figure 3.9 of Huang's dissertation: z says that x and y have been set.
func figure39(t *testing.T, n int) {
	var x, y, z int
	outcome(t,
		func() string {
			for range n {
				z, x, y = 0, 0, 0
				x = 2
				y = 3
				z = 1
			}
			return ""
		},
		func() string {
			var met []byte
			for range n {
				c := z
				met = append(met, 'z', '0'+byte(c))
				if c != 1 {
					continue
				}
				a := x
				b := y
				met = append(met, 'x', '0'+byte(a), 'y', '0'+byte(b))
				if a+1 != b {
					a = x
					b = y
					met = append(met, "ERROR"...)
					met = append(met, '0'+byte(a), '0'+byte(b))
				}
			}
			return string(met)
		})
}

func TestFigure39(t *testing.T)       { figure39(t, 1) }
func TestFigure39Twice(t *testing.T)  { figure39(t, 2) }
func TestFigure39Thrice(t *testing.T) { figure39(t, 3) }
