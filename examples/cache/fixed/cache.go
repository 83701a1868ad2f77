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
	once  sync.Once
	value string
}

// New returns an empty cache in front of load.
func New(load func(key string) string) *Cache {
	return &Cache{load: load, entries: make(map[string]*entry)}
}

// Get returns the value of key.
func (c *Cache) Get(key string) string {
	c.mu.Lock()
	e, ok := c.entries[key]
	if !ok {
		e = new(entry)
		c.entries[key] = e
	}
	c.mu.Unlock()

	// Whoever comes second waits until the value is there.
	e.once.Do(func() {
		e.value = c.load(key)
		c.mu.Lock()
		c.loads++
		c.mu.Unlock()
	})
	return e.value
}

// Loads returns how many values have been loaded.
func (c *Cache) Loads() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.loads
}
