package waits

import (
	"context"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

// This file has the neighbours without a finding of programs elsewhere in this folder: accesses behind a sleep that are
// ordered, an end of the process that nobody comes to, and tickers and sleepers beside who does not wait for ever.

// The channel orders, not the sleep.
func TestBehindSleepSent(t *testing.T) {
	x, c := 0, make(chan bool, 1)
	go func() { x = 1; c <- true }()
	time.Sleep(time.Millisecond)
	<-c
	x++
}

func TestBehindSleepClosed(t *testing.T) {
	x, c := 0, make(chan bool)
	go func() { x = 1; close(c) }()
	time.Sleep(time.Millisecond)
	<-c
	x++
}

func TestBehindSleepLocked(t *testing.T) {
	x, mu := 0, new(sync.Mutex)
	go func() {
		mu.Lock()
		x = 1
		mu.Unlock()
	}()
	time.Sleep(time.Millisecond)
	mu.Lock()
	x++
	mu.Unlock()
}

func TestBehindTimerWaited(t *testing.T) {
	x, wg := 0, new(sync.WaitGroup)
	wg.Go(func() { x = 1 })
	<-time.After(time.Millisecond)
	wg.Wait()
	x++
}

// Its goroutine ends before.
func TestExitBehindGoexit(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.Goexit()
		os.Exit(1)
	}()
	<-done
}

func TestExitOnceOnly(t *testing.T) {
	once, done := new(sync.Once), make(chan bool)
	once.Do(func() {})
	go func() {
		once.Do(func() { os.Exit(1) })
		close(done)
	}()
	<-done
}

func TestExitOfStoppedTimer(t *testing.T) {
	tm, done := time.AfterFunc(time.Hour, func() { os.Exit(1) }), make(chan bool)
	go func() { done <- tm.Stop() }()
	if !<-done {
		panic("it has fired")
	}
}

func TestExitOfStoppedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	stop := context.AfterFunc(ctx, func() { os.Exit(1) })
	done := make(chan bool)
	go func() { stop(); close(done) }()
	<-done
	cancel()
}

func TestTickerBesideReceive(t *testing.T) {
	tk, done := time.NewTicker(time.Second), make(chan bool)
	defer tk.Stop()
	go func() { <-tk.C; done <- true }()
	<-done
}

func TestSleeperBesideJoin(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 3 {
			time.Sleep(time.Second)
		}
	})
	c := make(chan bool)
	wg.Go(func() { c <- true })
	<-c
	wg.Wait()
}
