package waits

import (
	"iter"
	"sync"
	"testing"
)

// Package iter has next and stop of one iter.Pull write for the race detector alone, so two goroutines that call them
// race, also where the iterator has ended and they only read.

func beforeTheEnd(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// finds: datarace
func TestPullNextBesideStop(t *testing.T) {
	next, stop := iter.Pull(beforeTheEnd(0))
	next()
	var wg sync.WaitGroup
	wg.Go(func() { next() })
	stop()
	wg.Wait()
}

// finds: datarace
func TestPullTwoStops(t *testing.T) {
	next, stop := iter.Pull(beforeTheEnd(1))
	next()
	stop()
	var wg sync.WaitGroup
	wg.Go(stop)
	stop()
	wg.Wait()
}

// finds: datarace
func TestPull2Ended(t *testing.T) {
	next, stop := iter.Pull2(func(yield func(int, int) bool) {})
	next()
	var wg sync.WaitGroup
	wg.Go(stop)
	next()
	wg.Wait()
}

func TestPullLocked(t *testing.T) {
	next, stop := iter.Pull(beforeTheEnd(3))
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			next()
		})
	}
	wg.Wait()
	stop()
}

func TestPullHandedOver(t *testing.T) {
	next, stop := iter.Pull(beforeTheEnd(0))
	next()
	done := make(chan bool)
	go func() {
		next()
		close(done)
	}()
	<-done
	stop()
}
