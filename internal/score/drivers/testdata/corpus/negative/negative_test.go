package negative

import (
	"sync"
	"testing"
)

func TestNegative(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	done := make(chan bool)
	go func() {
		defer close(done)
		wg.Done()
	}()
	wg.Wait()
	wg.Add(1)
	go wg.Done()
	wg.Wait()
	<-done
	index(0)
	go index(1)
}

func index(i int) {
	var a [1]int
	_ = a[i] // want "index out of range"
}
