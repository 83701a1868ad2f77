package outcomes

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Wait is after all that the bubble's other goroutines did: no race, one value.
func TestBubbleWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := 0
		go func() { x++ }()
		synctest.Wait()
		x++
		if x != 2 {
			t.Errorf("x = %d", x)
		}
	})
}

// Without Wait it is a race.
func TestBubbleNoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := 0
		go func() { x++ }()
		x++
	})
}

// What two goroutines did before Wait comes in any order.
func TestBubbleOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		s := ""
		for _, c := range []string{"a", "b"} {
			go func() {
				mu.Lock()
				s += c
				mu.Unlock()
			}()
		}
		synctest.Wait()
		if s == "ba" {
			t.Error(s)
		}
	})
}

// Time moves when all are blocked, to the next deadline.
func TestBubbleSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		s := ""
		go func() {
			time.Sleep(2 * time.Second)
			s += "b"
		}()
		go func() {
			time.Sleep(time.Second)
			s += "a"
		}()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if s != "ab" || time.Since(start) != 3*time.Second || start.Year() != 2000 {
			t.Error(s, start, time.Since(start))
		}
	})
}

// Two that wake at the same instant run in any order.
func TestBubbleSameInstant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan int, 2)
		for i := range 2 {
			go func() {
				time.Sleep(time.Second)
				ch <- i
			}()
		}
		if <-ch == 1 {
			t.Error("the second was first")
		}
	})
}

func TestBubbleTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		time.Sleep(time.Second - 1)
		synctest.Wait()
		if ctx.Err() != nil {
			t.Error("too early")
		}
		time.Sleep(1)
		synctest.Wait()
		if ctx.Err() == nil {
			t.Error("too late")
		}
	})
}

// A Mutex is not durable: time stands still, and all are asleep.
func TestBubbleMutex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		mu.Lock()
		go func() {
			time.Sleep(time.Second)
			mu.Unlock()
		}()
		mu.Lock()
	})
}

func TestBubbleDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go func() { <-make(chan int) }()
	})
}

// Whether the child is blocked at the end depends on the schedule.
func TestBubbleMaybeDeadlock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan int, 1)
		go func() {
			select {
			case ch <- 1:
			default:
				<-make(chan int)
			}
		}()
		select {
		case ch <- 2:
		default:
		}
	})
}

func TestBubbleTwoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go synctest.Wait()
		synctest.Wait()
	})
}

// A WaitGroup is durable if the bubble adds to it.
func TestBubbleWaitGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		wg.Go(func() { time.Sleep(time.Second) })
		wg.Wait()
	})
}

// A goroutine outside of the bubble runs at any time, and the bubble's clock does not wait for it.
func TestBubbleOutside(t *testing.T) {
	x := 0
	go func() { x = 1 }()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Second)
		if x == 1 {
			t.Error("it was first")
		}
	})
}

// It can let a goroutine of the bubble go on that is not durably blocked.
func TestBubbleFromOutside(t *testing.T) {
	ch := make(chan int)
	go func() { ch <- 1 }()
	synctest.Test(t, func(t *testing.T) {
		x := 0
		go func() {
			x = 1
			<-ch
			x = 2
		}()
		synctest.Wait()
		if x != 2 {
			t.Error("Wait did not wait")
		}
	})
}

func TestBubbleAfterFunc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran := false
		tm := time.AfterFunc(time.Second, func() { ran = true })
		time.Sleep(time.Second)
		stopped := tm.Stop()
		synctest.Wait()
		if stopped == ran {
			t.Error(stopped, ran)
		}
	})
}

func TestBubbleTimerNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		select {
		case <-time.After(0):
		default:
			t.Error("not yet")
		}
		x := 0
		time.AfterFunc(0, func() { x++ })
		synctest.Wait()
		if x != 1 {
			t.Error("it did not run")
		}
	})
}

func TestBubbleEscaped(t *testing.T) {
	ch := make(chan chan int, 1)
	synctest.Test(t, func(t *testing.T) { ch <- make(chan int, 1) })
	(<-ch) <- 1
}

// Two senders have blocked durably, in one order or the other; a third comes when there is room, and is served after them.
func TestBubbleQueuedSenders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		c <- 0
		for i := range 2 {
			go func() { c <- i + 1 }()
		}
		synctest.Wait()
		go func() { c <- 3 }()
		for i := range 4 {
			if v := <-c; v == 3 && i < 3 {
				t.Error("the third overtook")
			}
		}
	})
}

// A select that has blocked durably stands in the queues of both its channels; who comes later finds nothing.
func TestBubbleQueuedSelect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := make(chan int, 1), make(chan int, 1)
		go func() {
			select {
			case <-a:
			case <-b:
			}
		}()
		synctest.Wait()
		done := make(chan bool, 1)
		go func() {
			select {
			case <-a:
				done <- true
			default:
				done <- false
			}
		}()
		a <- 1
		if <-done {
			t.Error("overtaken")
		}
	})
}

// One of the bubble sleeps while another one can still move; who is outside may come before or after it wakes.
func TestBubbleOutsideFirst(t *testing.T) {
	var x, y, w atomic.Int32
	go func() {
		y.Add(1)
		x.Store(1)
	}()
	synctest.Test(t, func(t *testing.T) {
		var wg sync.WaitGroup
		wg.Go(func() {
			time.Sleep(1)
			if w.Load() == 2 && x.Load() == 0 {
				t.Error("it was between")
			}
		})
		w.Store(y.Add(1))
		wg.Wait()
	})
}

// Who panics ends the program before time moves.
func TestBubblePanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		go func() {
			mu.Lock()
			panic("early")
		}()
		time.Sleep(1)
		mu.Unlock()
	})
}

// A Wait is no part of what two goroutines outside of it do to each other: a WaitGroup to which others add is not durable.
func TestBubbleForeignGroup(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { wg.Done() }()
	synctest.Test(t, func(t *testing.T) {
		go func() {
			time.Sleep(1)
			t.Log("later")
		}()
		wg.Wait()
		if !time.Now().Equal(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Error("time has moved")
		}
	})
}

// Run finds who is left, and whether its function has returned.
func TestBubbleLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ch := make(chan int, 1)
		go func() {
			select {
			case ch <- 1:
				<-make(chan int)
			default:
			}
		}()
		select {
		case ch <- 2:
		default:
			<-make(chan int)
		}
	})
}

// The write and the read are never next to each other, and in one execution only if two others come first.
func TestBubbleRaceBehindSleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f, g atomic.Int32
		x := 0
		go f.Add(1)
		go func() {
			if f.Add(1) == 1 {
				x = 1
			}
		}()
		go g.Add(1)
		if g.Add(1) == 2 {
			time.Sleep(1)
			x++
		}
	})
}
