// Package bubbles has tests under testing/synctest that hold because who has blocked durably stands first in the queue of its channel, and the same
// without Wait, which do not.
package bubbles

import (
	"testing"
	"testing/synctest"
)

// The first sender has blocked: what the first receive makes room for is its element, whoever else comes.
func TestQueuedSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		c <- 0
		go func() { c <- 1 }()
		synctest.Wait()
		go func() { c <- 2 }()
		<-c
		if v := <-c; v != 1 {
			t.Error("the second came first")
		}
		<-c
	})
}

func TestSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		c <- 0
		go func() { c <- 1 }()
		go func() { c <- 2 }()
		<-c
		if v := <-c; v != 1 {
			t.Error("the second came first") // want `test failure: the second came first, by G1\.1\.1\n.*\n\tin TestSender`
		}
		<-c
	})
}

// The receiver has blocked: what is sent is its own.
func TestQueuedReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		go func() { <-c }()
		synctest.Wait()
		c <- 1
		select {
		case <-c:
			t.Error("another one took it")
		default:
		}
	})
}

func TestReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int, 1)
		done := make(chan bool, 1)
		go func() {
			select {
			case <-c:
			case <-done:
			}
		}()
		c <- 1
		select {
		case <-c:
			t.Error("another one took it") // want `test failure: another one took it, by G1\.1\.1\n.*\n\tin TestReceiver`
		default:
		}
		done <- true
	})
}

// A rendezvous is with who has blocked, on either side.
func TestQueuedRendezvous(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		go func() { c <- 1 }()
		synctest.Wait()
		go func() { c <- 2 }()
		if v := <-c; v != 1 {
			t.Error("the second came first")
		}
		<-c
	})
}

func TestRendezvous(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		go func() { c <- 1 }()
		go func() { c <- 2 }()
		if v := <-c; v != 1 {
			t.Error("the second came first") // want `test failure: the second came first, by G1\.1\.1\n.*\n\tin TestRendezvous`
		}
		<-c
	})
}

func TestQueuedRendezvousOfReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		first := 0
		go func() { first = <-c }()
		synctest.Wait()
		go func() { <-c }()
		c <- 1
		synctest.Wait()
		if first != 1 {
			t.Error("another one took it")
		}
		c <- 2
	})
}
