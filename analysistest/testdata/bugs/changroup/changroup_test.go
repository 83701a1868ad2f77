// Package changroup mixes a channel with a WaitGroup.
package changroup

import (
	"sync"
	"testing"
)

// The workers send before they are done, and the results are read after Wait.
func TestWaitBeforeReceive(t *testing.T) {
	var wg sync.WaitGroup
	ch := make(chan int)
	wg.Add(1)
	go func() {
		defer wg.Done()
		ch <- 1 // want `deadlock: G1\.1 blocked here in chan send, G1 at \S+:\d+ in WaitGroup\.Wait\n.*\n\tin TestWaitBeforeReceive`
	}()
	wg.Wait()
	<-ch
}

// One error too many for the buffer.
func TestSmallBuffer(t *testing.T) {
	var wg sync.WaitGroup
	errs := make(chan int, 1)
	for n := range 2 {
		wg.Go(func() { errs <- n }) // want `deadlock: G1\.2 blocked here in chan send, G1 at \S+:\d+ in WaitGroup\.Wait\n.*\n\tin TestSmallBuffer`
	}
	wg.Wait()
	close(errs)
}

// Nobody closes the channel that the last goroutine ranges over.
func TestRangeWithoutClose(t *testing.T) {
	var wg sync.WaitGroup
	ch := make(chan int)
	go func() {
		for range ch { // want `goroutine leak: G1\.1 blocked here in chan receive, started at \S+:\d+\n.*\n\tin TestRangeWithoutClose`
		}
	}()
	for n := range 2 {
		wg.Go(func() { ch <- n })
	}
	wg.Wait()
}

// The consumer gives up after the first result.
func TestFirstResult(t *testing.T) {
	ch := make(chan int)
	for n := range 2 {
		go func() { ch <- n }() // want `goroutine leak: G1\.2 blocked here in chan send, started here\n.*\n\tin TestFirstResult`
	}
	<-ch
}

func TestReceiveBeforeWait(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	ch := make(chan int)
	wg.Go(func() { ch <- 1 })
	<-ch
	wg.Wait()
}

func TestLargeBuffer(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	errs := make(chan int, 2)
	for n := range 2 {
		wg.Go(func() { errs <- n })
	}
	wg.Wait()
	close(errs)
	for range errs {
	}
}

func TestRangeWithClose(t *testing.T) { // verdict: exhausted
	var wg, readers sync.WaitGroup
	ch := make(chan int)
	readers.Go(func() {
		for range ch {
		}
	})
	for n := range 2 {
		wg.Go(func() { ch <- n })
	}
	wg.Wait()
	close(ch)
	readers.Wait()
}
