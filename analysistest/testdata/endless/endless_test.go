// Package endless holds a test that fails, and in other schedules does not end.
package endless

import (
	"sync"
	"testing"
	"time"
)

// TestGoesOn panics where the second goroutine comes to the lock before the first has begun to ask for it without end,
// each time with one goroutine more.
func TestGoesOn(t *testing.T) {
	var mu sync.Mutex
	stop := make(chan struct{})
	begun := false
	go func() {
		for {
			mu.Lock()
			begun = true
			mu.Unlock()
			go func() { <-stop }()
		}
	}()
	go func() {
		mu.Lock()
		defer mu.Unlock()
		if !begun {
			panic("too soon")
		}
	}()
	<-stop
}

// TestStartsOthers goes on until a sleep has ended: each round starts a goroutine, so none of those that can go on
// comes back to a state in which it was before.
func TestStartsOthers(t *testing.T) {
	done := make(chan struct{})
	go func() {
		time.Sleep(time.Microsecond)
		close(done)
	}()
	for {
		select {
		case <-done:
			return
		default:
		}
		c := make(chan struct{})
		go func() { close(c) }()
		<-c
	}
}

// TestRacesAllAlong has races of many pairs of places, far apart in a long execution.
func TestRacesAllAlong(t *testing.T) {
	var a, b, c, d, e, f int
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range 300 {
				a++
				b += a
				c += b
				d += c
				e += d
				f += e
				if f < 0 {
					a, b, c = f, e, d
				}
			}
		})
	}
	wg.Wait()
}
