package waits

// This file has timers that are due together as in ties_test.go, but what orders their starts is a channel or a lock.
// Natively nobody finds the channel of the first empty. The machine has such executions, and says so.

import (
	"sync"
	"testing"
	"time"
)

func TestPassedByChannel(t *testing.T) { // incomplete: the entry fails where the channel of a timer
	c := make(chan *time.Timer, 1)
	go func() { c <- time.NewTimer(time.Millisecond) }()
	tm := <-c
	time.Sleep(time.Millisecond)
	if !sent(tm.C) {
		t.Error("empty")
	}
}

func TestPassedByLock(t *testing.T) { // incomplete: the entry fails where the channel of a timer
	var mu sync.Mutex
	var tm *time.Timer
	go func() {
		mu.Lock()
		tm = time.NewTimer(time.Millisecond)
		mu.Unlock()
	}()
	mu.Lock()
	at := tm
	mu.Unlock()
	if at == nil {
		return
	}
	b := time.NewTimer(time.Millisecond)
	<-b.C
	if !sent(at.C) {
		t.Error("empty")
	}
}

// TestPassedBack: to the one who is woken
func TestPassedBack(t *testing.T) { // incomplete: the entry fails where the channel of a timer
	var wg sync.WaitGroup
	var tm *time.Timer
	wg.Go(func() { tm = time.NewTimer(time.Millisecond) })
	wg.Wait()
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { done <- sent(tm.C) })
	if !<-done {
		panic("empty")
	}
}

func TestPassedTicker(t *testing.T) { // incomplete: the entry fails where the channel of a timer
	c := make(chan *time.Ticker, 1)
	go func() { c <- time.NewTicker(time.Millisecond) }()
	tk := <-c
	time.Sleep(time.Millisecond)
	if !sent(tk.C) {
		return // this is found to be so as well, and fails nothing
	}
	time.Sleep(time.Millisecond)
	if !sent(tk.C) {
		t.Error("empty")
	}
}

// finds: testfailure
func TestPassedToLate(t *testing.T) { // the sleep may have begun before
	c := make(chan *time.Timer, 1)
	done := make(chan bool)
	go func() {
		time.Sleep(time.Millisecond)
		done <- sent((<-c).C)
	}()
	go func() { c <- time.NewTimer(time.Millisecond) }()
	if !<-done {
		t.Fatal("empty, as it may be")
	}
}

// finds: testfailure
func TestPassedFirst(t *testing.T) { // of the two this one is later
	c := make(chan *time.Timer, 1)
	go func() {
		a := time.After(time.Millisecond)
		c <- time.NewTimer(time.Millisecond)
		<-a
		c <- nil
	}()
	tm := <-c
	<-c
	if !sent(tm.C) {
		t.Fatal("empty, as it may be")
	}
}
