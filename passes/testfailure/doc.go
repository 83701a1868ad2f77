// Package testfailure defines an Analyzer that reports tests that some interleaving makes fail.
//
// # Analyzer testfailure
//
// testfailure: find interleavings in which a test fails
//
// The testfailure check runs the package's tests under every interleaving that
// matters, and reports each that ends with t.Fail, t.Error, t.Fatal or an example's wrong output,
// with the schedule that leads to it. A test that fails one time in a
// million natively fails here at once.
//
//	// WRONG
//	func TestCount(t *testing.T) {
//		var n atomic.Int64
//		var wg sync.WaitGroup
//		for range 2 {
//			wg.Go(func() { n.Store(n.Load() + 1) }) // both may load 0
//		}
//		wg.Wait()
//		if got := n.Load(); got != 2 {
//			t.Errorf("got %d, want 2", got) // "test failure: got 1, want 2"
//		}
//	}
//
// The increment has to be one operation:
//
//	// RIGHT
//	wg.Go(func() { n.Add(1) })
//
// A finding has been seen to happen in a run of Heddle's machine, whose schedule the
// replay token in the message repeats. That nothing is reported means something
// only for entries that were explored to the end: run heddle itself, or use -exploration.incomplete.
package testfailure
