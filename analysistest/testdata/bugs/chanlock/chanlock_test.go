// Package chanlock mixes a channel with a lock: one side holds the lock for which the other waits before it communicates.
package chanlock

import (
	"sync"
	"testing"
)

func TestSendUnderLock(t *testing.T) {
	var mu sync.Mutex
	ch := make(chan int)
	go func() {
		mu.Lock() // want `goroutine leak: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 at line \d+ in chan receive\n.*\n\tin TestSendUnderLock`
		ch <- 1
		mu.Unlock()
	}()
	go func() {
		mu.Lock() // want `goroutine leak: G1\.2 blocked here in Mutex\.Lock \(held by G1\.1\), G1\.1 at \S+:\d+ in chan send\n.*\n\tin TestSendUnderLock`
		<-ch
		mu.Unlock()
	}()
}

func TestReceiveUnderLock(t *testing.T) {
	var mu sync.Mutex
	ch := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		<-ch
	})
	wg.Go(func() {
		mu.Lock() // want `deadlock: G1\.2 blocked here in Mutex\.Lock \(held by G1\.1\), G1\.1 at line \d+ in chan receive, and 1 more\n.*\n\tin TestReceiveUnderLock`
		mu.Unlock()
		ch <- 1
	})
	wg.Wait()
}

// The buffer is large enough for one of the two.
func TestFullBufferUnderLock(t *testing.T) {
	var mu sync.Mutex
	ch := make(chan int, 1)
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() {
			mu.Lock()
			ch <- n
			mu.Unlock()
		})
	}
	for range 2 {
		mu.Lock() // want `deadlock: G1 blocked here in Mutex\.Lock \(held by G1\.1\), G1\.1 at \S+:\d+ in chan send\n.*\n\tin TestFullBufferUnderLock`
		mu.Unlock()
		<-ch
	}
	wg.Wait()
}

func TestSendAfterUnlock(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	ch := make(chan int)
	go func() {
		mu.Lock()
		mu.Unlock()
		ch <- 1
	}()
	mu.Lock()
	mu.Unlock()
	<-ch
}

func TestBufferedUnderLock(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	ch := make(chan int, 2)
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() {
			mu.Lock()
			ch <- n
			mu.Unlock()
		})
	}
	for range 2 {
		mu.Lock()
		mu.Unlock()
		<-ch
	}
	wg.Wait()
}

func TestTrySendUnderLock(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	ch := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		select {
		case ch <- 1:
		default:
		}
	})
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
		select {
		case <-ch:
		default:
		}
	})
	wg.Wait()
}
