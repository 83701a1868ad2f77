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
		t.Errorf("got %d, want 2", got) // want `test failure: got 1, want 2, by G1\n.*\n\tin TestLostUpdate`
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

// Each way to fail a test is one: t.Fatal too, which fails and ends it.
func TestFatal(t *testing.T) { // verdict: exhausted
	var n atomic.Int64
	done := make(chan bool)
	go func() { n.Store(1); done <- true }()
	if n.Load() == 0 {
		t.Fatal("too early") // want `test failure: too early, by G1\n.*\n\tin TestFatal`
	}
	<-done
}

func TestFailNow(t *testing.T) { // verdict: exhausted
	var n atomic.Int64
	var wg sync.WaitGroup
	wg.Go(func() { n.Store(1) })
	if n.Load() == 0 {
		t.FailNow() // want `test failure: the test fails, by G1\n.*\n\tin TestFailNow`
	}
	wg.Wait()
}
