// Package robustness defines an Analyzer that reports data races that do more on a processor than any order of the
// goroutines' steps does.
//
// # Analyzer robustness
//
// robustness: find what data races do under a relaxed memory model alone (off by default)
//
// The robustness check runs the package's tests under every interleaving that matters, twice: once where each store is
// in memory at once, and once where it waits in a buffer first, as on amd64 (total store order; with -memory=pso
// partial store order, which has some of what arm64 does). It reports each pair of accesses that lets a test show in
// the second what no interleaving shows in the first: a failure, a deadlock, a leak, or a value that a goroutine reads.
// The two accesses are a data race, which the check datarace reports in any case; this one says what it can do. It runs
// only if -robustness asks for it, beside the other checks.
//
//	// WRONG
//	func (l *Lock) Enter(me int) bool {
//		l.wants[me] = true
//		return !l.wants[1-me] // "robustness": read before the other's store is in memory: both enter
//	}
//
// A store of sync/atomic does not wait:
//
//	// RIGHT
//	func (l *Lock) Enter(me int) bool {
//		l.wants[me].Store(true) // of type atomic.Bool
//		return !l.wants[1-me].Load()
//	}
//
// Only an entry that was explored to the end is asked, for of others nobody knows what interleavings show; and none
// without a data race, for it does the same under all memory models. That nothing is reported does not make a race
// harmless: the compiler may reorder accesses too, and arm64 is weaker than both models.
package robustness
