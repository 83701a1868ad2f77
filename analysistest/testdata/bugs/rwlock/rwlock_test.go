// Package rwlock has read locks taken again while a writer waits: the writer shuts out the second one.
package rwlock

import (
	"sync"
	"testing"
)

func TestReadWriteRead(t *testing.T) {
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.RLock()
		mu.RLock() // want `deadlock: G1\.1 blocked here in RWMutex\.RLock \(held by G1\.2\), G1\.2 at line \d+ \(held by G1\.1\), and 1 more\n.*\n\tin TestReadWriteRead`
		mu.RUnlock()
		mu.RUnlock()
	})
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	wg.Wait()
}

type tree struct {
	mu   sync.RWMutex
	size int
}

func (t *tree) len() int {
	t.mu.RLock() // want `deadlock: G1 blocked here in RWMutex\.RLock \(held by G1\.1\), G1\.1 at line \d+ in RWMutex\.Lock \(held by G1\)\n.*\n\tin TestMethodUnderReadLock`
	defer t.mu.RUnlock()
	return t.size
}

func (t *tree) empty() bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.len() == 0
}

func (t *tree) grow() {
	t.mu.Lock()
	t.size++
	t.mu.Unlock()
}

func TestMethodUnderReadLock(t *testing.T) {
	var tr tree
	go tr.grow()
	tr.empty()
}

// The second reader is another goroutine, for which the first one waits.
func TestReaderWaitsForReader(t *testing.T) {
	var mu sync.RWMutex
	go func() {
		mu.Lock() // want `deadlock: G1\.1 blocked here in RWMutex\.Lock \(held by G1\), G1\.2 at line \d+ \(held by G1\.1\), and 1 more\n.*\n\tin TestReaderWaitsForReader`
		mu.Unlock()
	}()
	mu.RLock()
	done := make(chan bool)
	go func() {
		mu.RLock()
		mu.RUnlock()
		close(done)
	}()
	<-done
	mu.RUnlock()
}

// Without a writer two read locks are fine.
func TestNoWriter(t *testing.T) { // verdict: exhausted
	var mu sync.RWMutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.RLock()
			mu.RLock()
			mu.RUnlock()
			mu.RUnlock()
		})
	}
	wg.Wait()
}

func TestReadOnce(t *testing.T) { // verdict: exhausted
	var tr tree
	var wg sync.WaitGroup
	wg.Go(tr.grow)
	wg.Go(func() {
		tr.mu.RLock()
		_ = tr.size == 0
		tr.mu.RUnlock()
	})
	wg.Wait()
}

func TestReleasedBetween(t *testing.T) { // verdict: exhausted
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.RLock()
		mu.RUnlock()
		mu.RLock()
		mu.RUnlock()
	})
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	wg.Wait()
}

func TestTryRead(t *testing.T) { // verdict: exhausted
	var mu sync.RWMutex
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.RLock()
		if mu.TryRLock() {
			mu.RUnlock()
		}
		mu.RUnlock()
	})
	wg.Go(func() {
		mu.Lock()
		mu.Unlock()
	})
	wg.Wait()
}
