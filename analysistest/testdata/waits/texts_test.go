package waits

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// The methods that say the value of a fatal panic are the program's: they wait, and touch what others touch.

type saysLocked struct{ mu *sync.Mutex }

func (e saysLocked) Error() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return "locked"
}

type saysSent struct{ c chan int }

func (s saysSent) String() string { s.c <- 1; return "sent" }

type saysCounted struct{ n *int }

func (e saysCounted) Error() string { *e.n++; return "counted" }

type saysPanics struct{ m map[int]int }

func (e saysPanics) Error() string { e.m[0] = 1; return "" }

type saysRecovered struct{ saysPanics }

func (e saysRecovered) Error() string {
	defer func() { recover() }()
	return e.saysPanics.Error()
}

// finds: panics
func TestTextLocked(t *testing.T) {
	var mu sync.Mutex
	done := make(chan int)
	go func() { defer close(done); panic(saysLocked{&mu}) }()
	mu.Lock()
	mu.Unlock()
	<-done
}

// finds: goroutineleak
func TestTextOfHolder(t *testing.T) {
	var mu sync.Mutex
	done := make(chan int)
	go func() { defer close(done); mu.Lock(); panic(saysLocked{&mu}) }()
	<-done
}

// finds: deadlock
func TestTextOfTest(t *testing.T) {
	panic(saysSent{make(chan int)})
}

// finds: panics testfailure
func TestTextSent(t *testing.T) {
	c := make(chan int)
	go func() { panic(saysSent{c}) }()
	<-c
	t.Error("it was received")
}

// finds: datarace panics
func TestTextCounts(t *testing.T) {
	n := 0
	done := make(chan int)
	go func() { defer close(done); panic(saysCounted{&n}) }()
	<-done
	n++
}

// finds: panics
func TestTextPanics(t *testing.T) {
	go func() { panic(saysPanics{}) }()
}

// finds: panics
func TestTextRecovers(t *testing.T) {
	go func() { panic(saysRecovered{}) }()
}

// finds:
func TestTextOfRecovered(t *testing.T) {
	defer func() {
		if _, ok := recover().(saysSent); !ok {
			t.Error("not recovered")
		}
	}()
	panic(saysSent{make(chan int)})
}

// finds:
func TestTextLockedRecovered(t *testing.T) {
	var mu sync.Mutex
	said := make(chan string)
	go func() {
		defer func() { said <- recover().(error).Error() }()
		panic(saysLocked{&mu})
	}()
	mu.Lock()
	mu.Unlock()
	if s := <-said; s != "locked" {
		t.Error(s)
	}
}

// finds:
func TestTextLogged(t *testing.T) {
	c := make(chan int)
	go func() { <-c }()
	t.Log(saysSent{c})
}

// The error is held by one of the standard library, whose method calls the program's.
//
// finds: panics
func TestTextJoined(t *testing.T) {
	var mu sync.Mutex
	done := make(chan int)
	go func() { defer close(done); panic(errors.Join(io.EOF, saysLocked{&mu})) }()
	mu.Lock()
	mu.Unlock()
	<-done
}

// finds: goroutineleak
func TestTextJoinedOfHolder(t *testing.T) {
	var mu sync.Mutex
	done := make(chan int)
	go func() { defer close(done); mu.Lock(); panic(errors.Join(saysLocked{&mu})) }()
	<-done
}

// finds: deadlock
func TestTextOfPath(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	panic(&fs.PathError{Op: "open", Path: "file", Err: errors.Join(saysLocked{&mu})})
}

// finds: datarace panics
func TestTextJoinedCounts(t *testing.T) {
	n := 0
	done := make(chan int)
	go func() { defer close(done); panic(errors.Join(saysCounted{&n}, io.EOF)) }()
	<-done
	n++
}

// Errorf has called the method before, and keeps its text.
//
// finds: panics
func TestTextWrapped(t *testing.T) {
	var mu sync.Mutex
	done := make(chan int)
	go func() {
		defer close(done)
		err := fmt.Errorf("with: %w", saysLocked{&mu})
		mu.Lock()
		panic(err)
	}()
	<-done
}

// finds:
func TestTextJoinedRecovered(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	defer func() {
		if _, ok := recover().(error); !ok {
			t.Error("not recovered")
		}
	}()
	panic(errors.Join(saysLocked{&mu}))
}

// finds: panics
func TestTextJoinedPanics(t *testing.T) {
	go func() { panic(errors.Join(saysPanics{})) }()
}

// Nothing of it is the program's.
//
// finds: panics
func TestTextOfStd(t *testing.T) {
	go func() { panic(errors.Join(io.EOF, &fs.PathError{Op: "open", Path: "file", Err: io.EOF})) }()
}

type saysByPointer struct{ mu sync.Mutex }

func (e *saysByPointer) Error() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return "locked"
}

// The method is one of the pointer.
//
// finds: goroutineleak
func TestTextByPointer(t *testing.T) {
	done := make(chan int)
	e := new(saysByPointer)
	go func() { defer close(done); e.mu.Lock(); panic(e) }()
	<-done
}

// finds: panics
func TestTextJoinedByPointer(t *testing.T) {
	done := make(chan int)
	e := new(saysByPointer)
	go func() { defer close(done); panic(errors.Join(e)) }()
	e.mu.Lock()
	e.mu.Unlock()
	<-done
}

// A placed is an error that wants to be printed on the stack of a go statement that starts panic.
type placed struct{}

func (placed) Error() string {
	if !strings.Contains(string(debug.Stack()), "TestTextOfGoPanic.gowrap1()") {
		select {}
	}
	return "placed"
}

// finds: panics
func TestTextOfGoPanic(t *testing.T) {
	go panic(placed{})
	select {}
}
