package addfirst

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	go func() {
		wg.Add(1)
		defer wg.Done()
		n++
	}()
	wg.Wait()
	if n != 1 {
		t.Error(n)
	}
}
