// Package doublelock locks what the goroutine holds already.
package doublelock

import (
	"sync"
	"testing"
)

type set struct {
	mu sync.Mutex
	m  map[int]bool
}

func (s *set) has(n int) bool {
	s.mu.Lock() // want `goroutine leak: G1\.1 blocked here in Mutex\.Lock \(held by itself\), started at \S+:\d+\n.*\n\tin TestMethodCallsMethod`
	defer s.mu.Unlock()
	return s.m[n]
}

func (s *set) add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.has(n) {
		s.m[n] = true
	}
}

func TestMethodCallsMethod(t *testing.T) {
	s := set{m: map[int]bool{}}
	go s.add(1)
}

// The early return does not unlock.
func TestForgottenUnlock(t *testing.T) {
	var mu sync.Mutex
	full := make(chan bool, 1)
	put := func() {
		mu.Lock() // want `deadlock: G1\.3 blocked here in Mutex\.Lock \(held by G1\.2\), G1 at \S+:\d+ in WaitGroup\.Wait\n.*\n\tin TestForgottenUnlock`
		select {
		case full <- true:
		default:
			return
		}
		mu.Unlock()
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(put)
	}
	wg.Wait()
}

// A callback under the lock comes back.
func TestCallback(t *testing.T) {
	var mu sync.RWMutex
	each := func(f func()) {
		mu.RLock()
		defer mu.RUnlock()
		f()
	}
	done := make(chan bool)
	go func() {
		each(func() {
			mu.Lock() // want `deadlock: G1\.1 blocked here in RWMutex\.Lock \(held by itself\), G1 at \S+:\d+ in chan receive\n.*\n\tin TestCallback`
			mu.Unlock()
		})
		close(done)
	}()
	<-done
}

func (s *set) hasLocked(n int) bool { return s.m[n] }

func TestLockedVariant(t *testing.T) { // verdict: exhausted
	s := set{m: map[int]bool{}}
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if !s.hasLocked(n) {
				s.m[n] = true
			}
		})
	}
	wg.Wait()
}

func TestUnlockOnEveryPath(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	full := make(chan bool, 1)
	put := func() {
		mu.Lock()
		defer mu.Unlock()
		select {
		case full <- true:
		default:
		}
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(put)
	}
	wg.Wait()
}

// Two locks of one type are two locks.
func TestTwoInstances(t *testing.T) { // verdict: exhausted
	a, b := set{m: map[int]bool{}}, set{m: map[int]bool{1: true}}
	done := make(chan bool)
	go func() {
		a.mu.Lock()
		a.m[1] = b.has(1)
		a.mu.Unlock()
		close(done)
	}()
	b.has(1)
	<-done
}
