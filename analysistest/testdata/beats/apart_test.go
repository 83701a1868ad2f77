package beats

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file has goroutines that have a timer each, and nothing to do with each other.

// waits sends, or gives up when its timer fires.
func waits(c chan int) {
	done := make(chan bool)
	t := time.AfterFunc(time.Second, func() { close(done) })
	defer t.Stop()
	select {
	case c <- 1:
	case <-done:
	}
}

func TestApartThree(t *testing.T) {
	c := make(chan int, 3)
	for range 3 {
		go waits(c)
	}
}

// Each has a lock that the function of its timer takes, too.
func TestApartLocked(t *testing.T) {
	for range 2 {
		go func() {
			var mu sync.Mutex
			ends := 0
			end := func() {
				mu.Lock()
				defer mu.Unlock()
				if ends == 0 {
					ends++
				}
			}
			timer := time.AfterFunc(time.Second, end)
			end()
			timer.Stop()
			if mu.Lock(); ends != 1 {
				panic("it has not ended once")
			}
			mu.Unlock()
		}()
	}
}

// The later timer may fire before the earlier one only if that was stopped.
func TestApartStopped(t *testing.T) {
	var first atomic.Bool
	early := time.AfterFunc(time.Second, func() { first.Store(true) })
	time.AfterFunc(2*time.Second, func() {
		if !first.Load() {
			panic("the later one, and not the earlier one")
		}
	})
	go early.Stop()
	time.Sleep(3 * time.Second)
}

// Nobody stops the earlier one, and what it does is seen by then.
func TestApartInOrder(t *testing.T) {
	c := make(chan int, 1)
	early := time.NewTimer(time.Second)
	go func() {
		late := time.NewTimer(2 * time.Second)
		<-late.C
		select {
		case <-early.C:
			c <- 1
		default:
			panic("the earlier one has not fired")
		}
	}()
	<-c
}

// Another timer is started before or after the first has fired, and is stopped before or after.
func TestApartStarted(t *testing.T) {
	var fired atomic.Int32
	time.AfterFunc(time.Second, func() { fired.Add(1) })
	go func() {
		timer := time.AfterFunc(time.Second, func() { fired.Add(10) })
		if fired.Load() == 1 && !timer.Stop() {
			panic("the first had fired, the second was started and fired")
		}
	}()
}
