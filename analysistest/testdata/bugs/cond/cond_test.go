// Package cond has lost wake-ups.
package cond

import (
	"sync"
	"testing"
)

// The signal may come before the wait.
func TestLostSignal(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() {
		mu.Lock()
		c.Signal()
		mu.Unlock()
	}()
	mu.Lock()
	c.Wait() // want `deadlock: G1 blocked here in Cond\.Wait\n.*\n\tin TestLostSignal`
	mu.Unlock()
}

// Signal wakes one of the two that wait.
func TestSignalForTwo(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !ready {
				c.Wait() // want `deadlock: G1\.2 blocked here in Cond\.Wait, G1 at \S+:\d+ in WaitGroup\.Wait\n.*\n\tin TestSignalForTwo`
			}
		})
	}
	mu.Lock()
	ready = true
	c.Signal()
	mu.Unlock()
	wg.Wait()
}

// The wrong waiter takes the only signal.
func TestWrongWaiter(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	items, closed := 0, false
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for items == 0 {
			c.Wait()
		}
		items--
	})
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for !closed {
			c.Wait() // want `deadlock: G1\.2 blocked here in Cond\.Wait, G1 at \S+:\d+ in WaitGroup\.Wait\n.*\n\tin TestWrongWaiter`
		}
	})
	mu.Lock()
	items++
	c.Signal()
	mu.Unlock()
	mu.Lock()
	closed = true
	c.Signal()
	mu.Unlock()
	wg.Wait()
}

func TestStateAndSignal(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		c.Signal()
		mu.Unlock()
	}()
	mu.Lock()
	for !ready {
		c.Wait()
	}
	mu.Unlock()
}

func TestBroadcastForTwo(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	ready := false
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			for !ready {
				c.Wait()
			}
		})
	}
	mu.Lock()
	ready = true
	c.Broadcast()
	mu.Unlock()
	wg.Wait()
}

func TestTwoConds(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	full, end := sync.NewCond(&mu), sync.NewCond(&mu)
	items, closed := 0, false
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for items == 0 {
			full.Wait()
		}
		items--
	})
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for !closed {
			end.Wait()
		}
	})
	mu.Lock()
	items++
	full.Signal()
	closed = true
	end.Signal()
	mu.Unlock()
	wg.Wait()
}
