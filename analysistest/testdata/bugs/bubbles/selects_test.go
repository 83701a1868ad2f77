package bubbles

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// This file has what serves a select that has surely blocked: whatever comes first, and nothing that comes later.

// either starts a goroutine that takes from a or b, and returns where it says from which, as 'a' or 'b', and what.
func either(a, b chan int) (from *byte, got *int) {
	from, got = new(byte), new(int)
	go func() {
		select {
		case *got = <-a:
			*from = 'a'
		case *got = <-b:
			*from = 'b'
		}
	}()
	return from, got
}

func TestServedSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		from, got := either(a, b)
		synctest.Wait()
		a <- 1
		b <- 2
		synctest.Wait()
		if *from != 'a' || *got != 1 || len(b) != 1 {
			t.Error(*from, *got, len(b))
		}
	})
}

func TestServedSelectThenClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int)
		from, got := either(a, b)
		synctest.Wait()
		a <- 1
		select {
		case b <- 3:
			t.Error("taken")
		default:
		}
		close(b)
		synctest.Wait()
		if *from != 'a' || *got != 1 {
			t.Error(*from, *got)
		}
	})
}

func TestClosedSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int), make(chan int, 1)
		from, got := either(a, b)
		synctest.Wait()
		close(a)
		b <- 2
		synctest.Wait()
		if *from != 'a' || *got != 0 || len(b) != 1 {
			t.Error(*from, *got, len(b))
		}
	})
}

// Its cases may send: room serves it.
func TestServedSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 0
		b <- 0
		go func() {
			select {
			case a <- 1:
			case b <- 2:
			}
		}()
		synctest.Wait()
		<-a
		<-b
		synctest.Wait()
		if len(a) != 1 || len(b) != 0 {
			t.Error(len(a), len(b))
		}
	})
}

func TestServedEitherWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, c := make(chan int, 1), make(chan int, 1), make(chan int)
		b <- 0
		from := byte(0)
		go func() {
			select {
			case <-a:
				from = 'a'
			case b <- 2:
				from = 'b'
			case c <- 3:
				from = 'c'
			}
		}()
		synctest.Wait()
		<-b
		a <- 1
		select {
		case <-c:
			t.Error("offered")
		default:
		}
		synctest.Wait()
		if from != 'b' || len(a) != 1 || len(b) != 1 {
			t.Error(from, len(a), len(b))
		}
	})
}

// Another one's select finds the channel without it.
func TestServedSelectIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, d := make(chan int, 1), make(chan int), make(chan int, 1)
		from, _ := either(a, b)
		synctest.Wait()
		a <- 1
		select {
		case b <- 2:
		case d <- 3:
		}
		synctest.Wait()
		if *from != 'a' || len(d) != 1 {
			t.Error(*from, len(d))
		}
	})
}

func TestServedTwiceInIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		got := 0
		go func() {
			select {
			case got = <-a:
			case got = <-b:
			case got = <-a:
			}
		}()
		synctest.Wait()
		a <- 1
		b <- 2
		synctest.Wait()
		if got != 1 {
			t.Error(got)
		}
	})
}

// Two selects stand in line.
func TestSelectsInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
		first, _ := either(a, b)
		synctest.Wait()
		second, _ := either(b, c)
		synctest.Wait()
		third, _ := either(b, a)
		synctest.Wait()
		a <- 1
		c <- 2
		b <- 3
		synctest.Wait()
		if *first != 'a' || *second != 'b' || *third != 'a' || len(a)+len(b)+len(c) > 0 {
			t.Error(*first, *second, *third, len(a), len(b), len(c))
		}
	})
}

// What was sent before done was closed is worked off.
func TestWorkerTakesJob(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		jobs, done := make(chan int, 1), make(chan struct{})
		worked := 0
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case n := <-jobs:
					worked += n
				case <-done:
					return
				}
			}
		})
		synctest.Wait()
		jobs <- 1
		close(done)
		wg.Wait()
		if worked != 1 {
			t.Error(worked)
		}
	})
}

func TestCancelledSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		b := make(chan int, 1)
		var err error
		go func() {
			select {
			case <-ctx.Done():
				err = ctx.Err()
			case <-b:
			}
		}()
		synctest.Wait()
		cancel()
		b <- 1
		synctest.Wait()
		if err != context.Canceled {
			t.Error(err)
		}
	})
}

// A timer that fires as it is started again is too late.
func TestSelectBeforeTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, tm := make(chan int, 1), time.NewTimer(time.Hour)
		from := firstOf(a, tm)
		synctest.Wait()
		a <- 1
		tm.Reset(0)
		synctest.Wait()
		if *from != 'a' {
			t.Error(*from)
		}
	})
}

// firstOf has a goroutine wait for a channel and a timer, and returns where it says which came first.
func firstOf(a chan int, tm *time.Timer) *byte {
	from := new(byte)
	go func() {
		select {
		case <-a:
			*from = 'a'
		case <-tm.C:
			*from = 't'
		}
	}()
	return from
}

// The sleep and the timer end at one instant: either may be first.
func TestSelectBesideTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, tm := make(chan int, 1), time.NewTimer(time.Second)
		from := firstOf(a, tm)
		time.Sleep(time.Second)
		a <- 1
		synctest.Wait()
		if *from == 't' {
			t.Error("the timer") // want `test failure: the timer, by G1\.1\.1\n.*\n\tin TestSelectBesideTimer`
		}
	})
}

// Nobody has surely blocked.
func TestFreeSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		from, _ := either(a, b)
		a <- 1
		b <- 2
		synctest.Wait()
		if *from != 'a' {
			t.Error(*from) // want `test failure: 98, by G1\.1\.1\n.*\n\tin TestFreeSelect`
		}
	})
}

// It has blocked once; nobody knows whether it has again.
func TestFreeSelectAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		var order []int
		go func() {
			for range 3 {
				select {
				case n := <-a:
					order = append(order, n)
				case n := <-b:
					order = append(order, n)
				}
			}
		}()
		synctest.Wait()
		a <- 1
		a <- 2
		b <- 3
		synctest.Wait()
		if order[0] != 1 {
			t.Error("served first")
		}
		if order[1] == 3 {
			t.Error(order) // want `test failure: \[1 3 2\], by G1\.1\.1\n.*\n\tin TestFreeSelectAgain`
		}
	})
}

// Both have blocked, nobody knows which of them first.
func TestFreeSelects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		first, _ := either(a, b)
		second, _ := either(a, b)
		synctest.Wait()
		a <- 1
		b <- 2
		synctest.Wait()
		if *first == *second || *first == 0 || *second == 0 {
			t.Error("one each")
		}
		if *second == 'a' {
			t.Error("the second") // want `test failure: the second, by G1\.1\.1\n.*\n\tin TestFreeSelects`
		}
	})
}

// Outside of a bubble nothing proves that a goroutine has blocked.
func TestOutsideSelect(t *testing.T) {
	a, b, done := make(chan int, 1), make(chan int, 1), make(chan bool)
	from := byte(0)
	go func() {
		select {
		case <-a:
			from = 'a'
		case <-b:
			from = 'b'
		}
		done <- true
	}()
	time.Sleep(time.Millisecond)
	a <- 1
	b <- 2
	<-done
	if from == 'b' {
		t.Error("b") // want `test failure: b, by G1\n.*\n\tin TestOutsideSelect`
	}
}

// Natively that needs a processor that is slow between the two.
func TestStopAsSleepEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // want `panic: deadlock: main bubble goroutine has exited but blocked goroutines remain, by G1.*\n.*\n\tin TestStopAsSleepEnds`
		tm := time.NewTimer(time.Second)
		go func() { <-tm.C }()
		time.Sleep(time.Second)
		tm.Stop()
	})
}

// An instant later the receiver has been handed the time.
func TestStopLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tm := time.NewTimer(time.Second)
		go func() { <-tm.C }()
		time.Sleep(time.Second + 1)
		if tm.Stop() {
			t.Error("not fired")
		}
	})
}
