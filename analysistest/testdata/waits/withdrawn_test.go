package waits

import (
	"sync"
	"testing"
)

// This file unlocks RWMutexes that no writer holds. Where one waits, natively the Unlock is not fatal: it takes back
// what the writer has announced. What comes then is not supported (RW6).

// announced has a writer that comes before or after what follows.
func announced(mu *sync.RWMutex) (done chan bool) {
	done = make(chan bool)
	go func() {
		defer close(done)
		mu.Lock()
		mu.Unlock()
	}()
	return done
}

// Before the writer comes it is fatal.
//
// finds: panics
func TestWithdrawnOfReader(t *testing.T) { // incomplete: unsupported Unlock of an RWMutex
	var mu sync.RWMutex
	mu.RLock()
	done := announced(&mu)
	mu.Unlock()
	mu.RUnlock()
	<-done
}

// finds: panics
func TestWithdrawnByOther(t *testing.T) { // incomplete: unsupported Unlock of an RWMutex
	var mu sync.RWMutex
	mu.RLock()
	done := announced(&mu)
	go mu.Unlock()
	mu.RUnlock()
	<-done
}

// Who has seen that a writer has announced itself does not come before it.
func TestWithdrawnOfReaderSeen(t *testing.T) { // incomplete: unsupported Unlock of an RWMutex
	var mu sync.RWMutex
	mu.RLock()
	done := announced(&mu)
	if mu.TryRLock() {
		mu.RUnlock()
	} else {
		mu.Unlock()
	}
	mu.RUnlock()
	<-done
}

// A writer that no reader keeps waiting has the lock: another one may unlock it, and then it is not locked any more
// (RW7).
//
// finds: panics
func TestWithdrawnSeen(t *testing.T) {
	var mu sync.RWMutex
	done := announced(&mu)
	if mu.TryRLock() {
		mu.RUnlock()
	} else {
		mu.Unlock()
	}
	<-done
}

// Nobody fails who does not unlock it again.
func TestWithdrawnSeenOnce(t *testing.T) {
	var mu sync.RWMutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		close(done)
	}()
	if mu.TryRLock() {
		mu.RUnlock()
	} else {
		mu.Unlock()
	}
	<-done
}

// Nobody waits.
//
// finds: panics
func TestWithdrawnOfNobody(t *testing.T) {
	var mu sync.RWMutex
	mu.RLock()
	mu.Unlock()
}

// The writer holds the lock, and another one gives it back.
func TestWithdrawnHandedOver(t *testing.T) {
	var mu sync.RWMutex
	mu.RLock()
	held := make(chan bool)
	go func() {
		mu.Lock()
		held <- true
	}()
	mu.RUnlock()
	<-held
	mu.Unlock()
	mu.RLock()
	mu.RUnlock()
}

// Another writer waits while one holds it.
func TestWithdrawnOfTwo(t *testing.T) {
	var mu sync.RWMutex
	mu.Lock()
	done := announced(&mu)
	mu.Unlock()
	mu.RLock()
	mu.RUnlock()
	<-done
}
