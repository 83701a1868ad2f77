// Package deadlock defines an Analyzer that reports deadlocks.
//
// # Analyzer deadlock
//
// deadlock: find interleavings in which goroutines wait for each other
//
// The deadlock check runs the package's tests under every interleaving that
// matters, and reports each state in which no goroutine can run and no timer is
// pending: a cycle of locks, a channel nobody will send on, a WaitGroup that is never done.
// The report names what each goroutine waits for, and who holds it.
//
//	// WRONG
//	func (a *Account) Transfer(b *Account, n int) {
//		a.mu.Lock()
//		defer a.mu.Unlock()
//		b.mu.Lock() // "deadlock": another goroutine transfers from b to a
//		defer b.mu.Unlock()
//		a.sum, b.sum = a.sum-n, b.sum+n
//	}
//
// All goroutines have to take the two locks in the same order:
//
//	// RIGHT
//	first, second := a, b
//	if b.id < a.id {
//		first, second = b, a
//	}
//	first.mu.Lock()
//	defer first.mu.Unlock()
//	second.mu.Lock()
//	defer second.mu.Unlock()
//
// A finding has been seen to happen in a run of Heddle's machine, whose schedule the
// replay token in the message repeats. That nothing is reported means something
// only for entries that were explored to the end: run heddle itself, or use -exploration.incomplete.
package deadlock
