// Package goroutineleak defines an Analyzer that reports leaked goroutines.
//
// # Analyzer goroutineleak
//
// goroutineleak: find interleavings that leave a goroutine blocked for ever
//
// The goroutineleak check runs the package's tests under every interleaving that
// matters, and reports each goroutine that is still blocked after the test
// has returned, on channels that nothing alive can reach, or on locks whose holders
// are blocked for ever too, or have ended. It holds its stack and all it refers to until the
// process ends. With -leaks=all, what package variables reach counts as well.
//
//	// WRONG
//	func Fetch(ctx context.Context) (int, error) {
//		ch := make(chan int)
//		go func() { ch <- slow() }() // "goroutine leak": nobody receives after Done
//		select {
//		case v := <-ch:
//			return v, nil
//		case <-ctx.Done():
//			return 0, ctx.Err()
//		}
//	}
//
// The goroutine needs room for its result, whoever is still there to take it:
//
//	// RIGHT
//	ch := make(chan int, 1)
//
// A finding has been seen to happen in a run of Heddle's machine, whose schedule the
// replay token in the message repeats. That nothing is reported means something
// only for entries that were explored to the end: run heddle itself, or use -exploration.incomplete.
package goroutineleak
