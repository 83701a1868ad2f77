package a

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestLostUpdate(t *testing.T) { // verdict: exhausted
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Store(n.Load() + 1) })
	}
	wg.Wait()
	if got := n.Load(); got != 2 {
		t.Errorf("got %d, want 2", got) // want `test failure: got 1, want 2, by G1 at a_test.go:17.*, in TestLostUpdate; replay: heddle replay h1`
	}
}

func TestAdd(t *testing.T) { // verdict: exhausted
	var n atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { n.Add(1) })
	}
	wg.Wait()
	if got := n.Load(); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}
