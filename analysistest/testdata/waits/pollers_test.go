package waits

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file has goroutines that look, and sleep, until another one has done something. How often each has slept is no
// part of its state (UTIME15 of package spec). TestPollersThatSleep explores it by union alone.

// regimes: both
// only: others come to a limit
func TestPollersThree(t *testing.T) {
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for !stop.Load() {
				time.Sleep(time.Millisecond)
			}
		})
	}
	time.Sleep(5 * time.Millisecond)
	stop.Store(true)
	wg.Wait()
}

// regimes: both
// only: others come to a limit
func TestPollersEventually(t *testing.T) {
	var mu sync.Mutex
	n := 0
	go func() {
		for range 3 {
			time.Sleep(10 * time.Millisecond)
			mu.Lock()
			n++
			mu.Unlock()
		}
	}()
	for {
		mu.Lock()
		done := n == 3
		mu.Unlock()
		if done {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

// The second one has slept twenty times before the first one finds what it looks for, and does not sleep early any
// more. The first one may be slow all the same.
//
// finds: datarace
// regimes: both
// only: others come to a limit
func TestPollersLate(t *testing.T) {
	var stop atomic.Bool
	var x atomic.Int32
	y := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for !stop.Load() {
			if time.Sleep(time.Millisecond); x.Load() == 2 {
				y = 1
			}
		}
	})
	wg.Go(func() {
		for range 20 {
			time.Sleep(time.Microsecond)
		}
		x.Store(2)
		time.Sleep(time.Microsecond)
		x.Store(3)
		y = 2
		stop.Store(true)
	})
	wg.Wait()
	if y == 0 {
		t.Error("nobody has written")
	}
}
