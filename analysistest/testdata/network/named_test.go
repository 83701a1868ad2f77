package network

import (
	"errors"
	"io"
	"os"
	"syscall"
	"testing"
	"time"
)

// This file has named pipes: rules FIFO1 to FIFO4 of package inet.

func mkfifo(t *testing.T) string {
	name := t.TempDir() + "/pipe"
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func openPipe(t *testing.T, name string, flags int) *os.File {
	f, err := os.OpenFile(name, flags, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// FIFO2: each end waits for the other.
func TestNamed(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	go func() {
		w := openPipe(t, name, os.O_WRONLY)
		w.WriteString("hello")
		w.Close()
	}()
	r := openPipe(t, name, os.O_RDONLY)
	if b, err := io.ReadAll(r); string(b) != "hello" || err != nil {
		t.Error(string(b), err)
	}
	r.Close()
}

// Near it: nobody opens the other end.
func TestNamedAlone(t *testing.T) { // verdict: exhausted
	os.OpenFile(mkfifo(t), os.O_WRONLY, 0) // want `deadlock`
}

// FIFO2: with O_NONBLOCK there may be a writer, or none.
func TestNamedTry(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	done := make(chan *os.File)
	go func() { done <- openPipe(t, name, os.O_RDONLY) }()
	w, err := os.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		w = openPipe(t, name, os.O_WRONLY)
	}
	w.Close()
	(<-done).Close()
	if err != nil {
		t.Error(err) // want `no such device or address`
	}
}

// FIFO2 and FIFO3: who opens it for both never waits, and a read finds no end while it does.
func TestNamedBoth(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	both := openPipe(t, name, os.O_RDWR)
	r := openPipe(t, name, os.O_RDONLY)
	r.SetReadDeadline(time.Now().Add(time.Millisecond))
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	r.SetReadDeadline(time.Time{})
	both.Close()
	if _, err := r.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
	r.Close()
}

// FIFO3: the end is not the last of it.
func TestNamedAgain(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	r := openPipe(t, name, os.O_RDONLY|syscall.O_NONBLOCK)
	p := make([]byte, 2)
	for _, s := range []string{"a", "b"} {
		w := openPipe(t, name, os.O_WRONLY)
		w.WriteString(s)
		w.Close()
		if n, err := r.Read(p); string(p[:n]) != s || err != nil {
			t.Error(n, err)
		}
		if n, err := r.Read(p); n != 0 || err != io.EOF {
			t.Error(n, err)
		}
	}
	r.Close()
}

// FIFO3: the second of two writers may come when the reader has found the end.
func TestNamedTwoWriters(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	r := openPipe(t, name, os.O_RDONLY|syscall.O_NONBLOCK)
	first, second := openPipe(t, name, os.O_WRONLY), make(chan bool)
	go func() {
		first.WriteString("a")
		first.Close()
		w := openPipe(t, name, os.O_WRONLY)
		w.WriteString("b")
		w.Close()
		close(second)
	}()
	b, err := io.ReadAll(r)
	<-second
	r.Close()
	if string(b) != "ab" || err != nil {
		t.Errorf("read %q", b) // want `read "a"`
	}
}

// FIFO1: what is left is lost with the last descriptor, and not before.
func TestNamedLost(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	f := openPipe(t, name, os.O_RDWR)
	f.WriteString("one")
	g := openPipe(t, name, os.O_RDWR)
	f.Close()
	p := make([]byte, 1)
	if n, _ := g.Read(p); string(p[:n]) != "o" {
		t.Error(string(p[:n]))
	}
	g.Close()
	h := openPipe(t, name, os.O_RDWR)
	h.WriteString("two")
	if n, _ := h.Read(p); string(p[:n]) != "t" {
		t.Error(string(p[:n]))
	}
	h.Close()
}

// FIFO4: both writers that wait are told that the reader goes.
func TestNamedFull(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	r := openPipe(t, name, os.O_RDONLY|syscall.O_NONBLOCK)
	first := openPipe(t, name, os.O_WRONLY)
	first.Write(make([]byte, 1<<16))
	done := make(chan error)
	for range 2 {
		w := openPipe(t, name, os.O_WRONLY)
		go func() {
			_, err := w.Write([]byte("x"))
			done <- err
		}()
	}
	r.Close()
	for range 2 {
		if err := <-done; !errors.Is(err, syscall.EPIPE) {
			t.Error(err)
		}
	}
}

// A named pipe orders what any other does: a Write is before the Read of it, an open before nothing.
func TestNamedOrders(t *testing.T) { // verdict: exhausted
	name := mkfifo(t)
	x, y := 0, 0
	go func() {
		x = 1
		w := openPipe(t, name, os.O_WRONLY)
		y = 1 // want `data race`
		w.WriteString("a")
		w.Close()
	}()
	r := openPipe(t, name, os.O_RDONLY)
	early := y
	r.Read(make([]byte, 1))
	if x != 1 {
		t.Error(x, early)
	}
}
