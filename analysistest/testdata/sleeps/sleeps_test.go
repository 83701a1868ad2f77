// Package sleeps has tests that know time by sleeps alone, and near misses: RED24 of package reduce. A goroutine
// of a near miss waits for ever where a sleep begins late, or ends late, and not otherwise.
package sleeps

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Nine sleeps of nine lengths have no order that anybody can tell.
func TestLengths(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() { time.Sleep(time.Duration(i+1) * time.Millisecond) })
	}
	wg.Wait()
}

// So it is in tests beside each other.
func TestBeside(t *testing.T) { // verdict: exhausted
	for _, name := range []string{"a", "b", "c", "d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var n atomic.Int64
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					time.Sleep(time.Millisecond)
					n.Add(1)
				})
			}
			wg.Wait()
			if n.Load() != 3 {
				t.Error(n.Load())
			}
		})
	}
}

// And where a timer was started before, and stopped behind.
func TestBehindTimer(t *testing.T) { // verdict: exhausted
	late := time.AfterFunc(time.Minute, func() {})
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() { time.Sleep(time.Duration(i+1) * time.Millisecond) })
	}
	wg.Wait()
	late.Stop()
}

// A sleep is no synchronisation, whatever its length.
func TestNoOrder(t *testing.T) { // verdict: exhausted
	n := 0
	go func() { n++ }() // want `data race`
	time.Sleep(time.Millisecond)
	go func() {
		time.Sleep(time.Second)
		n++
	}()
	time.Sleep(time.Hour)
}

// A pair is two that do the same, once all have been started. The test waits for ever where it goes one way for the
// first, and another way for the second.
func pair(f func(start <-chan bool, saw *atomic.Bool)) bool {
	var saw [2]atomic.Bool
	start := make(chan bool)
	f(start, &saw[0])
	f(start, &saw[1])
	close(start)
	time.Sleep(time.Second)
	return saw[0].Load() && !saw[1].Load()
}

// after has a goroutine sleep, and then do something, after start.
func after(start <-chan bool, d time.Duration, f func()) {
	go func() {
		<-start
		time.Sleep(d)
		f()
	}()
}

// The second goroutine writes before the timer if it begins to sleep before the first one has slept.
func TestBesideTimer(t *testing.T) { // verdict: exhausted
	if pair(func(start <-chan bool, saw *atomic.Bool) {
		var a, y atomic.Int64
		time.AfterFunc(2*time.Millisecond, func() { saw.Store(y.Load() == 1) })
		after(start, time.Millisecond, func() {})
		go func() {
			<-start
			a.CompareAndSwap(1, 2)
			time.Sleep(1500 * time.Microsecond)
			y.Store(1)
		}()
		go a.Store(1)
	}) {
		<-make(chan int) // want `deadlock`
	}
}

// The clock is at six if the second goroutine begins to sleep behind the first one's sleep.
func TestTold(t *testing.T) { // verdict: exhausted
	began := time.Now()
	if pair(func(start <-chan bool, saw *atomic.Bool) {
		after(start, 5*time.Millisecond, func() {})
		after(start, time.Millisecond, func() { saw.Store(time.Since(began) >= 6*time.Millisecond) })
	}) {
		<-make(chan int) // want `deadlock`
	}
}

// The first timer is first, though the second one was started, if the second goroutine begins to sleep behind the
// first one's sleep.
func TestStartsLater(t *testing.T) { // verdict: exhausted
	if pair(func(start <-chan bool, saw *atomic.Bool) {
		var x, b atomic.Int64
		time.AfterFunc(4*time.Millisecond, func() { saw.Store(x.Load() == 1 && b.Load() == 0) })
		after(start, 2500*time.Microsecond, func() {})
		after(start, time.Millisecond, func() {
			time.AfterFunc(time.Millisecond, func() { b.Store(1) })
			x.Store(1)
		})
	}) {
		<-make(chan int) // want `deadlock`
	}
}

// The seventeenth sleep of a goroutine ends when nobody else can go on. While it lasts, no longer one ends.
func TestSeventeenth(t *testing.T) { // verdict: exhausted
	var x atomic.Int64
	go func() {
		for range 16 {
			time.Sleep(time.Microsecond)
		}
		time.Sleep(10 * time.Millisecond)
	}()
	go func() {
		time.Sleep(20 * time.Millisecond)
		if x.Load() == 0 {
			<-make(chan int) // want `goroutine leak`
		}
	}()
	x.Store(1)
}

// The second goroutine sleeps, and the first one does not any more, if the second one begins to sleep behind that.
func TestStacks(t *testing.T) { // verdict: exhausted
	start := make(chan bool)
	var woken atomic.Bool
	after(start, 5*time.Millisecond, func() { woken.Store(true) })
	after(start, time.Millisecond, func() {})
	close(start)
	if woken.Load() {
		all := make([]byte, 1<<16)
		if strings.Contains(string(all[:runtime.Stack(all, true)]), "time.Sleep") {
			<-make(chan int) // want `deadlock`
		}
	}
}
