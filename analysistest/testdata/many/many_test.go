package many

import (
	"sync"
	"testing"
	"time"
)

// The tests have thousands of one thing: docs/performance.md, "Thousands of things".

// TestTimers starts timers, and stops them.
func TestTimers(t *testing.T) {
	ts := make([]*time.Timer, 2500)
	for i := range ts {
		ts[i] = time.AfterFunc(time.Duration(i+1)*time.Second, func() {})
	}
	for _, x := range ts {
		x.Stop()
	}
}

// TestOperations takes and gives back a lock, beside a goroutine that does so once.
func TestOperations(t *testing.T) {
	var mu sync.Mutex
	done := make(chan bool)
	go func() { mu.Lock(); mu.Unlock(); close(done) }()
	for range 12500 {
		mu.Lock()
		mu.Unlock()
	}
	<-done
}

// TestSenders has goroutines that send on one channel.
func TestSenders(t *testing.T) {
	c := make(chan int)
	for i := range 500 {
		go func() { c <- i }()
	}
	for range 500 {
		<-c
	}
}
