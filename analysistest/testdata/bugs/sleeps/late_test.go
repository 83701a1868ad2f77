package sleeps

import (
	"sync"
	"testing"
	"time"
)

var sink int

// A goroutine that has ended before the sleep begins may as well have been slow: nothing orders its write and the read after the sleep. The
// default schedule runs it to its end first, and in that order no sleep ends while anybody could go on.
func TestLateSleep(t *testing.T) {
	c, x := make(chan int), 0
	go func() {
		c <- 1
		x = 1 // want "data race"
	}()
	<-c
	time.Sleep(time.Second)
	sink = x
}

// Another goroutine's lock decides who comes first.
func TestLateSleepOrder(t *testing.T) {
	var mu sync.Mutex
	x, c := 0, make(chan int)
	go func() {
		mu.Lock()
		c <- 1
		mu.Unlock()
		x = 1 // want "data race"
	}()
	<-c
	mu.Lock()
	mu.Unlock()
	time.Sleep(time.Second)
	sink = x
}

// The same with the goroutine of a timer.
func TestLateTimer(t *testing.T) {
	c, x := make(chan int), 0
	go func() {
		c <- 1
		x = 1 // want "data race"
	}()
	<-c
	done := make(chan int)
	time.AfterFunc(time.Second, func() {
		sink = x
		close(done)
	})
	<-done
}

// Who has been waited for was not slow.
func TestLateSleepJoined(t *testing.T) {
	c, x := make(chan int), 0
	go func() {
		x = 1
		c <- 1
	}()
	<-c
	time.Sleep(time.Second)
	sink = x
}

func TestLateTimerJoined(t *testing.T) {
	var wg sync.WaitGroup
	x := 0
	wg.Go(func() { x = 1 })
	wg.Wait()
	done := make(chan int)
	time.AfterFunc(time.Second, func() {
		sink = x
		close(done)
	})
	<-done
}

func TestLateSleepLocked(t *testing.T) {
	var mu sync.Mutex
	c, x := make(chan int), 0
	go func() {
		c <- 1
		mu.Lock()
		x = 1
		mu.Unlock()
	}()
	<-c
	time.Sleep(time.Second)
	mu.Lock()
	sink = x
	mu.Unlock()
}
