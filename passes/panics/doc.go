// Package panics defines an Analyzer that reports panics that some interleaving leads to.
//
// # Analyzer panics
//
// panics: find interleavings in which the program panics
//
// The panics check runs the package's tests under every interleaving that
// matters, and reports each unrecovered panic and fatal error with the schedule that
// leads to it: a nil dereference, an index out of range, a send on a closed
// channel, concurrent map writes.
//
//	// WRONG
//	func (q *Queue) Close() { close(q.ch) }
//	func (q *Queue) Put(v int) {
//		if !q.closed.Load() { // another goroutine may close the channel here
//			q.ch <- v // "panic: send on closed channel"
//		}
//	}
//
// The sender has to hold a lock that Close takes too, or be the one who closes:
//
//	// RIGHT
//	func (q *Queue) Put(v int) {
//		q.mu.Lock()
//		defer q.mu.Unlock()
//		if !q.closed {
//			q.ch <- v
//		}
//	}
//
// A finding has been seen to happen in a run of Heddle's machine, whose schedule the
// replay token in the message repeats. That nothing is reported means something
// only for entries that were explored to the end: run heddle itself, or use -exploration.incomplete.
package panics
