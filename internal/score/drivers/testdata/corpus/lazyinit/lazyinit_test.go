package lazyinit

import (
	"sync"
	"testing"
)

func TestLazy(t *testing.T) {
	var mu sync.Mutex
	var v []int
	get := func() []int {
		if v == nil {
			mu.Lock()
			v = []int{1} // want "data race" "data race"
			mu.Unlock()
		}
		return v
	}
	done := make(chan bool)
	go func() {
		get()
		done <- true
	}()
	get()
	<-done
}
