// Package rounds has goroutines that go round until another one has done something, and change something in each round: so they have infinitely many histories.
package rounds

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A counter is taken from and given back to.
type counter struct {
	mu   sync.Mutex
	free int
}

func (c *counter) take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free == 0 {
		return false
	}
	c.free--
	return true
}

func (c *counter) give() {
	c.mu.Lock()
	c.free++
	c.mu.Unlock()
}

// TestUntilTaken: exhausted, nothing found.
func TestUntilTaken(t *testing.T) {
	c := &counter{free: 1}
	done := c.round()
	for !c.take() {
	}
	<-done
}

// TestTakenTwice: exhausted, and a panic, in a round that is not the first.
func TestTakenTwice(t *testing.T) {
	c := &counter{free: 1}
	rounds := 0
	done := make(chan bool)
	go func() {
		for c.take() {
			if rounds < 2 {
				rounds++
			}
			c.give()
		}
		if rounds == 2 {
			panic("two rounds at least")
		}
		close(done)
	}()
	for !c.take() {
	}
	<-done
}

// round starts a goroutine that takes and gives back until there is nothing to take.
func (c *counter) round() (done chan bool) {
	done = make(chan bool)
	go func() {
		for c.take() {
			c.give()
		}
		close(done)
	}()
	return done
}

// TestForEver: the goroutine does not end, and the test waits for it. That is never exhausted.
func TestForEver(t *testing.T) {
	<-(&counter{free: 1}).round()
}

// TestNotForEver: it may never end, if the test comes late.
func TestNotForEver(t *testing.T) {
	c := &counter{free: 1}
	done := c.round()
	c.take()
	<-done
}

// Nobody looks at what the ticker sends: each tick leads back.
func TestTicksUnseen(t *testing.T) {
	var x, n atomic.Int32
	stop := make(chan bool)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		for {
			select {
			case <-tick.C:
				n.Store(x.Load())
			case <-stop:
				return
			}
		}
	}()
	time.Sleep(35 * time.Millisecond)
	x.Store(1)
	close(stop)
}

// The first two ticks are as far apart as they should be: they are looked at.
func TestTicksSeen(t *testing.T) {
	tick := time.NewTicker(time.Millisecond)
	if a, b := <-tick.C, <-tick.C; b.Sub(a) < time.Millisecond {
		panic("early")
	}
	for b := range tick.C {
		if b.IsZero() {
			panic("zero")
		}
		return
	}
}

// Who starts a timer has not read the clock.
func TestTimerIsNoReading(t *testing.T) {
	before := time.Now()
	time.NewTimer(time.Hour)
	if time.Since(before) != 1 {
		panic("the clock was read")
	}
}

// When a test ends is nobody's matter: rule TIME9 of the Go machine.
func TestEndsAtAnyTime(t *testing.T) {
	for d := time.Millisecond; d < 8*time.Millisecond; d *= 2 {
		var x atomic.Int32
		done := make(chan bool)
		go func() {
			if x.Load() == 1 {
				time.Sleep(d)
			}
			close(done)
		}()
		x.Store(1)
		<-done
	}
}
