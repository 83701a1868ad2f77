package waits

import (
	"os"
	"sync"
	"testing"
	"time"
)

func tick() *time.Ticker {
	tk := time.NewTicker(time.Minute)
	go func() {
		for range tk.C {
		}
	}()
	return tk
}

// finds: deadlock
func TestTickerBeside(t *testing.T) {
	tick()
	<-make(chan int)
}

// finds: deadlock
// regimes: both
func TestSleeperBeside(t *testing.T) {
	go func() {
		for {
			time.Sleep(time.Minute)
		}
	}()
	<-make(chan int)
}

// What only the sleeper could send it would have sent before.
//
// finds: deadlock
func TestSleeperBesidePackageVariable(t *testing.T) {
	go func() {
		for {
			time.Sleep(time.Minute)
		}
	}()
	<-gch
}

// finds: deadlock
func TestCounterBeside(t *testing.T) { // incomplete: the clock moved
	go func() {
		for n := 0; n < 1<<40; n++ {
			time.Sleep(time.Second)
		}
	}()
	select {}
}

// finds: deadlock
func TestTickerBesideLock(t *testing.T) {
	tick()
	ga.Lock()
	ga.Lock()
}

// The sleeper has captured the channel, and does not use it in its loop.
// finds: deadlock
func TestSleeperBesideUnused(t *testing.T) {
	c := make(chan int)
	go func() {
		if c == nil {
			return
		}
		for {
			time.Sleep(time.Minute)
		}
	}()
	<-c
}

// finds: deadlock
func TestSleeperBesideUnusedField(t *testing.T) {
	b := &inBox{make(chan int)}
	go func() {
		if b.c == nil {
			return
		}
		for {
			time.Sleep(time.Minute)
		}
	}()
	<-b.c
}

// finds:
func TestSleeperBesideUsed(t *testing.T) {
	c := make(chan int)
	go func() {
		for range 5 {
			time.Sleep(time.Minute)
		}
		c <- 1
	}()
	<-c
}

// finds: deadlock
func TestAfterFuncBeside(t *testing.T) {
	c := make(chan *time.Timer, 1)
	c <- time.AfterFunc(time.Minute, func() {
		tm := <-c
		tm.Reset(time.Minute)
		c <- tm
	})
	<-make(chan int)
}

// finds: deadlock
func TestStuckInSubtest(t *testing.T) {
	tick()
	t.Run("sub", func(t *testing.T) { <-make(chan int) })
}

// finds: livelock
func TestPollsForMain(t *testing.T) {
	c, ready := make(chan int), make(chan int, 1)
	go func() {
		for len(ready) == 0 {
			time.Sleep(time.Minute)
		}
		c <- 1
	}()
	<-c
}

// The one who ticks wakes the test in the end.
func TestTickerWakes(t *testing.T) {
	c, tk := make(chan int), time.NewTicker(time.Minute)
	go func() {
		for range 5 {
			<-tk.C
		}
		tk.Stop()
		close(c)
	}()
	<-c
}

func TestAfterFuncWakes(t *testing.T) {
	c, n, tms := make(chan int), 0, make(chan *time.Timer, 1)
	tms <- time.AfterFunc(time.Minute, func() {
		tm := <-tms
		if n++; n == 5 {
			close(c)
			return
		}
		tm.Reset(time.Minute)
		tms <- tm
	})
	<-c
}

func TestSleeperWakes(t *testing.T) {
	ga.Lock()
	go func() {
		for range 5 {
			time.Sleep(time.Minute)
		}
		ga.Unlock()
	}()
	ga.Lock()
}

// finds: goroutineleak
func TestLeakBesideTicker(t *testing.T) {
	tick()
	go func() { <-make(chan int) }()
}

// What goes on after the return in rounds that are all alike is known.
func TestTicksOn(t *testing.T) { tick() }

// regimes: both
func TestSleepsOn(t *testing.T) { go sleepOn(time.Second, 2*time.Second) }

func sleepOn(ds ...time.Duration) {
	for {
		for _, d := range ds {
			time.Sleep(d)
		}
	}
}

// A panic far behind the return may be missed, and is not said not to be there.
//
// gone: panics
func TestPanicsLate(t *testing.T) { // incomplete: the clock moved 64 times
	go func() {
		for range 100 {
			time.Sleep(time.Second)
		}
		panic("late")
	}()
}

// gone: panics
func TestPanicsVeryLate(t *testing.T) { // incomplete: the clock moved 64 times
	tk := time.NewTicker(time.Second)
	go func() {
		n := 0
		for range tk.C {
			if n++; n == 200 {
				panic("late")
			}
		}
	}()
}

// The time itself may decide.
//
// gone: panics
func TestLooksAtTheClock(t *testing.T) { // incomplete: the clock moved 64 times
	began := time.Now()
	go func() {
		for time.Since(began) < 5*time.Minute {
			time.Sleep(time.Second)
		}
		panic("late")
	}()
}

// finds: panics
func TestPanicsAfterReturn(t *testing.T) {
	go func() {
		for range 10 {
			time.Sleep(time.Second)
		}
		panic("late")
	}()
}

// Ten minutes after the return the process is gone.
func TestPanicsAfterTheEnd(t *testing.T) {
	go func() {
		time.Sleep(time.Hour)
		panic("late")
	}()
}

