package earlywait

import (
	"sync"
	"testing"
)

func TestWait(t *testing.T) {
	var wg sync.WaitGroup
	n := 0
	wg.Go(func() { n = 1 }) // want "data race"
	_ = n
	wg.Wait()
}
