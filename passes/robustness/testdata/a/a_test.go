package a

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Both may find the other's store not in memory yet.
func TestBothEnter(t *testing.T) { // verdict: exhausted
	var wants [2]bool
	var in atomic.Int32
	enter := func(me int) {
		wants[me] = true // want `under tso G1.[12] reads wants\[…\] at a_test.go:15 before G1.[12]'s store here is in memory.*\n.*\n\tin TestBothEnter, tso`
		if !wants[1-me] {
			in.Add(1)
		}
	}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { enter(i) })
	}
	wg.Wait()
	if in.Load() == 2 {
		t.Error("both are in")
	}
}

// What a goroutine reads may be all that shows.
func TestOnlyAValue(t *testing.T) { // verdict: exhausted
	var x, y, a, b int
	var wg sync.WaitGroup
	wg.Go(func() {
		x = 1 // want `under tso G1.2 reads x at a_test.go:39 before G1.1's store here is in memory: G1's read of b gives 0`
		a = y
	})
	wg.Go(func() {
		y = 1
		b = x
	})
	wg.Wait()
	t.Log(a, b)
}

// What is read on the way to a failure is no finding of its own.
func TestBothKnock(t *testing.T) { // verdict: exhausted
	var x, y, a, b int
	var wg sync.WaitGroup
	wg.Go(func() {
		x = 1 // want `under tso G1.2 reads x at a_test.go:55 before G1.1's store here is in memory`
		a = y
	})
	wg.Go(func() {
		y = 1
		b = x
	})
	wg.Wait()
	if a+b == 0 {
		t.Error("nobody has knocked")
	}
}

// A store of sync/atomic does not wait.
func TestAtomic(t *testing.T) { // verdict: exhausted
	var x, y, a, b atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() { x.Store(1); a.Store(y.Load()) })
	wg.Go(func() { y.Store(1); b.Store(x.Load()) })
	wg.Wait()
	if a.Load()+b.Load() == 0 {
		t.Error("both went in")
	}
}

// A race that total store order makes no worse: the flag comes after what it announces.
func TestPublish(t *testing.T) { // verdict: exhausted
	var data, ready int
	var wg sync.WaitGroup
	wg.Go(func() { data = 1; ready = 1 })
	wg.Go(func() {
		if ready == 1 && data == 0 {
			t.Error("ready too early")
		}
	})
	wg.Wait()
}

// It fails sequentially consistently too, at the same line.
func TestFailsAnyway(t *testing.T) { // verdict: exhausted
	var x int
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })
	wg.Go(func() {
		if x == 0 {
			t.Error("too early")
		}
	})
	wg.Wait()
}

// How often a goroutine that polls looks is nobody's business: there are more stores to wait for.
func TestPolls(t *testing.T) { // verdict: exhausted
	var x, y int
	var done atomic.Bool
	go func() {
		x = 1
		y = 1
		done.Store(true)
	}()
	for x == 0 {
	}
	for !done.Load() {
	}
	_ = y
}
