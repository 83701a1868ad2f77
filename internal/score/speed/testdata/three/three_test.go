// Package three is the test whose executions are counted: the test's goroutine and two others, 30 visible events.
package three

import (
	"sync"
	"testing"
)

func TestThree(t *testing.T) {
	var (
		mu sync.Mutex
		wg sync.WaitGroup
		n  int
	)
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n++
			mu.Unlock()
		}()
	}
	wg.Wait()
	if n != 2 {
		t.Errorf("n = %d", n)
	}
}
