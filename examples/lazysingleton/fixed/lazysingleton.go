// Package lazysingleton counts events in a table that the first user makes.
package lazysingleton

import "sync"

// Metrics counts events by name. Its zero value is ready to use.
type Metrics struct {
	started sync.Once

	mu     sync.Mutex
	counts map[string]int
}

// start makes the table, once.
func (m *Metrics) start() {
	// Do returns when the table is there, whoever makes it.
	m.started.Do(func() {
		m.mu.Lock()
		m.counts = make(map[string]int)
		m.mu.Unlock()
	})
}

// Inc counts one event.
func (m *Metrics) Inc(name string) {
	m.start()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts[name]++
}

// Count returns how often name was counted.
func (m *Metrics) Count(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts[name]
}
