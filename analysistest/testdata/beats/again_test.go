package beats

import (
	"sync"
	"testing"
	"time"
)

// This file has goroutines that start a timer again in each round.

// adds adds what it gets, and starts its timer again when it fires.
func adds(in chan int, stop chan struct{}, sum chan int) {
	t := time.NewTimer(time.Second)
	defer t.Stop()
	n := 0
	for {
		select {
		case x := <-in:
			n += x
		case <-t.C:
			t.Reset(time.Second)
		case <-stop:
			sum <- n
			return
		}
	}
}

func TestAgainAlone(t *testing.T) {
	in, stop, sum := make(chan int), make(chan struct{}), make(chan int)
	go adds(in, stop, sum)
	close(stop)
	if <-sum != 0 {
		t.Error("there is a sum")
	}
}

func TestAgainBesideTwo(t *testing.T) {
	in, stop, sum := make(chan int), make(chan struct{}), make(chan int)
	go adds(in, stop, sum)
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { in <- i + 1 })
	}
	wg.Wait()
	close(stop)
	if <-sum != 3 {
		t.Error("the sum is wrong")
	}
}

// How often the timer has fired is state of the goroutine here.
func TestAgainCounted(t *testing.T) {
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		timer, fired := time.NewTimer(time.Second), 0
		for {
			select {
			case <-timer.C:
				if fired++; fired == 3 {
					panic("the third time")
				}
				timer.Reset(time.Second)
			case <-stop:
				return
			}
		}
	}()
	close(stop)
	<-done
}

// The timer is stopped, and drained where it has fired, before it starts again.
func TestAgainStopped(t *testing.T) {
	in, stop, done := make(chan int), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		timer := time.NewTimer(time.Second)
		for {
			select {
			case <-in:
				timer.Stop()
			case <-timer.C:
			case <-stop:
				if !timer.Stop() {
					select {
					case <-timer.C:
						t.Error("a stopped timer has sent")
					default:
					}
				}
				return
			}
			timer.Reset(time.Second)
		}
	}()
	in <- 1
	close(stop)
	<-done
}

// A function starts its own timer again, until it is told not to.
func TestAgainByItself(t *testing.T) {
	var mu sync.Mutex
	var timer *time.Timer
	over := false
	mu.Lock()
	timer = time.AfterFunc(time.Second, func() {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			timer.Reset(time.Second)
		}
	})
	mu.Unlock()
	mu.Lock()
	over = true
	mu.Unlock()
}

// slowReset has a goroutine that is slow within Reset: it has read the clock, and the timer does not start before
// another one has slept and stopped it. So the timer is due while one is not that was started before, for less time.
func slowReset(t *testing.T, timer *time.Timer) {
	timer.Stop()
	before := time.NewTimer(5500 * time.Millisecond)
	var wg sync.WaitGroup
	wg.Go(func() { timer.Reset(time.Second) })
	time.Sleep(5 * time.Second)
	if timer.Stop() {
		return // it has started before
	}
	select {
	case <-timer.C:
		return
	default:
	}
	wg.Wait()
	select {
	case <-timer.C:
		select {
		case <-before.C:
		default:
			panic("due before a timer that was started sooner")
		}
	default:
	}
}

func TestAgainSlow(t *testing.T) { slowReset(t, time.NewTimer(time.Hour)) }
