package waits

import (
	"sync"
	"testing"
	"time"
)

// This file has races behind the end of a sleep, or the firing of a timer. Of what the goroutine that waited does next
// nothing is next to the first access, for its clock moves when all others have come to rest. Who of the two was first
// at the lock decides whether the accesses are ordered, and tells nobody anything (BEHIND10).

// passed is what two goroutines do: one writes x before it passes the lock, the other closes the channel behind it.
func passed(x *int) chan bool {
	var mu sync.Mutex
	c := make(chan bool)
	go func() {
		*x = 1
		mu.Lock()
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		close(c)
	}()
	return c
}

// finds: datarace
func TestBehindSleep(t *testing.T) {
	x := 0
	c := passed(&x)
	time.Sleep(time.Millisecond)
	<-c
	x++
}

// finds: datarace
func TestBehindTimer(t *testing.T) {
	x := 0
	c := passed(&x)
	<-time.After(time.Millisecond)
	<-c
	x++
}

// finds: datarace
func TestBehindAfterFunc(t *testing.T) {
	x := 0
	c, done := passed(&x), make(chan bool)
	time.AfterFunc(time.Millisecond, func() {
		<-c
		x++
		close(done)
	})
	<-done
}

// finds: datarace
func TestBehindSleepOfOther(t *testing.T) {
	x := 0
	c := passed(&x)
	go func() {
		time.Sleep(time.Millisecond)
		<-c
		x++
	}()
}

// The one that writes has passed the lock when the clock moves.
// finds:
func TestBehindSleepAndLock(t *testing.T) {
	x := 0
	var mu sync.Mutex
	c := make(chan bool)
	go func() {
		x = 1
		mu.Lock()
		mu.Unlock()
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
		close(c)
	}()
	time.Sleep(time.Millisecond)
	<-c
	mu.Lock()
	x++
	mu.Unlock()
}

// Whoever waits for both knows of both.
// finds:
func TestBehindSleepAndGroup(t *testing.T) {
	x := 0
	var wg sync.WaitGroup
	wg.Go(func() { x = 1 })
	wg.Go(func() {})
	time.Sleep(time.Millisecond)
	wg.Wait()
	x++
}
