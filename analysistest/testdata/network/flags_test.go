package network

import (
	"os"
	"syscall"
	"testing"
)

// This file has flags of descriptors (NET10): one goroutine sets them, another one asks.

func ends(t *testing.T) (r, w int) {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(p[0]); syscall.Close(p[1]) })
	return p[0], p[1]
}

func nonblocking(t *testing.T, fd int) bool {
	flags, _, err := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
	if err != 0 {
		t.Error(err)
	}
	return flags&syscall.O_NONBLOCK != 0
}

func TestFlags(t *testing.T) { // verdict: exhausted
	r, _ := ends(t)
	done := make(chan bool)
	go func() {
		syscall.SetNonblock(r, true)
		close(done)
	}()
	if nonblocking(t, r) {
		t.Error("they are set") // want `they are set`
	}
	<-done
}

func TestFlagsRepaired(t *testing.T) { // verdict: exhausted
	r, _ := ends(t)
	done := make(chan bool)
	go func() {
		syscall.SetNonblock(r, true)
		close(done)
	}()
	<-done
	if !nonblocking(t, r) {
		t.Error("they are not set")
	}
}

func TestFlagsOfOther(t *testing.T) { // verdict: exhausted
	r, w := ends(t)
	done := make(chan bool)
	go func() {
		syscall.SetNonblock(w, true)
		close(done)
	}()
	if nonblocking(t, r) {
		t.Error("those of the other end")
	}
	<-done
}

func TestFlagsTwice(t *testing.T) { // verdict: exhausted
	r, _ := ends(t)
	done := make(chan bool)
	go func() {
		syscall.SetNonblock(r, true)
		done <- true
	}()
	go func() {
		syscall.SetNonblock(r, false)
		done <- true
	}()
	<-done
	<-done
	if !nonblocking(t, r) {
		t.Error("the second one came last") // want `the second one came last`
	}
}

func TestFlagsByFd(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := r.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		r.Fd() // from here on it blocks
		close(done)
	}()
	raw.Control(func(fd uintptr) {
		if !nonblocking(t, int(fd)) {
			t.Error("it blocks") // want `it blocks`
		}
	})
	<-done
	r.Close()
	w.Close()
}
