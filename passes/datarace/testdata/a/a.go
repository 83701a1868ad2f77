package a

import (
	"sync"
	"sync/atomic"
)

// C forgets its lock at one place.
type C struct {
	mu sync.Mutex
	n  int
}

func (c *C) Len() int { return c.n }

func (c *C) LockedLen() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

func (c *C) Add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++ // want "data race: write of c.n by G1.* at a.go:25 (before|after) read by G1.* at a.go:14, in TestLen; replay: heddle replay h1"
}

// Flag is set by an atomic operation, and read by a plain one.
type Flag struct {
	set atomic.Bool
	raw int32
}

func (f *Flag) Mixed() int32 {
	atomic.StoreInt32(&f.raw, 1) // want "data race: atomic write of .* read by G1"
	return f.raw
}

func (f *Flag) Atomic() bool {
	f.set.Store(true)
	return f.set.Load()
}
