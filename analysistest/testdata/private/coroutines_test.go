package private

import (
	"iter"
	"sync"
	"sync/atomic"
	"testing"
)

// This file has coroutines of iter.Pull that several goroutines use, one after the other: who goes on with one goes on
// with what the others have learnt on it.

func numbers(yield func(int) bool) {
	for i := range 3 {
		if !yield(i) {
			return
		}
	}
}

// panics: 0 1 | 1 0
func TestPullLocked(t *testing.T) {
	next, stop := iter.Pull(numbers)
	defer stop()
	var mu sync.Mutex
	var a, b int
	take := func(to *int) func() {
		return func() { mu.Lock(); *to, _ = next(); mu.Unlock() }
	}
	two(take(&a), take(&b))
	say(a, b)
}

// panics: 0 true | 1 true
func TestPull2Locked(t *testing.T) {
	next, stop := iter.Pull2(func(yield func(int, bool) bool) { yield(0, true); yield(1, true) })
	var mu sync.Mutex
	var a int
	var ok bool
	two(func() { mu.Lock(); a, ok, _ = next(); mu.Unlock() }, func() { mu.Lock(); next(); mu.Unlock() })
	stop()
	say(a, ok)
}

// panics: 0 false | 0 true
func TestPullStopped(t *testing.T) {
	next, stop := iter.Pull(numbers)
	var mu sync.Mutex
	var a int
	var ok bool
	two(func() { mu.Lock(); a, ok = next(); mu.Unlock() }, func() { mu.Lock(); stop(); mu.Unlock() })
	say(a, ok)
}

// panics: 0 | 1
func TestPullTold(t *testing.T) { // what one has read on the coroutine's stack, the other stores
	var from, to atomic.Int32
	next, stop := iter.Pull(func(yield func(int) bool) {
		v := from.Load()
		yield(1)
		to.Store(v)
	})
	done := make(chan bool)
	go from.Store(1)
	go func() { next(); close(done) }()
	<-done
	stop()
	say(to.Load())
}

// panics: 0 1
func TestPullInTurn(t *testing.T) { // near miss: the order is fixed
	next, stop := iter.Pull(numbers)
	defer stop()
	done := make(chan int)
	go func() { v, _ := next(); done <- v }()
	a := <-done
	b, _ := next()
	say(a, b)
}

// panics: 0 0
func TestPullApart(t *testing.T) { // near miss: each has its own
	var a, b int
	take := func(to *int) func() {
		return func() {
			next, stop := iter.Pull(numbers)
			*to, _ = next()
			stop()
		}
	}
	two(take(&a), take(&b))
	say(a, b)
}

// panics: 0 0 | 0 1 | 1 0 | 1 1
func TestPullToldBeside(t *testing.T) { // what was read before, on the coroutine, and what is read now
	var before, now atomic.Int32
	next, stop := iter.Pull(func(yield func(int) bool) {
		v := before.Load()
		yield(1)
		say(v, now.Load())
	})
	done := make(chan bool)
	go before.Store(1)
	go now.Store(1)
	go func() { next(); close(done) }()
	<-done
	stop()
}
