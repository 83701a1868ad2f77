// Package cache remembers the values of a slow function.
package cache

import "sync"

// A Cache loads the value of each key at most once.
type Cache struct {
	load func(key string) string

	mu      sync.Mutex
	entries map[string]*entry
	loads   int
}

type entry struct {
	value string
}

// New returns an empty cache in front of load.
func New(load func(key string) string) *Cache {
	return &Cache{load: load, entries: make(map[string]*entry)}
}

// Get returns the value of key.
func (c *Cache) Get(key string) string {
	c.mu.Lock()
	e, hit := c.entries[key]
	if !hit {
		e = new(entry)
		c.entries[key] = e
	}
	c.mu.Unlock()
	if hit {
		return e.value
	}

	// BUG: the entry can already be found in the map, so another goroutine may
	// read e.value (above) while this line writes it.
	e.value = c.load(key)

	c.mu.Lock()
	c.loads++
	c.mu.Unlock()
	return e.value
}

// Loads returns how many values have been loaded.
func (c *Cache) Loads() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loads
}
