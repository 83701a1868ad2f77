package oldtimers

// This file meets what an old timer has left in its channel.

import (
	"runtime"
	"testing"
	"time"
)

// fired returns a timer whose time has come.
func fired() *time.Timer {
	tm := time.NewTimer(time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	return tm
}

// finds: testfailure
func TestStaleAfterStop(t *testing.T) {
	tm := fired()
	tm.Stop()
	select {
	case <-tm.C:
		t.Error("it is still there")
	default:
	}
}

func TestStaleAfterReset(t *testing.T) { // it does not wait for an hour
	tm, began := fired(), time.Now()
	tm.Reset(time.Hour)
	<-tm.C
	if time.Since(began) > time.Minute {
		t.Error("it waited")
	}
	tm.Stop()
}

func TestDrained(t *testing.T) {
	tm := fired()
	if !tm.Stop() {
		<-tm.C
	}
	tm.Reset(time.Millisecond)
	<-tm.C
}

// finds: deadlock
func TestDrainedTwice(t *testing.T) {
	tm := fired()
	<-tm.C
	if !tm.Stop() {
		<-tm.C
	}
}

// Two take what is there once.
//
// finds: goroutineleak
func TestTakenByOther(t *testing.T) {
	tm := fired()
	for range 2 {
		go func() { <-tm.C }()
	}
}

// finds: testfailure
func TestStoppedByOther(t *testing.T) {
	tm := time.NewTimer(time.Hour)
	c := make(chan bool)
	go func() { c <- tm.Stop() }()
	if own := tm.Stop(); own == <-c {
		t.Error("one of the two stops it")
	} else if own {
		t.Error("this one")
	}
}

func TestTickKept(t *testing.T) { // one tick stays, and the others are lost
	tk := time.NewTicker(time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	tk.Stop()
	if len(tk.C) != 1 {
		t.Error(len(tk.C))
	}
	<-tk.C
}

func TestAfterHasRoom(t *testing.T) {
	c := time.After(time.Millisecond)
	time.Sleep(20 * time.Millisecond)
	if len(c) != 1 || cap(c) != 1 {
		t.Error(len(c), cap(c))
	}
}

// A length tells that it has fired, and synchronises nothing; nobody else touches what is read.
func TestLenPolled(t *testing.T) {
	x, tm := 0, time.NewTimer(time.Millisecond)
	x++
	for len(tm.C) == 0 {
		runtime.Gosched()
	}
	x++
	<-tm.C
}
