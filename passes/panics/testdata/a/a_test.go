package a

import (
	"sync"
	"sync/atomic"
	"testing"
)

type queue struct {
	mu     sync.Mutex
	closed atomic.Bool
	ch     chan int
}

func (q *queue) close() {
	q.closed.Store(true)
	close(q.ch)
}

func (q *queue) put(v int) {
	if !q.closed.Load() {
		q.ch <- v // want `panic: send on closed channel, by G1\.2\n.*\n\tin TestPut`
	}
}

func TestPut(t *testing.T) { // verdict: exhausted
	q := &queue{ch: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Go(q.close)
	wg.Go(func() { q.put(1) })
	wg.Wait()
}

func (q *queue) lockedClose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.close()
}

func (q *queue) lockedPut(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed.Load() {
		q.ch <- v
	}
}

func TestLockedPut(t *testing.T) { // verdict: exhausted
	q := &queue{ch: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Go(q.lockedClose)
	wg.Go(func() { q.lockedPut(1) })
	wg.Wait()
}

func TestRecovered(t *testing.T) { // verdict: exhausted
	var p *queue
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { recover() }()
		p.closed.Load()
	}()
	<-done
}

// A builtin function that a go statement starts stands at the statement.
func TestGoBuiltin(t *testing.T) {
	c := make(chan bool)
	close(c)
	go close(c) // want `panic: close of closed channel, by G1.1\n`
	select {}
}

// What unwinds the stack is nothing that the program has called.
func TestDeferredClose(t *testing.T) {
	c := make(chan int)
	close(c)
	go func() {
		defer close(c)
		c <- 1 // want `panic: send on closed channel; panic: close of closed channel, by G1\.1\n`
	}()
	select {}
}
