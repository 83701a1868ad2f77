// Package order has order violations: something is used before another goroutine has made it, and no memory races.
package order

import (
	"sync"
	"sync/atomic"
	"testing"
)

type config struct{ name string }

// The configuration is taken before it was loaded.
func TestUseBeforeInit(t *testing.T) {
	var conf atomic.Pointer[config]
	done := make(chan bool)
	go func() {
		conf.Store(&config{"x"})
		done <- true
	}()
	_ = conf.Load().name // want `panic: runtime error: invalid memory address or nil pointer dereference, by G1\n.*\n\tin TestUseBeforeInit`
	<-done
}

// The goroutine relies on the assignment after the go statement.
func TestFieldAfterGo(t *testing.T) {
	var handler atomic.Value
	done := make(chan bool)
	go func() {
		defer close(done)
		handler.Load().(func())() // want `panic: interface conversion: interface \{\} is nil, not func\(\), by G1\.1\n.*\n\tin TestFieldAfterGo`
	}()
	handler.Store(func() {})
	<-done
}

// The event is published before the subscriber has registered.
func TestPublishBeforeSubscribe(t *testing.T) {
	var mu sync.Mutex
	var subscribers []chan int
	registered := make(chan int, 1)
	done := make(chan bool)
	go func() {
		mu.Lock()
		subscribers = append(subscribers, registered)
		mu.Unlock()
		close(done)
	}()
	mu.Lock()
	for _, s := range subscribers {
		s <- 1
	}
	mu.Unlock()
	<-done
	if len(registered) != 1 {
		t.Error("the event is lost") // want `test failure: the event is lost, by G1\n.*\n\tin TestPublishBeforeSubscribe`
	}
}

func TestInitBeforeUse(t *testing.T) { // verdict: exhausted
	var conf atomic.Pointer[config]
	done := make(chan bool)
	go func() {
		conf.Store(&config{"x"})
		done <- true
	}()
	<-done
	_ = conf.Load().name
}

func TestFieldBeforeGo(t *testing.T) { // verdict: exhausted
	var handler atomic.Value
	done := make(chan bool)
	handler.Store(func() {})
	go func() {
		defer close(done)
		handler.Load().(func())()
	}()
	<-done
}

func TestSubscribeBeforePublish(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	var subscribers []chan int
	registered := make(chan int, 1)
	done := make(chan bool)
	go func() {
		mu.Lock()
		subscribers = append(subscribers, registered)
		mu.Unlock()
		close(done)
	}()
	<-done
	mu.Lock()
	for _, s := range subscribers {
		s <- 1
	}
	mu.Unlock()
	if len(registered) != 1 {
		t.Error("the event is lost")
	}
}
