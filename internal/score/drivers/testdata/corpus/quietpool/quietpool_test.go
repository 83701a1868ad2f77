package quietpool

import (
	"sync"
	"testing"
)

func TestPool(t *testing.T) {
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
	wg.Wait()
	if n != 2 {
		t.Error(n)
	}
}
