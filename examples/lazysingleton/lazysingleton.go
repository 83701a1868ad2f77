// Package lazysingleton counts events in a table that the first user makes.
package lazysingleton

import (
	"sync"
	"sync/atomic"
)

// Metrics counts events by name. Its zero value is ready to use.
type Metrics struct {
	started atomic.Bool

	mu     sync.Mutex
	counts map[string]int
}

// start makes the table, once.
func (m *Metrics) start() {
	// Only one goroutine gets past the swap, but the others do not wait for it.
	if m.started.CompareAndSwap(false, true) {
		m.mu.Lock()
		m.counts = make(map[string]int)
		m.mu.Unlock()
	}
}

// Inc counts one event.
func (m *Metrics) Inc(name string) {
	m.start()
	m.mu.Lock()
	defer m.mu.Unlock()
	// BUG: start may have returned because another goroutine is about to make
	// the table: then this is an assignment to an entry in a nil map.
	m.counts[name]++
}

// Count returns how often name was counted.
func (m *Metrics) Count(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts[name]
}
