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
	c.n++ // want `data race: c\.n written here by G1\.1, read at \S+:\d+ by G1\.2\n.*\n\tin TestLen`
}

// Flag is set by an atomic operation, and read by a plain one.
type Flag struct {
	set atomic.Bool
	raw int32
}

func (f *Flag) Mixed() int32 {
	atomic.StoreInt32(&f.raw, 1) // want `data race: f\.raw atomically written here by G1\.[12], read at \S+:\d+ by G1\.[12]\n.*\n\tin TestMixed`
	return f.raw
}

func (f *Flag) Atomic() bool {
	f.set.Store(true)
	return f.set.Load()
}