// The process ends; nobody is left to wait.
//
// finds: testfailure
func TestExitBeside(t *testing.T) {
	go os.Exit(3)
	select {}
}

// finds: panics
func TestExitZeroBeside(t *testing.T) {
	go func() {
		go func() { <-gch }()
		os.Exit(0)
	}()
	<-make(chan int)
}

// finds: testfailure
func TestExitInTheMiddle(t *testing.T) {
	go func() { <-make(chan int) }()
	os.Exit(2)
}

// If the test ends first, its goroutine has leaked; if it exits, not.
//
// finds: goroutineleak testfailure
func TestExitOrLeak(t *testing.T) {
	go func() { <-make(chan int) }()
	go os.Exit(1)
}

// finds: deadlock
func TestExitNever(t *testing.T) {
	go func() { <-make(chan int); os.Exit(1) }()
	select {}
}

func received(c <-chan time.Time) (n int) {
	for range 3 {
		select {
		case <-c:
			n++
		default:
		}
	}
	return n
}

func ticks(t *testing.T, d time.Duration, want int) {
	tk := time.NewTicker(time.Second)
	time.Sleep(d)
	if n := received(tk.C); n != want {
		t.Errorf("%d ticks after %v", n, d)
	}
	tk.Stop()
}

// regimes: both
func TestTickLost(t *testing.T) { ticks(t, 2500*time.Millisecond, 1) }

// regimes: both
func TestManyTicksLost(t *testing.T) { ticks(t, 5900*time.Millisecond, 1) }

// regimes: both
func TestOneTick(t *testing.T) { ticks(t, 1500*time.Millisecond, 1) }

// regimes: both
func TestNoTick(t *testing.T) { ticks(t, 500*time.Millisecond, 0) }

// finds: testfailure
func TestTickKept(t *testing.T) { ticks(t, 2500*time.Millisecond, 2) }

func TestTickTakenBetween(t *testing.T) {
	tk := time.NewTicker(time.Second)
	time.Sleep(1500 * time.Millisecond)
	n := received(tk.C)
	time.Sleep(time.Second)
	if n += received(tk.C); n != 2 {
		t.Error(n)
	}
	tk.Stop()
}

func TestLenOfTimer(t *testing.T) {
	tm, tk := time.NewTimer(time.Second), time.NewTicker(time.Second)
	time.Sleep(1500 * time.Millisecond)
	if len(tm.C)+cap(tm.C)+len(tk.C)+cap(tk.C)+len(time.After(0))+cap(time.After(0)) != 0 {
		t.Error("channels of timers have no room that one sees")
	}
	tk.Stop()
}

// A sleep that begins after a timer ends after it, though for the clock that is one instant.

// regimes: both
func TestTicksAtOneInstant(t *testing.T) { ticks(t, 2*time.Second, 1) }

// regimes: both
func TestTimerAtOneInstant(t *testing.T) {
	tm := time.NewTimer(time.Second)
	time.Sleep(time.Second)
	if received(tm.C) != 1 {
		t.Error("it has come before")
	}
}

func TestResetAtOneInstant(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	tm.Reset(time.Second)
	time.Sleep(time.Second)
	if tm.Stop(); received(tm.C) != 0 {
		t.Error("Stop empties the channel")
	}
}

// finds: testfailure
func TestOtherSleepsAtOneInstant(t *testing.T) {
	tm, c := make(chan *time.Timer, 1), make(chan int)
	go func() {
		time.Sleep(time.Second)
		c <- received((<-tm).C)
	}()
	tm <- time.NewTimer(time.Second)
	if <-c != 1 {
		t.Error("the sleep may have begun before the timer")
	}
}

// finds: testfailure
func TestSleptBefore(t *testing.T) {
	c := make(chan int)
	go func() { time.Sleep(time.Second); c <- 1 }()
	tm := time.NewTimer(time.Second)
	<-c
	if received(tm.C) != 1 {
		t.Error("the other one may have slept first")
	}
}

// finds: testfailure
func TestFunctionAtOneInstant(t *testing.T) {
	c := make(chan int, 1)
	time.AfterFunc(time.Second, func() { c <- 1 })
	time.Sleep(time.Second)
	if len(c) != 1 {
		t.Error("it runs in a goroutine of its own")
	}
}

// polled counts from start on, once a millisecond, and looks at the count every three.
func polled(t *testing.T, start time.Duration, bad int) {
	var mu sync.Mutex
	n := 0
	go func() {
		time.Sleep(start)
		for range 3 {
			mu.Lock()
			n++
			mu.Unlock()
			time.Sleep(time.Millisecond)
		}
	}()
	for {
		mu.Lock()
		v := n
		mu.Unlock()
		if v == bad {
			t.Fatal(v)
		}
		if v == 3 {
			return
		}
		time.Sleep(3 * time.Millisecond)
	}
}

// Who looks at 0, 3 and 6 ms looks at 51 ms too, and not when the count begins.
//
// finds: testfailure
func TestPollerKeepsTime(t *testing.T) { polled(t, 50*time.Millisecond, 2) }

// finds: testfailure
func TestPollerAtTheSameTime(t *testing.T) { polled(t, 51*time.Millisecond, 1) }

// It looks at 48 and 51 ms: when the count is 1 it sleeps.
func TestPollerSleeps(t *testing.T) { polled(t, 49*time.Millisecond, 1) }
