package waits

import (
	"context"
	"sync/atomic"
	"testing"
	"time"
)

// This file makes timers at one of two addresses, as another goroutine comes first or not: the first timer that a
// goroutine makes is a timer of one name, and what is done to the one is not done to the other.

// elsewhere keeps what goroutines have made.
var elsewhere atomic.Pointer[[2]int]

// moved reports whether another goroutine came first. Then what is made next lies elsewhere.
func moved(first *atomic.Bool) bool {
	if !first.Load() {
		return false
	}
	elsewhere.Store(new([2]int))
	return true
}

// rival starts another goroutine that may come first.
func rival() *atomic.Bool {
	first := new(atomic.Bool)
	go first.Store(true)
	return first
}

// A timer is due when its goroutine, which has slept, stops it.
//
// finds: panics
func TestAtOnceElsewhereFires(t *testing.T) {
	m := moved(rival())
	tm := time.AfterFunc(time.Millisecond, func() {})
	time.Sleep(time.Millisecond)
	if m && !tm.Stop() {
		panic("it has fired")
	}
}

// finds: panics
func TestAtOnceElsewhereIsStopped(t *testing.T) {
	m := moved(rival())
	tm := time.AfterFunc(time.Millisecond, func() {})
	time.Sleep(time.Millisecond)
	if m && tm.Stop() {
		panic("it has not fired")
	}
}

// finds: panics
func TestAtOnceHereFires(t *testing.T) {
	m := moved(rival())
	tm := time.AfterFunc(time.Millisecond, func() {})
	time.Sleep(time.Millisecond)
	if !m && !tm.Stop() {
		panic("it has fired")
	}
}

// finds: panics
func TestAtOnceHereIsStopped(t *testing.T) {
	m := moved(rival())
	tm := time.AfterFunc(time.Millisecond, func() {})
	time.Sleep(time.Millisecond)
	if !m && tm.Stop() {
		panic("it has not fired")
	}
}

// Reset finds it active, or not.
//
// finds: panics
func TestAtOnceElsewhereIsReset(t *testing.T) {
	m := moved(rival())
	tm := time.AfterFunc(time.Millisecond, func() {})
	time.Sleep(time.Millisecond)
	if m && tm.Reset(time.Hour) {
		panic("it has not fired")
	}
}

// finds: panics
func TestAtOnceHereIsReset(t *testing.T) {
	m := moved(rival())
	tm := time.AfterFunc(time.Millisecond, func() {})
	time.Sleep(time.Millisecond)
	if !m && tm.Reset(time.Hour) {
		panic("it has not fired")
	}
}

// A context ends when a goroutine that has slept cancels it.
//
// finds: panics
func TestAtOnceElsewhereEnds(t *testing.T) {
	m := moved(rival())
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	time.Sleep(time.Millisecond)
	cancel()
	if m && ctx.Err() == context.DeadlineExceeded {
		panic("its time is over")
	}
}

// finds: panics
func TestAtOnceElsewhereIsCancelled(t *testing.T) {
	m := moved(rival())
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	time.Sleep(time.Millisecond)
	cancel()
	if m && ctx.Err() == context.Canceled {
		panic("it was cancelled")
	}
}

// A timer that is stopped before its time does not fire, wherever it is.
func TestAtOnceElsewhereNever(t *testing.T) {
	m := moved(rival())
	fired := new(atomic.Bool)
	tm := time.AfterFunc(2*time.Millisecond, func() { fired.Store(true) })
	if tm.Stop(); m && fired.Load() {
		panic("it has fired")
	}
	time.Sleep(time.Hour)
	if tm.Stop() {
		panic("it is active")
	}
}
