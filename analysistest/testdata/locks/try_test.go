package locks

import (
	"sync"
	"sync/atomic"
	"testing"
)

// finds: testfailure
func TestTryLockThenTryRLock(t *testing.T) { // a writer on its way keeps TryLock out, and TryRLock not yet
	var mu sync.RWMutex
	var inside atomic.Bool
	both(func() { mu.Lock(); inside.Store(true); mu.Unlock() }, func() {
		if mu.TryLock() {
			mu.Unlock()
		} else if mu.TryRLock() {
			if !inside.Load() {
				t.Error("the writer is not there yet")
			}
			mu.RUnlock()
		}
	})
}

// finds: testfailure
func TestTryLockAfterRLock(t *testing.T) { // a writer on its way out
	var mu sync.RWMutex
	done := make(chan bool, 1)
	mu.Lock()
	go func() { mu.Unlock(); done <- true }()
	mu.RLock()
	mu.RUnlock()
	if !mu.TryLock() {
		t.Error("nobody is inside")
	}
	<-done
}

// finds: testfailure
func TestTryLockTwice(t *testing.T) { // each keeps the other out, and nobody is inside
	var mu sync.RWMutex
	got := make(chan bool, 1)
	mu.RLock()
	go func() { got <- mu.TryLock() }()
	mu.RUnlock()
	if ok := mu.TryLock(); !ok && !<-got {
		t.Error("neither")
	}
}

// finds: testfailure
func TestPendingWriter(t *testing.T) {
	var mu sync.RWMutex
	got := make(chan bool, 1)
	mu.RLock()
	go func() { mu.Lock(); mu.Unlock(); got <- true }()
	if !mu.TryRLock() {
		t.Error("shut out")
	} else {
		mu.RUnlock()
	}
	mu.RUnlock()
	<-got
}

func TestTryLockAlone(t *testing.T) { // near miss: it succeeds
	var mu sync.RWMutex
	done := make(chan bool)
	go func() { mu.Lock(); mu.Unlock(); mu.RLock(); mu.RUnlock(); done <- true }()
	<-done
	if !mu.TryLock() {
		t.Error("not taken")
	}
}

func TestTryLockMutex(t *testing.T) { // a Mutex has no such steps: after a success nobody else may fail
	var mu sync.Mutex
	got := make(chan bool, 1)
	go func() { got <- mu.TryLock() }()
	if ok := mu.TryLock(); !ok && !<-got {
		t.Error("neither")
	}
}

func TestTryLockPolls(t *testing.T) { // goes round until the reader is gone
	var mu sync.RWMutex
	mu.RLock()
	done := make(chan bool)
	go func() {
		for !mu.TryLock() {
		}
		done <- true
	}()
	mu.RUnlock()
	<-done
}

func TestTryLockPollsBesideWriter(t *testing.T) {
	var mu sync.RWMutex
	mu.RLock()
	done := make(chan bool, 1)
	go func() {
		for !mu.TryLock() {
		}
		mu.Unlock()
		done <- true
	}()
	mu.RUnlock()
	mu.Lock()
	mu.Unlock()
	<-done
}

// finds: livelock
func TestTryLockPollsForEver(t *testing.T) { // livelock
	var mu sync.RWMutex
	mu.RLock()
	done := make(chan bool)
	go func() {
		for !mu.TryLock() {
		}
		done <- true
	}()
	<-done
}
