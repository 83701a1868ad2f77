// Package timers has time-outs: what a timer that fires too early or too late leaves behind. Nothing here waits for real time.
package timers

import (
	"testing"
	"time"
)

func work() int { return 1 }

// The worker is abandoned when the time is over.
func TestAbandonedWorker(t *testing.T) {
	ch := make(chan int)
	go func() { ch <- work() }() // want `goroutine leak: G1\.1 blocked here in chan send, started here\n.*\n\tin TestAbandonedWorker, timing \(time passes while a goroutine could still run\)`
	select {
	case <-ch:
	case <-time.After(time.Second):
	}
}

// A worker that sleeps longer than one waits for it, in the first regime of time.
func TestSlowWorker(t *testing.T) {
	ch := make(chan int)
	go func() {
		time.Sleep(2 * time.Second)
		ch <- work() // want `goroutine leak: G1\.1 blocked here in chan send, started at \S+:\d+\n.*\n\tin TestSlowWorker`
	}()
	select {
	case <-ch:
	case <-time.After(time.Second):
	}
}

// The timer may have fired when it is stopped: its function runs beside what follows.
func TestStopAfterFire(t *testing.T) {
	n := 0
	tm := time.AfterFunc(time.Second, func() { n++ })
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	tm.Stop()
	n++ // want `data race: n written here by G1, read at \S+:\d+ by G1\.t1\n.*\n\tin TestStopAfterFire, timing \(time passes while a goroutine could still run\)`
}

// The function of a stopped timer is waited for.
func TestWaitForStopped(t *testing.T) {
	ran := make(chan bool)
	tm := time.AfterFunc(time.Second, func() { close(ran) })
	tm.Stop()
	<-ran // want `deadlock: G1 blocked here in chan receive\n.*\n\tin TestWaitForStopped`
}

// Since Go 1.23 a stopped timer's channel is empty: the old way to drain it blocks.
func TestDrainStopped(t *testing.T) {
	tm := time.NewTimer(time.Second)
	done := make(chan bool)
	go func() {
		if tm.Stop() {
			<-tm.C
		}
		close(done)
	}()
	<-done // want `deadlock: G1 blocked here in chan receive, G1\.1 at \S+:\d+ in chan receive\n.*\n\tin TestDrainStopped`
}

// Nobody stops the goroutine that listens to the ticker.
func TestTickerLoop(t *testing.T) {
	tick := time.NewTicker(time.Second)
	quit := make(chan bool)
	go func() {
		for {
			select { // want `goroutine leak: G1\.1 blocked here in select, started at \S+:\d+\n.*\n\tin TestTickerLoop`
			case <-tick.C:
			case <-quit:
				return
			}
		}
	}()
	tick.Stop()
}

func TestBufferedWorker(t *testing.T) { // verdict: exhausted
	ch := make(chan int, 1)
	go func() { ch <- work() }()
	select {
	case <-ch:
	case <-time.After(time.Second):
	}
}

// The test guards itself: that it is slow says nothing.
func TestGuarded(t *testing.T) { // verdict: exhausted
	ch := make(chan int)
	go func() { ch <- work() }()
	select {
	case <-ch:
	case <-time.After(5 * time.Second):
		t.Fatal("timed out")
	}
}

// So does this one.
func TestGuardedByPanic(t *testing.T) { // verdict: exhausted
	guard := time.AfterFunc(5*time.Second, func() { panic("the test hangs") })
	defer guard.Stop()
	ch := make(chan int)
	go func() { ch <- work() }()
	<-ch
}

func TestStopTells(t *testing.T) { // verdict: exhausted
	n := 0
	ran := make(chan bool)
	tm := time.AfterFunc(time.Second, func() {
		n++
		close(ran)
	})
	if !tm.Stop() {
		<-ran
	}
	n++
}

func TestDrainFired(t *testing.T) { // verdict: exhausted
	tm := time.NewTimer(time.Second)
	tm.Stop()
	select {
	case <-tm.C:
	default:
	}
}

func TestTickerQuits(t *testing.T) { // verdict: exhausted
	tick := time.NewTicker(time.Second)
	quit := make(chan bool)
	go func() {
		for {
			select {
			case <-tick.C:
			case <-quit:
				return
			}
		}
	}()
	tick.Stop()
	close(quit)
}

// The sleep outlasts the worker: whoever sleeps does not make time pass while others can run.
func TestSleepForWorker(t *testing.T) { // verdict: exhausted
	ch := make(chan int, 1)
	go func() { ch <- work() }()
	time.Sleep(10 * time.Millisecond)
	if len(ch) != 1 {
		t.Error("not done")
	}
}

// A time-out that is long, and may strike before Stop if its goroutine is that slow.
func TestLongTimeout(t *testing.T) {
	n := 0
	timer := time.AfterFunc(time.Minute, func() { n++ })
	n++ // want `data race: n written here by G1, read at \S+:\d+ by G1\.t1\n.*\n\tin TestLongTimeout, timing \(time passes while a goroutine could still run\)`
	timer.Stop()
}

// A time-out that no test lives to see.
func TestVeryLongTimeout(t *testing.T) { // verdict: exhausted
	n := 0
	timer := time.AfterFunc(time.Hour, func() { n++ })
	n++
	timer.Stop()
}
