// Package code has a TestMain that looks at whether the tests have failed, as goleak's does.
package code

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"
)

var mu sync.Mutex

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		mu.Lock()
		mu.Unlock()
	}
	os.Exit(code)
}

func fails(t *testing.T) {
	var n atomic.Int32
	c := make(chan int)
	go func() { n.Store(1); c <- 1 }()
	if n.Load() == 1 {
		t.Error("stored")
	}
	<-c
}

// In some orders it fails.
func TestFails(t *testing.T) { fails(t) }

func TestSubFails(t *testing.T) { t.Run("sub", fails) }

func TestParallelFails(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		t.Parallel()
		fails(t)
	})
}

// It fails in all.
func TestFailsTwice(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { t.Error("failed") })
	}
	wg.Wait()
}
