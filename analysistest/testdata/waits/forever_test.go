package waits

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// This file has goroutines that go on for ever, and beside them what must not be hidden by that, or must not be
// reported. TestGoroutinesThatGoOnForEverAreExhausted explores it by union alone.

// every calls a function again and again, for ever.
func every(d time.Duration, f func()) {
	tk := time.NewTicker(d)
	go func() {
		for range tk.C {
			f()
		}
	}()
}

// In one order the sender has gone another way.
//
// finds: deadlock
// regimes: both
func TestForeverBeside(t *testing.T) {
	every(time.Second, func() {})
	c, d := make(chan int), make(chan int)
	go func() {
		select {
		case c <- 1:
		case <-d:
		}
	}()
	go func() { close(d) }()
	<-c
}

// What the janitor does has an effect in each round.
//
// finds: goroutineleak
func TestForeverLeak(t *testing.T) {
	var mu sync.Mutex
	x := 1
	every(time.Second, func() {
		mu.Lock()
		x = 0
		mu.Unlock()
	})
	c, d := make(chan int), make(chan int)
	go func() {
		select {
		case c <- 1:
		case <-d:
		}
	}()
	go func() { close(d) }()
	go func() { <-c }()
	mu.Lock()
	x++
	mu.Unlock()
}

func TestForeverJanitor(t *testing.T) {
	var mu sync.Mutex
	x := 1
	every(time.Second, func() {
		mu.Lock()
		x = 0
		mu.Unlock()
	})
	mu.Lock()
	x++
	mu.Unlock()
}

// The worker keeps the times of its ticks. However late the test returns, those end where the process does.
//
// regimes: both
func TestForeverKeepsTimes(t *testing.T) {
	var last time.Time
	ticker := time.NewTicker(2 * time.Minute)
	go func() {
		for now := range ticker.C {
			last = now
		}
	}()
	_, _ = time.Now(), &last
}

// The worker reads the clock at each tick, or later, and forgets what it was: it has one state for each number of
// readings, and not one for all times at which they were (TOLD6).
//
// regimes: both
func TestForeverReadsClock(t *testing.T) {
	every(time.Minute, func() {
		if time.Now().IsZero() {
			panic("no time")
		}
	})
	_ = time.Now()
}

// The race comes after the return.
//
// finds: datarace
func TestForeverRace(t *testing.T) {
	x := 1
	every(time.Second, func() { x = 0 })
	go func() {
		time.Sleep(3 * time.Second)
		_ = x
	}()
}

// Only the worker could let the entry go on, and it never does.
//
// only: union
func TestForeverInVain(t *testing.T) { // incomplete: G1 cannot go on any more, and G1.1 may go on for ever
	done, x := make(chan int), 0
	every(time.Second, func() {
		if x == 1 {
			close(done)
		}
	})
	<-done
}

// The worker lets the entry go on in the end.
func TestForeverUntil(t *testing.T) {
	done := make(chan int)
	var x atomic.Int32
	every(time.Second, func() {
		if x.CompareAndSwap(1, 2) {
			close(done)
		}
	})
	go x.Store(1)
	<-done
}

// The poller keeps its time: it looks at 51 ms, and finds what was done at 50 by both or by one of them.
//
// finds: testfailure
func TestForeverPolled(t *testing.T) {
	var n atomic.Int32
	go func() {
		time.Sleep(50 * time.Millisecond)
		n.Add(1)
		time.Sleep(time.Millisecond)
		n.Add(1)
	}()
	for n.Load() == 0 {
		time.Sleep(3 * time.Millisecond)
	}
	if n.Load() == 2 {
		t.Error("both")
	}
}

// Two who poll, one for the other.
func TestForeverBothPoll(t *testing.T) {
	var n, m atomic.Int32
	go func() {
		time.Sleep(60 * time.Millisecond)
		n.Add(1)
	}()
	go func() {
		for n.Load() < 1 {
			time.Sleep(5 * time.Millisecond)
		}
		m.Store(1)
	}()
	for m.Load() < 1 {
		time.Sleep(3 * time.Millisecond)
	}
}

// Somebody polls beside it, and sleeps in between (POLL4, in both regimes).
//
// finds: deadlock
// regimes: both
func TestForeverSlept(t *testing.T) {
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
			time.Sleep(3 * time.Millisecond)
		}
	}()
	c, d := make(chan int), make(chan int)
	go func() {
		select {
		case c <- 1:
		case <-d:
		}
	}()
	go func() { close(d) }()
	<-c
	stop.Store(true)
}

// Where the program has ended nobody goes on.
//
// finds: panics
// regimes
func TestForeverBesidePanic(t *testing.T) {
	var wg sync.WaitGroup
	go func() {
		for {
			time.Sleep(3 * time.Millisecond)
		}
	}()
	wg.Done()
}
