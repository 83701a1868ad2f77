// Package repaired holds patterns of real blocking bugs in their repaired form: each test lacks the fault that its comment names.
package repaired

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestResultAfterTimeout: a result that nobody waits for any more has room in the channel.
func TestResultAfterTimeout(t *testing.T) {
	result := make(chan int, 1)
	go func() { result <- 1 }()
	select {
	case <-result:
	case <-time.After(time.Second):
	}
}

// TestEarlyReturn: the first error ends the wait; the other senders have room too.
func TestEarlyReturn(t *testing.T) {
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- context.Canceled }()
	}
	<-errs
}

// TestSendOrQuit: a sender also listens for the end of its receiver.
func TestSendOrQuit(t *testing.T) {
	values, quit := make(chan int), make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for i := 0; ; i++ {
			select {
			case values <- i:
			case <-quit:
				return
			}
		}
	}()
	<-values
	close(quit)
	wg.Wait()
}

// TestUnlockOnEveryPath: the early return unlocks too.
func TestUnlockOnEveryPath(t *testing.T) {
	var mu sync.Mutex
	n := 0
	add := func(limit int) bool {
		mu.Lock()
		defer mu.Unlock()
		if n >= limit {
			return false
		}
		n++
		return true
	}
	done := make(chan bool)
	go func() { done <- add(1) }()
	first := add(1)
	if second := <-done; first == second {
		t.Error("not exactly one was added")
	}
}

// TestLockOrder: both take the two locks in the same order.
func TestLockOrder(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		}()
	}
	wg.Wait()
}

// TestNoRecursiveRead: the inner function expects the read lock and does not take it again beside a writer.
func TestNoRecursiveRead(t *testing.T) {
	var mu sync.RWMutex
	n := 0
	inner := func() int { return n }
	done := make(chan bool)
	go func() {
		mu.Lock()
		n++
		mu.Unlock()
		done <- true
	}()
	mu.RLock()
	_ = inner() + n
	mu.RUnlock()
	<-done
}

// TestSendOutsideLock: the lock is released before the send whose receiver needs it.
func TestSendOutsideLock(t *testing.T) {
	var mu sync.Mutex
	n := 0
	c := make(chan int)
	go func() {
		mu.Lock()
		n++
		v := n
		mu.Unlock()
		c <- v
	}()
	mu.Lock()
	n++
	mu.Unlock()
	<-c
}

// TestAddBeforeGo: the counter goes up before the goroutine starts.
func TestAddBeforeGo(t *testing.T) {
	var wg sync.WaitGroup
	var n atomic.Int32
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	if n.Load() != 2 {
		t.Error("not all done")
	}
}

// TestDoneOnFailure: Done is deferred, and so comes after a failure too.
func TestDoneOnFailure(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		defer func() { _ = recover() }()
		panic("failed")
	}()
	wg.Wait()
}

// TestCondLoop: the condition is tested under the lock, and again after each wait.
func TestCondLoop(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		c.Signal()
	}()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
}

// TestBroadcast: two wait, and both are woken.
func TestBroadcast(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			for !ready {
				c.Wait()
			}
			mu.Unlock()
		}()
	}
	mu.Lock()
	ready = true
	c.Broadcast()
	mu.Unlock()
	wg.Wait()
}

// TestCloseOnce: both may end the service, one closes.
func TestCloseOnce(t *testing.T) {
	quit := make(chan struct{})
	var once sync.Once
	stop := func() { once.Do(func() { close(quit) }) }
	go stop()
	stop()
	<-quit
}

// TestRangeClosed: the producer closes what the consumer ranges over.
func TestRangeClosed(t *testing.T) {
	c, done := make(chan int), make(chan bool)
	go func() {
		for range c {
		}
		close(done)
	}()
	c <- 1
	c <- 2
	close(c)
	<-done
}

// TestContextCancelled: the context that a goroutine waits for is always cancelled.
func TestContextCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	go func() {
		<-ctx.Done()
		close(done)
	}()
	cancel()
	<-done
}

// TestQuitFirst: a loop that was told to quit does not wait for its ticker.
func TestQuitFirst(t *testing.T) {
	quit, done := make(chan struct{}), make(chan bool)
	tick := make(chan int)
	go func() {
		defer close(done)
		select {
		case <-quit:
		case <-tick:
		}
	}()
	close(quit)
	<-done
}

// TestWaitOutsideLock: the lock is not held while others that need it are waited for.
func TestWaitOutsideLock(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n++
			mu.Unlock()
		}()
	}
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	if n != 2 {
		t.Error("not all done")
	}
}

// TestHandshake: the request and its answer have a channel each.
func TestHandshake(t *testing.T) {
	request, answer := make(chan int), make(chan int)
	go func() { answer <- <-request + 1 }()
	request <- 1
	if <-answer != 2 {
		t.Error("wrong answer")
	}
}

// TestSemaphore: each acquisition is released.
func TestSemaphore(t *testing.T) {
	slots := make(chan bool, 1)
	done := make(chan bool)
	go func() {
		slots <- true
		<-slots
		done <- true
	}()
	slots <- true
	<-slots
	<-done
}

// TestNotNilChannel: the channel is made before the goroutine that receives from it starts.
func TestNotNilChannel(t *testing.T) {
	type service struct{ c chan int }
	s := &service{}
	s.c = make(chan int)
	go func() { s.c <- 1 }()
	<-s.c
}

// TestCallbackUnlocked: the callback, which locks, is called after the lock was released.
func TestCallbackUnlocked(t *testing.T) {
	var mu sync.Mutex
	n := 0
	callback := func() {
		mu.Lock()
		n++
		mu.Unlock()
	}
	done := make(chan bool)
	go func() {
		mu.Lock()
		f := callback
		mu.Unlock()
		f()
		close(done)
	}()
	callback()
	<-done
}
