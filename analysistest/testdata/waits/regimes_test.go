package waits

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The entries TestRegime of this file are compared with brute force in the second regime of time (TestRegimes).

func TestRegimeSleeps(t *testing.T) {
	var order atomic.Int32
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		order.CompareAndSwap(0, 1)
		done <- true
	}()
	time.Sleep(2 * time.Millisecond)
	order.CompareAndSwap(0, 2)
	<-done
}

func TestRegimeAfter(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
	case <-time.After(time.Second):
		<-c
	}
}

func TestRegimeSeventeenSleeps(t *testing.T) {
	var x atomic.Int32
	done := make(chan bool)
	go func() {
		for range 17 {
			time.Sleep(time.Millisecond)
		}
		if x.Load() == 0 {
			panic("the last sleep does not end early")
		}
		done <- true
	}()
	x.Store(1)
	<-done
}

func TestRegimeLongSleep(t *testing.T) {
	var x atomic.Int32
	done := make(chan bool)
	go func() {
		time.Sleep(11 * time.Minute)
		if x.Load() == 0 {
			panic("so long a sleep does not end early")
		}
		done <- true
	}()
	x.Store(1)
	<-done
}

func TestRegimeSleepAfterTimer(t *testing.T) {
	tm := time.NewTimer(time.Millisecond)
	go func() {}()
	time.Sleep(2 * time.Millisecond)
	select {
	case <-tm.C:
	default:
		panic("the timer comes first")
	}
}

func TestRegimeSleepAfterTwoTimers(t *testing.T) {
	a, b := time.NewTimer(time.Millisecond), time.NewTimer(time.Millisecond)
	go func() {}()
	time.Sleep(time.Millisecond)
	select {
	case <-a.C:
	default:
		panic("the timer comes first")
	}
	<-b.C
}

func TestRegimeTicksLost(t *testing.T) {
	tk := time.NewTicker(time.Millisecond)
	go func() {}()
	time.Sleep(3500 * time.Microsecond)
	<-tk.C
	select {
	case <-tk.C:
	default:
	}
	tk.Stop()
}

func TestRegimeReadsClock(t *testing.T) {
	var n atomic.Int32
	start := time.Now()
	go func() {
		if time.Since(start) > 500*time.Microsecond {
			n.Store(1)
		}
	}()
	time.Sleep(time.Millisecond)
	n.Load()
}

func TestRegimeStopped(t *testing.T) {
	var n int
	tm := time.AfterFunc(time.Millisecond, func() { n++ })
	if tm.Stop() {
		n--
	}
}

func TestRegimeReset(t *testing.T) {
	tm := time.NewTimer(time.Millisecond)
	go func() { tm.Reset(3 * time.Millisecond) }()
	select {
	case <-tm.C:
	case <-time.After(2 * time.Millisecond):
	}
}

// finds: testfailure
func TestRegimeOutput(t *testing.T) {
	time.Sleep(12345 * time.Millisecond)
	go func() { time.Sleep(time.Minute) }()
	t.Error("it has taken some time")
}

func TestRegimeTwoAtOnce(t *testing.T) {
	c := make(chan int, 2)
	time.AfterFunc(time.Millisecond, func() { c <- 1 })
	time.AfterFunc(time.Millisecond, func() { c <- 2 })
	time.Sleep(2 * time.Millisecond)
	select {
	case <-c:
	default:
	}
}

// Whether the timer has fired matters to nobody once it was stopped.
func TestRegimeOver(t *testing.T) {
	var n atomic.Int32
	tm := time.AfterFunc(time.Millisecond, func() {})
	tm.Stop()
	for i := range int32(2) {
		go func() { n.CompareAndSwap(i, i+1) }()
	}
	n.CompareAndSwap(1, 3)
}

// The race counts only where the time-out does not strike: where it has, the test fails.
//
// finds: datarace
func TestRegimeRaceBesideTimeout(t *testing.T) {
	n, c := 0, make(chan bool, 1)
	go func() {
		n++
		c <- true
	}()
	select {
	case <-c:
	case <-time.After(time.Second):
		t.Error("timeout")
	}
	go func() { n = 2 }()
	n = 3
}

// A race that is there only where the test fails does not count.
func TestRegimeRejectedRace(t *testing.T) {
	n, c := 0, make(chan bool, 1)
	go func() {
		n++
		c <- true
	}()
	select {
	case <-c:
	case <-time.After(time.Second):
		n++
		t.Error("timeout")
	}
}

// The race counts if the goroutine that has lost it is slow: where it goes on at once, the test fails.
//
// finds: datarace testfailure
func TestRegimeRaceThatMayFail(t *testing.T) {
	var n atomic.Int32
	var x int
	go func() {
		x = 1
		n.Store(1)
	}()
	select {
	case <-time.After(time.Millisecond):
	}
	x = 2
	if n.Load() != 0 {
		t.Error("it was there already", x)
	}
}

// The race is there only where the time-out strikes and the second goroutine is late. Each of its halves is shown by executions that pass; that with both goes on to a failure, unless the goroutine that
// has lost is slow once more.
func TestRegimeRaceBetweenFailures(t *testing.T) {
	var a, b atomic.Int32
	x, c := 0, make(chan bool)
	go func() {
		if a.Load() == 1 {
			x = 1
			b.Store(1)
		}
		c <- true
	}()
	go a.Store(1)
	select {
	case <-c:
	case <-time.After(time.Second):
		x = 2
		if b.Load() == 1 {
			t.Error("both", x)
		}
		<-c
	}
}

