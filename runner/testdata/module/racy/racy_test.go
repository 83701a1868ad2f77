package racy

import (
	"sync"
	"testing"
)

func TestAdd(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	wg.Go(c.Add)
	wg.Go(c.Add)
	wg.Wait()
	if c.n != 2 {
		t.Errorf("n = %d, want 2", c.n)
	}
}

func TestLen(t *testing.T) {
	var c Counter
	var wg sync.WaitGroup
	wg.Go(c.Add)
	wg.Go(func() { _ = c.Len() })
	wg.Wait()
}
