// Package channels has misuses of channels that panic.
package channels

import (
	"sync"
	"testing"
)

// The sender does not know that the channel is closed.
func TestSendOnClosed(t *testing.T) {
	ch := make(chan int, 1)
	done := make(chan bool)
	go func() {
		ch <- 1 // want `panic: send on closed channel, by G1\.1\n.*\n\tin TestSendOnClosed`
		close(done)
	}()
	close(ch)
	<-done
}

// Both sides close.
func TestCloseOfClosed(t *testing.T) {
	ch := make(chan int)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			select {
			case <-ch:
			default:
				close(ch) // want `panic: close of closed channel, by G1\.1\n.*\n\tin TestCloseOfClosed`
			}
		})
	}
	wg.Wait()
}

type server struct {
	mu   sync.Mutex
	quit chan bool
}

func (s *server) start() {
	s.mu.Lock()
	s.quit = make(chan bool)
	s.mu.Unlock()
}

func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.quit) // want `panic: close of nil channel, by G1\.2\n.*\n\tin TestCloseOfNil`
}

// The server is stopped before it was started.
func TestCloseOfNil(t *testing.T) {
	var s server
	var wg sync.WaitGroup
	wg.Go(s.start)
	wg.Go(s.stop)
	wg.Wait()
}

// A send that waits, when the channel is closed.
func TestCloseUnderSend(t *testing.T) {
	ch := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() { ch <- 1 }) // want `panic: send on closed channel, by G1\.1\n.*\n\tin TestCloseUnderSend`
	wg.Go(func() { close(ch) })
	select {
	case <-ch:
	default:
	}
	wg.Wait()
}

func TestOnlySenderCloses(t *testing.T) { // verdict: exhausted
	ch := make(chan int, 1)
	go func() {
		ch <- 1
		close(ch)
	}()
	for range ch {
	}
}

func TestCloseOnce(t *testing.T) { // verdict: exhausted
	ch := make(chan int)
	var once sync.Once
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { once.Do(func() { close(ch) }) })
	}
	wg.Wait()
	<-ch
}

func TestStopChecks(t *testing.T) { // verdict: exhausted
	var s server
	stop := func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.quit != nil {
			close(s.quit)
		}
	}
	var wg sync.WaitGroup
	wg.Go(s.start)
	wg.Go(stop)
	wg.Wait()
}

func TestCloseAfterSenders(t *testing.T) { // verdict: exhausted
	ch := make(chan int)
	var wg sync.WaitGroup
	for n := range 2 {
		wg.Go(func() { ch <- n })
	}
	go func() {
		wg.Wait()
		close(ch)
	}()
	for range ch {
	}
}
