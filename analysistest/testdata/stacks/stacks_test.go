// Package stacks asks for the stacks of all goroutines, as checks for leaks do at the end of a test.
package stacks

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

func all() string {
	b := make([]byte, 1<<14)
	return string(b[:runtime.Stack(b, true)])
}

// Nobody else is there.
func TestAlone(t *testing.T) {
	if n := strings.Count(all(), "goroutine "); n < 2 {
		t.Error(n)
	}
}

// A timer is no goroutine.
func TestAloneBesideTimer(t *testing.T) {
	tm := time.NewTimer(time.Second)
	if strings.Contains(all(), "time.") {
		t.Error(all())
	}
	<-tm.C
}

// Others come later.
func TestAloneBefore(t *testing.T) {
	before := all()
	c := make(chan int)
	for range 3 {
		go func() { c <- 1 }()
	}
	for range 3 {
		<-c
	}
	if strings.Contains(before, "TestAloneBefore.func") {
		t.Error(before)
	}
}

// The other one has ended, or not: natively both are seen.
func TestBeside(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	<-c
	all()
}

// The function of a timer is a goroutine.
func TestBesideTimer(t *testing.T) {
	c := make(chan int, 1)
	time.AfterFunc(time.Millisecond, func() { c <- 1 })
	<-c
	all()
}
