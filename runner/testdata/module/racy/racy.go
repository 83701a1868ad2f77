// Package racy has a data race in one of its tests.
package racy

import "sync"

type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Len() int { return c.n } // forgets the lock

func (c *Counter) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
}
