// Package longrace has a race after some 200 events.
package longrace

import (
	"sync"
	"testing"
)

type account struct {
	mu      sync.Mutex
	balance int
	audited bool
}

func (a *account) add(n int) {
	a.mu.Lock()
	a.balance += n
	a.mu.Unlock()
}

func TestAudit(t *testing.T) {
	var a account
	var wg sync.WaitGroup
	done := make(chan bool)
	wg.Go(func() {
		for range done {
			a.add(1)
		}
		a.audited = true
	})
	for range 25 {
		a.add(2)
		done <- true
	}
	close(done)
	if a.audited {
		t.Log("audited")
	}
	wg.Wait()
}
