package waits

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// This file starts timers with a function again, in a bubble, when they are due at once (BUBBLE4). One that was active
// fires when the bubble rests, before anybody at Wait goes on. Others fire with their start.

// counts returns a timer of a second that counts, and its counter.
func counts() (*time.Timer, *atomic.Int32) {
	n := new(atomic.Int32)
	return time.AfterFunc(time.Second, func() { n.Add(1) }), n
}

// The bubble does not rest.
func TestRestsUntilIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		if !tm.Reset(0) || n.Load() != 0 {
			panic("it has fired")
		}
	})
}

// It is active until then.
func TestRestsAndIsStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Reset(0)
		if !tm.Stop() {
			panic("it has fired")
		}
		time.Sleep(2 * time.Second)
		if n.Load() != 0 {
			panic("it fires later")
		}
	})
}

// It fires before who stands at Wait goes on.
func TestRestsBeforeWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Reset(0)
		synctest.Wait()
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// It fires before any time passes.
func TestRestsAndFires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		tm.Reset(0)
		time.Sleep(1)
		if n.Load() != 1 {
			panic("it has not fired")
		}
	})
}

// Whoever of two comes first, the timer is active for one of them.
func TestRestsBesideStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		stopped := make(chan bool)
		go func() { stopped <- tm.Stop() }()
		again := tm.Reset(0)
		if s := <-stopped; !s {
			panic("it has fired")
		} else if again && n.Load() != 0 {
			panic("it has fired though it was stopped")
		}
	})
}

// A bubble rests while its goroutines wait for each other: it fires then.
//
// finds: panics
func TestRestsUntilReceive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan bool)
		tm := time.AfterFunc(time.Second, func() { c <- true })
		tm.Reset(0)
		<-c
		panic("it has fired")
	})
}

// One that has fired does not rest: its function can come before what follows.
//
// finds: panics
func TestRestsNotAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm, n := counts()
		time.Sleep(2 * time.Second)
		if tm.Reset(0); n.Load() == 2 {
			panic("it has fired")
		}
	})
}

// A channel is looked at with its timer: it has what was sent at once.
func TestRestsNotInChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		tm.Reset(0)
		select {
		case <-tm.C:
		default:
			panic("nothing was sent")
		}
	})
}
