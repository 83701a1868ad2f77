package waits

import (
	"sync/atomic"
	"testing"
	"time"
)

// This file starts a timer again, before which its goroutine has read the clock or not. What the function of the timer
// reads comes after that, so it is another function each time.

// again starts a timer whose function waits for a timer of its own, and then runs f.
func again(read func() bool, f func()) {
	done := make(chan struct{})
	tm := time.AfterFunc(time.Millisecond, func() {
		<-time.NewTimer(time.Millisecond).C
		f()
		close(done)
	})
	if read() {
		time.Now()
	}
	if tm.Stop() {
		tm.Reset(time.Millisecond)
	}
	<-done
}

func TestStartedAgainAfterReading(t *testing.T) {
	again(rival().Load, func() {})
}

// Two who may have come first, of whom one is seen by the function.
//
// finds: panics
func TestStartedAgainFails(t *testing.T) {
	first := rival()
	var seen atomic.Bool
	again(func() bool {
		seen.Store(first.Load())
		return seen.Load()
	}, func() {
		if seen.Load() {
			panic("the other came first")
		}
	})
}

// The function starts the timer once more, after it has read the clock itself.
func TestStartedAgainByItself(t *testing.T) {
	done := make(chan struct{})
	rounds := 0
	var tm *time.Timer
	made := make(chan struct{})
	tm = time.AfterFunc(time.Millisecond, func() {
		<-made
		if rounds++; rounds == 3 {
			close(done)
			return
		}
		time.Now()
		tm.Reset(time.Millisecond)
	})
	close(made)
	<-done
}
