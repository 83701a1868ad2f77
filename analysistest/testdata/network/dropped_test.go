package network

// This file has pipes and connections of which nobody reaches one end any more: rule LEAK4 of the machine. Compiled,
// the same goroutines are left, but where the verdict speaks of a garbage collection, and there is one.

import (
	"net"
	"os"
	"testing"
)

func TestDroppedPipe(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	r, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() { r.Read(make([]byte, 1)) }() // want `goroutine leak`
}

type bothEnds struct{ r, w *os.File }

func TestKeptPipe(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	b := &bothEnds{r, w}
	go func() { b.r.Read(make([]byte, 1)); b.w.Close() }() // want `goroutine leak`
}

// The variable is there until the function returns, and is not used any more.
func TestUnusedPipe(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("a"))
	r.Read(make([]byte, 1))
	r.Read(make([]byte, 1)) // want `deadlock`
}

func TestUsedPipe(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	w.Write([]byte("a"))
	r.Read(make([]byte, 1))
	r.Read(make([]byte, 1)) // want `deadlock`
}

func TestDroppedConn(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.Read(make([]byte, 1)); s.Close() }() // want `goroutine leak`
}

func TestKeptConn(t *testing.T) { // verdict: exhausted
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	go func() { s.Read(make([]byte, 1)); c.Close() }() // want `goroutine leak`
}

func TestDroppedListener(t *testing.T) { // verdict: exhausted
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go l.Accept() // want `goroutine leak`
}

func TestDroppedReader(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	_, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go w.Write(make([]byte, 1<<20)) // want `goroutine leak`
}

func TestDroppedPipeAndMain(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	r, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int)
	go func() { r.Read(make([]byte, 1)); close(done) }()
	<-done // want `deadlock`
}

func TestClosedPipe(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	go func() { r.Read(make([]byte, 1)) }()
}

// Both ends are kept by a goroutine that is blocked for ever itself.
func TestKeptPipeByOther(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := make(chan int)
	go func() { <-c; w.Close() }() // want `goroutine leak`
	go func() { r.Read(make([]byte, 1)) }()
}

var kept *os.File

func TestKeptPipeByVariable(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	kept = w
	go func() { r.Read(make([]byte, 1)) }()
}

// Who reads the end goes on and releases another one.
func TestDroppedPipeAndOther(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	r, _, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := make(chan int)
	go func() { r.Read(make([]byte, 1)); close(c) }() // want `goroutine leak`
	go func() { <-c }()
}
