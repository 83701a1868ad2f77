package a

import (
	"net"
	"testing"
)

// TestSmall keeps its promise.
//
//heddle:exhaust
func TestSmall(t *testing.T) { // verdict: exhausted
	done := make(chan bool)
	go close(done)
	<-done
}

// TestDial asks for what the machine does not have.
//
//heddle:exhaust
func TestDial(t *testing.T) { // want "TestDial promises to be exhausted, and is refused: .*a_test.go:22"
	go func() {}()
	if c, err := net.Dial("tcp", "192.0.2.1:80"); err == nil {
		c.Close()
	}
}

// TestNoPromise is not exhausted either, and does not say that it is.
func TestNoPromise(t *testing.T) { // verdict: refused
	go func() {}()
	if c, err := net.Dial("tcp", "192.0.2.1:80"); err == nil {
		c.Close()
	}
}
