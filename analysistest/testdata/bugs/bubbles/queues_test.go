package bubbles

import (
	"sync"
	"testing"
	"testing/synctest"
)

// This file has what a queue of a buffered channel decides: who has blocked durably is served at once, in order.

// The first element is handed to the receiver that has blocked; who comes later gets the second.
func TestQueuedReceiverFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 2)
		var first int
		go func() { first = <-c }()
		synctest.Wait()
		c <- 1
		c <- 2
		if n := len(c); n != 1 {
			t.Error("len", n)
		}
		second := <-c
		synctest.Wait()
		if first != 1 || second != 2 {
			t.Errorf("first %d second %d", first, second)
		}
	})
}

// Receivers are served in the order in which they blocked, whatever the channel holds.
func TestQueuedReceivers(t *testing.T) { queuedReceivers(t, 1) }

func TestQueuedReceiversUnbuffered(t *testing.T) { queuedReceivers(t, 0) }

func queuedReceivers(t *testing.T, size int) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, size)
		got := make([]int, 2)
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() { got[i] = <-c })
			synctest.Wait()
		}
		c <- 1
		c <- 2
		wg.Wait()
		if got[0] != 1 || got[1] != 2 {
			t.Error(got)
		}
	})
}

// And so are senders.
func TestQueuedSenders(t *testing.T) {
	for _, size := range []int{0, 1} {
		synctest.Test(t, func(t *testing.T) {
			c := make(chan int, size)
			if size > 0 {
				c <- 0
			}
			for i := range 2 {
				go func() { c <- i + 1 }()
				synctest.Wait()
			}
			for i := 1 - size; i < 3; i++ {
				if v := <-c; v != i {
					t.Error(v, i)
				}
			}
		})
	}
}

// The room that a receive makes is taken at once by the sender that has blocked: len, default and close come after that.
func TestQueuedSenderTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		c <- 0
		go func() { c <- 1 }()
		synctest.Wait()
		<-c
		if len(c) != 1 {
			t.Error("not taken")
		}
		select {
		case v := <-c:
			if v != 1 {
				t.Error(v)
			}
		default:
			t.Error("nothing")
		}
		close(c)
	})
}

func TestQueuedSenderClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		c <- 0
		go func() { c <- 1 }()
		synctest.Wait()
		<-c
		close(c)
		if v := <-c; v != 1 {
			t.Error(v)
		}
	})
}

// A receiver that has blocked leaves the room to the next sender.
func TestQueuedReceiverRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		go func() { <-c }()
		synctest.Wait()
		c <- 1
		select {
		case c <- 2:
		default:
			t.Error("no room")
		}
	})
}

// Nobody has surely blocked.
func TestReceiverFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 2)
		var first int
		go func() { first = <-c }()
		c <- 1
		c <- 2
		second := <-c
		synctest.Wait()
		if first != 1 || second != 2 {
			t.Errorf("first %d second %d", first, second) // want `test failure: first 2 second 1, by G1\.1\.1\n.*\n\tin TestReceiverFirst`
		}
	})
}

// Both have blocked, nobody knows which of them first.
func TestReceivers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		got := make([]int, 2)
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() { got[i] = <-c })
		}
		synctest.Wait()
		c <- 1
		c <- 2
		wg.Wait()
		if got[0] != 1 {
			t.Error(got) // want `test failure: \[2 1\], by G1\.1\.1\n.*\n\tin TestReceivers`
		}
	})
}
