// Package lockcycle has cycles of locks.
package lockcycle

import (
	"sync"
	"testing"
)

func TestABBA(t *testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		a.Lock()
		b.Lock() // want `deadlock: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 at line \d+ \(held by G1\.1\), and 1 more\n.*\n\tin TestABBA`
		b.Unlock()
		a.Unlock()
	})
	wg.Go(func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	wg.Wait()
}

// Three philosophers, each with the left fork first.
func TestThree(t *testing.T) {
	var forks [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			l, r := &forks[i], &forks[(i+1)%3]
			l.Lock()
			r.Lock() // want `deadlock: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 here \(held by G1\.3\), and 2 more\n.*\n\tin TestThree`
			r.Unlock()
			l.Unlock()
		})
	}
	wg.Wait()
}

// The cycle goes through a read lock, and the main goroutine is not part of it.
func TestThroughReadLock(t *testing.T) {
	var a sync.RWMutex
	var b sync.Mutex
	go func() {
		a.RLock()
		b.Lock() // want `goroutine leak: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 at line \d+ \(held by G1\.1\)\n.*\n\tin TestThroughReadLock`
		b.Unlock()
		a.RUnlock()
	}()
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
}

type account struct {
	mu      sync.Mutex
	balance int
}

func transfer(from, to *account, n int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock() // want `deadlock: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 here \(held by G1\.1\), and 1 more\n.*\n\tin TestTransfer`
	defer to.mu.Unlock()
	from.balance -= n
	to.balance += n
}

func TestTransfer(t *testing.T) {
	var a, b account
	var wg sync.WaitGroup
	wg.Go(func() { transfer(&a, &b, 1) })
	wg.Go(func() { transfer(&b, &a, 1) })
	wg.Wait()
}

func TestSameOrder(t *testing.T) { // verdict: exhausted
	var a, b sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		})
	}
	wg.Wait()
}

// A gate lock keeps the cycle apart.
func TestGate(t *testing.T) { // verdict: exhausted
	var gate, a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		gate.Lock()
		defer gate.Unlock()
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	})
	wg.Go(func() {
		gate.Lock()
		defer gate.Unlock()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	wg.Wait()
}

// The goroutines are never there at once.
func TestOneAfterTheOther(t *testing.T) { // verdict: exhausted
	var a, b sync.Mutex
	done := make(chan bool)
	go func() {
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
		close(done)
	}()
	<-done
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
}

// TryLock gives up instead of waiting.
func TestTry(t *testing.T) { // verdict: exhausted
	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Go(func() {
		a.Lock()
		if b.TryLock() {
			b.Unlock()
		}
		a.Unlock()
	})
	wg.Go(func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	})
	wg.Wait()
}
