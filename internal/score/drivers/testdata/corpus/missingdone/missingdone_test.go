package missingdone

import (
	"sync"
	"testing"
)

func TestDone(t *testing.T) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	first := true
	wg.Add(2)
	for range 2 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			if first {
				first = false
				return
			}
			wg.Done()
		}()
	}
	wg.Wait() // want "deadlock"
}