// The run-time error is there only where the time-out strikes, and comes last unless it must not.
func TestRegimeErrorBeforeFailure(t *testing.T) {
	var p *int
	c := make(chan bool)
	go func() { c <- true }()
	select {
	case <-c:
	case <-time.After(time.Second):
		go func() { *p = 1 }()
		t.Error("why")
		<-c
	}
}

// A run-time error counts unless a test has said before why it fails.
//
// finds: panics testfailure
func TestRegimeErrorBesideFailure(t *testing.T) {
	var p *int
	go func() {
		time.Sleep(time.Millisecond)
		*p = 1
	}()
	time.Sleep(time.Millisecond)
	t.Error("why")
}

// Here it always has.
//
// finds: panics
func TestRegimeErrorAfterFailure(t *testing.T) {
	var p *int
	c := make(chan bool)
	go func() {
		<-c
		*p = 1
	}()
	select {
	case c <- true:
	case <-time.After(time.Millisecond):
		t.Error("why")
		c <- true
	}
}

// The end of a test beside a failure that it does not see.
func TestRegimePanicCalled(t *testing.T) {
	c := make(chan bool)
	go func() { c <- true }()
	select {
	case <-c:
	case <-time.After(time.Millisecond):
		panic("timeout")
	}
}

// A loop's body is called after its loop has ended: a run-time error, and no panic that the program calls.
func TestRegimeRangeEnded(t *testing.T) {
	tm := time.NewTimer(time.Second)
	defer tm.Stop()
	for range func(yield func(int) bool) {
		defer func() {
			select {
			case <-tm.C:
				yield(1)
			default:
			}
		}()
		yield(0)
	} {
		break
	}
}

// Where 16 timers have fired, none fires early any more. That has happened on some of the ways to what is otherwise one
// state; on the others the last timer may come before the store.
func TestRegimeFiringsUsed(t *testing.T) {
	done := make(chan bool)
	go func() {
		if a, b := coin(), coin(); a || b {
			ticker := time.NewTicker(time.Millisecond)
			for range 16 {
				<-ticker.C
			}
			ticker.Stop()
		} else {
			time.Sleep(16 * time.Millisecond)
		}
		done <- true
	}()
	<-done
	var stored atomic.Bool
	timer := time.NewTimer(time.Millisecond)
	go stored.Store(true)
	<-timer.C
	if !stored.Load() {
		panic("late")
	}
}

// coin returns either.
func coin() bool {
	one, other := make(chan bool, 1), make(chan bool, 1)
	one <- true
	other <- true
	select {
	case <-one:
		return true
	case <-other:
		return false
	}
}

// The entries from here on are those of TestRegimesRejected.

// Behind a len that tells it that the other goroutine has written, the test reads x, and fails.
//
// finds: datarace testfailure
func TestRejectedReadsWhereItFails(t *testing.T) {
	x, c := 0, make(chan int, 1)
	go func() {
		x = 1
		c <- 1
	}()
	time.Sleep(time.Millisecond)
	if len(c) == 1 {
		t.Errorf("x is %d", x)
	}
}

// Here it may fail, and so it may not.
//
// finds: datarace
func TestRejectedReadsWhereItMayFail(t *testing.T) {
	x, c := 0, make(chan int, 1)
	go func() {
		x = 1
		c <- 1
	}()
	time.Sleep(time.Millisecond)
	if len(c) == 1 && x == 2 {
		t.Errorf("x is 2")
	}
}

// Before it fails it waits, and may wait for ever.
//
// finds: datarace deadlock
func TestRejectedReadsAndWaits(t *testing.T) {
	x, c, d := 0, make(chan int, 1), make(chan int)
	go func() {
		x = 1
		c <- 1
		select {
		case d <- 1:
		default:
		}
	}()
	time.Sleep(time.Millisecond)
	if len(c) == 1 {
		y := x
		<-d
		t.Errorf("x is %d", y)
	}
}

// Before it fails the other goroutine may end the program.
//
// finds: datarace testfailure panics
func TestRejectedReadsBesideError(t *testing.T) {
	x, c := 0, make(chan int, 1)
	var late atomic.Bool
	go func() {
		x = 1
		c <- 1
		if late.Load() {
			var m map[int]int
			m[1] = 1
		}
	}()
	late.Store(true)
	time.Sleep(time.Millisecond)
	if len(c) == 1 {
		t.Errorf("x is %d", x)
	}
}

// A race behind the end of a sleep, by the order of two locks that nobody can tell. The test fails in the first regime
// of time as well, so the second drops each execution with the race.
//
// finds: datarace testfailure
func TestRejectedRaceBehindSleep(t *testing.T) {
	var a, b sync.Mutex
	x := 0
	go func() {
		x = 1
		a.Lock()
		a.Unlock()
	}()
	go func() {
		a.Lock()
		a.Unlock()
		b.Lock()
		b.Unlock()
	}()
	time.Sleep(time.Millisecond)
	b.Lock()
	b.Unlock()
	t.Errorf("x is %d", x)
}
