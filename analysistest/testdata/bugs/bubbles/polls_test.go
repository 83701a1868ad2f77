package bubbles

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// This file has goroutines that poll in a bubble: they run, so it does not come to rest.

// Who looks again and again keeps the clock from moving.
func TestPollKeepsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		go func() {
			for {
				select { // want `livelock: G1\.1\.1\.1 goes round for ever here in select.*\n.*\n\tin TestPollKeepsTime`
				case <-done:
					return
				default:
				}
			}
		}()
		time.Sleep(time.Second)
		close(done)
	})
}

// And from Wait.
func TestPollKeepsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-done:
					return
				default:
					runtime.Gosched() // want `livelock: G1\.1\.1\.1 goes round for ever here in yield.*\n.*\n\tin TestPollKeepsWait`
				}
			}
		}()
		synctest.Wait()
		close(done)
	})
}

// And its bubble from its end.
func TestPollKeepsBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go func(c chan int) {
			for {
				select { // want `livelock: G1\.1\.1\.1 goes round for ever here in select.*\n.*\n\tin TestPollKeepsBubble`
				case <-c:
				default:
				}
			}
		}(make(chan int))
	})
}

func TestPollEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done, n := make(chan struct{}), 0
		go func() {
			for {
				select {
				case <-done:
					n = 1
					return
				default:
				}
			}
		}()
		go close(done)
		synctest.Wait()
		if n != 1 {
			t.Error("not yet")
		}
	})
}

// Who sleeps between its looks blocks durably there, and looks when its sleep ends.
func TestPollSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done atomic.Bool
		start := time.Now()
		go func() {
			for !done.Load() {
				time.Sleep(3 * time.Millisecond)
			}
			if d := time.Since(start); d != 51*time.Millisecond {
				t.Error(d)
			}
		}()
		time.Sleep(50 * time.Millisecond)
		done.Store(true)
		time.Sleep(time.Second)
	})
}

func TestPollSleepsAtSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan struct{})
		go func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				time.Sleep(300 * time.Millisecond)
			}
		}()
		time.Sleep(time.Second)
		close(done)
		time.Sleep(time.Second)
	})
}

// The bubble's function returns while somebody still sleeps.
func TestPollLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // want `panic: deadlock: main bubble goroutine has exited but blocked goroutines remain, by G1.*\n.*\n\tin TestPollLeft`
		var done atomic.Bool
		go func() {
			for !done.Load() {
				time.Sleep(300 * time.Millisecond)
			}
		}()
		time.Sleep(time.Second)
		done.Store(true)
	})
}

// Nobody ever changes what it looks at.
func TestPollSleepsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var done atomic.Bool
		for !done.Load() {
			time.Sleep(3 * time.Millisecond) // want `livelock: G1\.1\.1 goes round for ever here in sleep.*\n.*\n\tin TestPollSleepsForEver`
		}
	})
}
