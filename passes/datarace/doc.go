// Package datarace defines an Analyzer that reports data races.
//
// # Analyzer datarace
//
// datarace: find interleavings with a data race
//
// The datarace check runs the package's tests under every interleaving that
// matters, and reports each pair of accesses to the same memory that can happen
// side by side, at least one of them a write and not both atomic. Unlike the race detector of
// the Go toolchain it also finds the races of schedules that did not
// happen to occur; like it, it reports none that cannot.
//
//	// WRONG
//	func (c *Cache) Len() int { return c.n } // "data race": read without the lock
//	func (c *Cache) Add() {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		c.n++
//	}
//
// Each access needs the lock:
//
//	// RIGHT
//	func (c *Cache) Len() int {
//		c.mu.Lock()
//		defer c.mu.Unlock()
//		return c.n
//	}
//
// A finding has been seen to happen in a run of Heddle's machine, whose schedule the
// replay token in the message repeats. That nothing is reported means something
// only for entries that were explored to the end: run heddle itself, or use -exploration.incomplete.
package datarace
