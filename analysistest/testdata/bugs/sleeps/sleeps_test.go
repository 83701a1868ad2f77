// Package sleeps has sleeps in place of synchronisation. Who sleeps has no promise that others have got anywhere meanwhile.
package sleeps

import (
	"sync"
	"testing"
	"time"
)

// The sleep orders nothing.
func TestSleepForWrite(t *testing.T) {
	n := 0
	go func() { n = 1 }() // want `data race: n written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestSleepForWrite`
	time.Sleep(time.Millisecond)
	if n != 1 {
		t.Log("not yet")
	}
}

// The goroutine may come to its select when the test has stopped listening.
func TestSleepForSend(t *testing.T) {
	c, stop := make(chan int), make(chan bool)
	go func() {
		select { // want `goroutine leak: G1\.1 blocked here in select, started at \S+:\d+\n.*\n\tin TestSleepForSend, timing \(time passes while a goroutine could still run\)`
		case c <- 1:
		case <-stop:
		}
	}()
	go func() {
		time.Sleep(time.Millisecond)
		select {
		case <-c:
		default:
			return
		}
		close(stop)
	}()
}

// The consumer asks for the callback now and then, and else sends: both may wait for each other.
func TestSleepingPoll(t *testing.T) {
	events, callbacks := make(chan int), make(chan int)
	go func() {
		<-events
		callbacks <- 1 // want `goroutine leak: G1\.1 blocked here in chan send, G1\.2 at \S+:\d+ in chan send\n.*\n\tin TestSleepingPoll, timing \(time passes while a goroutine could still run\)`
	}()
	go func() {
		for range 2 {
			select {
			case <-callbacks:
			default:
				events <- 1
				time.Sleep(time.Millisecond)
			}
		}
	}()
}

// Two sleeps of different lengths are no order of what follows them.
func TestTwoSleeps(t *testing.T) {
	c := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		close(c)
	}()
	go func() {
		time.Sleep(2 * time.Millisecond)
		select {
		case <-c:
		default:
			c <- true // want `panic: send on closed channel, by G1\.2\n.*\n\tin TestTwoSleeps, timing \(time passes while a goroutine could still run\)`
		}
	}()
}

// A test that fails where it has slept too little says no more than that.
func TestSleepAndCheck(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	n := 0
	go func() {
		mu.Lock()
		n = 1
		mu.Unlock()
	}()
	time.Sleep(time.Millisecond)
	mu.Lock()
	defer mu.Unlock()
	if n != 1 {
		t.Error("not yet")
	}
}

// What the goroutine does is waited for; the sleep is for show.
func TestSleepAndWait(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	n := 0
	wg.Go(func() {
		time.Sleep(time.Millisecond)
		n = 1
	})
	time.Sleep(time.Millisecond)
	wg.Wait()
	n++
}

// A loop that sleeps until it is told to stop.
func TestSleepingLoop(t *testing.T) { // verdict: exhausted
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				time.Sleep(time.Millisecond)
			}
		}
	}()
	time.Sleep(3 * time.Millisecond)
	close(stop)
	<-done
}

// A wait of a day does not end while somebody is slow.
func TestSleepForADay(t *testing.T) { // verdict: exhausted
	n := 0
	go func() {
		time.Sleep(24 * time.Hour)
		n++
	}()
	n++
}
