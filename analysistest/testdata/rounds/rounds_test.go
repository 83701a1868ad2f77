// Package rounds has goroutines that go round until another one has done something, and change something in each round: so they have infinitely many histories.
package rounds

import (
	"sync"
	"testing"
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
