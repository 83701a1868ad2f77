package captures

import (
	"sync"
	"testing"
)

// What is captured is the same for all, and each has a variable of its own for it.
func TestOwnVariables(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	sum := 0
	for range 8 {
		v, lock := 1, &mu
		wg.Go(func() {
			lock.Lock()
			sum += v
			lock.Unlock()
		})
	}
	wg.Wait()
	if sum != 8 {
		t.Error(sum)
	}
}

// The variables of a loop with three clauses are captured by value, too, though its last clause assigns to them.
func TestRounds(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	sum := 0
	for i, lock := 0, &mu; i < 8; i, lock = i+1, &mu {
		wg.Go(func() {
			lock.Lock()
			sum++
			lock.Unlock()
		})
	}
	wg.Wait()
	if sum != 8 {
		t.Error(sum)
	}
}
