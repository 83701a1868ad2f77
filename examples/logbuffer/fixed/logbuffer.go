// Package logbuffer collects log lines and writes them in batches.
package logbuffer

import "sync"

// A Buffer holds the lines that are not written yet. Its zero value is empty.
type Buffer struct {
	mu    sync.Mutex
	lines []string
}

// Add appends a line.
func (b *Buffer) Add(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines = append(b.lines, line)
}

// Flush passes the lines to write, and empties the buffer. The lock is not held
// while it writes, for that may be slow.
func (b *Buffer) Flush(write func(line string)) {
	b.mu.Lock()
	lines := b.lines
	b.lines = nil // the array belongs to this call now
	b.mu.Unlock()

	for _, line := range lines {
		write(line)
	}
}
