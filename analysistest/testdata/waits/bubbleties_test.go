package waits

// This file has timers of bubbles that are due at one instant with others, and with sleeps. Natively the channel of a
// timer at which nobody stands is full for everybody who looks when its time has come (BUBBLE7).

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestTieBubbleTicker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := time.NewTicker(time.Second)
		defer k.Stop()
		time.Sleep(time.Second)
		if !sent(k.C) || sent(k.C) {
			t.Error("no tick, or two")
		}
		time.Sleep(2500 * time.Millisecond)
		if !sent(k.C) || sent(k.C) {
			t.Error("no tick, or two, later")
		}
	})
}

func TestTieBubbleBeside(t *testing.T) { // who looks has begun to sleep before the timer was started
	synctest.Test(t, func(t *testing.T) {
		var c atomic.Value
		empty := make(chan bool)
		go func() {
			time.Sleep(time.Second)
			empty <- !sent(c.Load().(<-chan time.Time))
		}()
		synctest.Wait()
		c.Store(time.After(time.Second))
		if <-empty {
			t.Error("empty")
		}
	})
}

func TestTieBubbleFunc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c atomic.Value
		empty := make(chan bool)
		time.AfterFunc(time.Second, func() { empty <- !sent(c.Load().(<-chan time.Time)) })
		c.Store(time.After(time.Second))
		if <-empty {
			t.Error("empty")
		}
	})
}

func TestTieBubbleWoken(t *testing.T) { // by another timer of that instant
	synctest.Test(t, func(t *testing.T) {
		a, b := time.NewTimer(time.Second), time.NewTimer(time.Second)
		<-a.C
		if !sent(b.C) {
			t.Error("empty")
		}
	})
}

// One stands there, so the timer is in a heap, and may fire after the sleep has ended.
//
// finds: testfailure
func TestTieBubbleStands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		done := make(chan bool)
		go func() {
			<-tm.C
			close(done)
		}()
		time.Sleep(time.Second)
		if tm.Stop() {
			tm.Reset(time.Second)
			<-done
			t.Error("it was stopped")
		}
		<-done
	})
}

// So does a function.
//
// finds: testfailure
func TestTieBubbleStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		done := make(chan bool)
		tm := time.AfterFunc(time.Second, func() { close(done) })
		time.Sleep(time.Second)
		if !tm.Stop() {
			<-done
			t.Error("it runs")
		}
	})
}

func TestTieBubbleStop(t *testing.T) { // it is stopped whether it has sent or not
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		time.Sleep(time.Second)
		if !tm.Stop() || sent(tm.C) {
			t.Error("not stopped")
		}
	})
}

// Here somebody has stood there, and has gone. The ticker counts from where it was.
func TestTieBubbleGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := time.NewTicker(time.Second)
		<-k.C
		time.Sleep(time.Second)
		if !sent(k.C) || sent(k.C) {
			t.Error("no tick, or two")
		}
	})
}

// Two look: one of them finds it.
//
// finds: testfailure
func TestTieBubbleTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		var found atomic.Int32
		go func() {
			time.Sleep(time.Second)
			if sent(tm.C) {
				found.Add(1)
			}
		}()
		go func() {
			time.Sleep(time.Second)
			if sent(tm.C) {
				t.Error("by the second")
				found.Add(1)
			}
		}()
		time.Sleep(2 * time.Second)
		if found.Load() != 1 {
			panic("found by none, or by both")
		}
	})
}
