package races

// This file uses tests of package testing from two goroutines. The race detector sees what testing does to its fields without a lock.

import (
	"runtime"
	"sync"
	"testing"
)

// Testing looks whether the test is done. No order of the two panics.
func TestRaceFailed(t *testing.T) {
	go func() {
		runtime.Gosched()
		_ = t.Failed()
	}()
}

func TestQuietFailed(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() { _ = t.Failed() })
	wg.Wait()
}

// The text goes to the parent if the subtest is done, so that no order panics.
func TestRaceLogInParent(t *testing.T) {
	var wg sync.WaitGroup
	t.Run("s", func(t *testing.T) { wg.Go(func() { t.Log("x") }) })
	wg.Wait()
}

func TestQuietLogInParent(t *testing.T) {
	var wg sync.WaitGroup
	t.Run("s", func(t *testing.T) { wg.Go(func() { t.Log("x") }); wg.Wait() })
}

// Likewise, but the subtest is always done.
func TestQuietLogAfter(t *testing.T) {
	c := make(chan bool)
	var wg sync.WaitGroup
	t.Run("s", func(t *testing.T) { wg.Go(func() { <-c; t.Log("x") }) })
	close(c)
	wg.Wait()
}

// Setenv notes in the test that it cannot be parallel any more.
func TestRaceSetenv(t *testing.T) {
	c := make(chan bool)
	go func() {
		t.Setenv("A", "1")
		close(c)
	}()
	t.Setenv("B", "2")
	<-c
}

func TestQuietSetenv(t *testing.T) {
	c := make(chan bool)
	go func() {
		t.Setenv("A", "1")
		close(c)
	}()
	<-c
	t.Setenv("B", "2")
}

func TestQuietRun(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { t.Run("x", func(t *testing.T) {}) })
	}
	wg.Wait()
}

func TestQuietRunParallel(t *testing.T) {
	for range 2 {
		t.Run("x", func(t *testing.T) { t.Parallel() })
	}
}
