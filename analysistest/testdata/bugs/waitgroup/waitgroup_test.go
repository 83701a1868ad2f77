// Package waitgroup has misuses of sync.WaitGroup.
package waitgroup

import (
	"sync"
	"testing"
)

// Add runs beside Wait, so Wait may return before the work: the read of n races with it.
func TestAddBesideWait(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	go func() {
		wg.Add(1) // want `data race: wg read here by G1\.1, written at \S+:\d+ by G1 \(Add concurrent with Wait\)\n.*\n\tin TestAddBesideWait`
		n = 1 // want `data race: n written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestAddBesideWait`
		wg.Done()
	}()
	wg.Wait()
	_ = n
}

// One Done too many.
func TestNegativeCounter(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	fail := make(chan bool, 1)
	fail <- true
	go func() {
		defer wg.Done()
		select {
		case <-fail:
			wg.Done()
		default:
		}
	}() // want `panic: sync: negative WaitGroup counter, by G1\.1 in \(\*sync\.WaitGroup\)\.Done\n.*\n\tin TestNegativeCounter`
	wg.Wait()
}

// A second Done where two goroutines see the same end.
func TestDoneTwice(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	open := true
	wg.Add(2)
	for range 2 {
		go func() {
			mu.Lock()
			last := open
			open = false
			mu.Unlock()
			if last {
				wg.Done()
			}
			wg.Done() // want `panic: sync: negative WaitGroup counter, by G1\.2 in \(\*sync\.WaitGroup\)\.Done\n.*\n\tin TestDoneTwice`
		}()
	}
	wg.Wait()
}

// The group is copied: the goroutine is done with another one.
func TestCopied(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(wg sync.WaitGroup) { wg.Done() }(wg)
	wg.Wait() // want `deadlock: G1 blocked here in WaitGroup\.Wait\n.*\n\tin TestCopied`
}

// An early return forgets Done.
func TestForgottenDone(t *testing.T) {
	var wg sync.WaitGroup
	full := make(chan bool, 1)
	for range 2 {
		wg.Add(1)
		go func() {
			select {
			case full <- true:
			default:
				return
			}
			wg.Done()
		}()
	}
	wg.Wait() // want `deadlock: G1 blocked here in WaitGroup\.Wait\n.*\n\tin TestForgottenDone`
}

func TestAddBeforeGo(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	n := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		n = 1
	}()
	wg.Wait()
	_ = n
}

// Add within a counted goroutine is fine: the counter is not zero.
func TestNestedAdd(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	wg.Go(func() {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	})
	wg.Wait()
	_ = n
}

func TestReuse(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {})
		wg.Wait()
	}
}

func TestDeferredDone(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	full := make(chan bool, 1)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			select {
			case full <- true:
			default:
				return
			}
		}()
	}
	wg.Wait()
}

// The goroutine that adds is waited for, but not by the group.
func TestGoBesideWait(t *testing.T) {
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() {
		wg.Go(func() {}) // want `data race: wg read here by G1\.1, written at \S+:\d+ by G1 \(Add concurrent with Wait\)\n.*\n\tin TestGoBesideWait`
		close(done)
	}()
	wg.Wait()
	<-done
}

func TestAddBeforeWait(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	added := make(chan bool)
	go func() {
		wg.Go(func() {})
		close(added)
	}()
	<-added
	wg.Wait()
}
