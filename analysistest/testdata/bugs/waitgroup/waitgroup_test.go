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
		wg.Add(1) // want `data race: read of wg \(WaitGroup misuse: Add concurrent with Wait\) by G1\.1 at \S+:\d+ after write by G1 at \S+:\d+, in TestAddBesideWait`
		n = 1 // want `data race: write of n by G1\.1 at \S+:\d+ before read by G1 at \S+:\d+, in TestAddBesideWait`
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
	}() // want `panic: sync: negative WaitGroup counter, by G1\.1 at \S+:\d+ in \(\*sync\.WaitGroup\)\.Done, in TestNegativeCounter`
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
			wg.Done() // want `panic: sync: negative WaitGroup counter, by G1\.2 at \S+:\d+ in \(\*sync\.WaitGroup\)\.Done, in TestDoneTwice`
		}()
	}
	wg.Wait()
}

// The group is copied: the goroutine is done with another one.
func TestCopied(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func(wg sync.WaitGroup) { wg.Done() }(wg)
	wg.Wait() // want `deadlock: G1 blocked in sync\.WaitGroup\.Wait at \S+:\d+, in TestCopied`
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
	wg.Wait() // want `deadlock: G1 blocked in sync\.WaitGroup\.Wait at \S+:\d+, in TestForgottenDone`
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
		wg.Go(func() {}) // want `data race: read of wg \(WaitGroup misuse: Add concurrent with Wait\) by G1\.1 at \S+:\d+ in \(\*sync\.WaitGroup\)\.Go after write by G1 at \S+:\d+, in TestGoBesideWait`
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
