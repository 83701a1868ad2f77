package outcomes

import (
	"sync"
	"testing"
)

// Two selects meet, or one of them does something else, and who that is depends on what others did first (CHAN7).
func TestSelectsOrClosed(t *testing.T) {
	c, done := make(chan int), make(chan int)
	var wg sync.WaitGroup
	var sent, received bool
	wg.Go(func() {
		select {
		case c <- 1:
			sent = true
		case <-done:
		}
	})
	wg.Go(func() {
		select {
		case <-c:
			received = true
		case <-done:
		}
	})
	wg.Go(func() { close(done) })
	wg.Wait()
	if sent != received {
		t.Error("half a rendezvous")
	}
}

func TestSelectsOrBuffers(t *testing.T) {
	c, a, b := make(chan int), make(chan int, 1), make(chan int, 1)
	b <- 1
	var wg sync.WaitGroup
	var x, y int
	wg.Go(func() {
		select {
		case c <- 1:
			x = 1
		case v := <-a:
			x = v
		}
	})
	wg.Go(func() {
		select {
		case y = <-c:
		case b <- 2:
			y = 3
		}
	})
	wg.Go(func() { a <- 2 })
	wg.Go(func() { <-b })
	wg.Wait()
	if x == 1 && y == 3 {
		t.Error("half a rendezvous")
	}
}

func TestSelectsWithDefault(t *testing.T) {
	c, a := make(chan int), make(chan int, 1)
	out := make(chan int, 2)
	go func() {
		select {
		case c <- 1:
			out <- 1
		default:
			out <- 2
		}
	}()
	go func() {
		select {
		case v := <-c:
			out <- v + 2
		case <-a:
			out <- 4
		}
	}()
	a <- 1
	if <-out == 5 {
		t.Error("neither")
	}
	select {
	case a <- 2:
	default:
	}
	<-out
}
