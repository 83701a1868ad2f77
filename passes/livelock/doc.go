// Package livelock defines an Analyzer that reports loops that wait for ever.
//
// # Analyzer livelock
//
// livelock: find interleavings that leave a goroutine in a loop which waits for ever
//
// The livelock check runs the package's tests under every interleaving that
// matters, and reports a goroutine that polls (spins on a flag, asks a channel again
// and again, sleeps and looks again) when it has come back to a state in which it was before, and
// all others have ended, wait or poll themselves: nobody is left to change what it looks at. Natively the test
// hangs, or the goroutine burns a processor until the process ends.
//
//	// WRONG
//	func (s *Server) Close() {
//		s.closing.Store(true)
//		for s.active.Load() > 0 { // "livelock": a handler that failed did not count itself down
//			runtime.Gosched()
//		}
//	}
//
// Whoever counts must count down on every path, and a WaitGroup waits without polling:
//
//	// RIGHT
//	s.handlers.Wait()
//
// A loop that looks at the clock, or changes anything, is none of these: it ends, or
// it ends as incomplete at a limit. No more is a loop that a test has left behind
// and that looks at what a package variable reaches: another test could change it.
// With -leaks=all it is one.
//
// A finding has been seen to happen in a run of Heddle's machine, whose schedule the
// replay token in the message repeats. That nothing is reported means something
// only for entries that were explored to the end: run heddle itself, or use -exploration.incomplete.
package livelock
