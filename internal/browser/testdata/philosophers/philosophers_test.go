// Package philosophers has a deadlock of four goroutines.
package philosophers

import (
	"sync"
	"testing"
)

func TestDine(t *testing.T) {
	var forks [4]sync.Mutex
	var wg sync.WaitGroup
	for i := range forks {
		wg.Go(func() {
			left, right := &forks[i], &forks[(i+1)%len(forks)]
			left.Lock()
			right.Lock()
			right.Unlock()
			left.Unlock()
		})
	}
	wg.Wait()
}
