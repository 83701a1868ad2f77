package network

import (
	"os"
	"syscall"
	"testing"
	"time"
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

// What reads, writes and accepts waits or not as the flags say.

// open leaves them open.
func open(t *testing.T) (r, w int) {
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		t.Fatal(err)
	}
	return p[0], p[1]
}

func later(f func()) {
	go func() {
		time.Sleep(time.Second)
		f()
	}()
}

func TestFlagsOfRead(t *testing.T) { // verdict: exhausted
	r, w := open(t)
	go syscall.SetNonblock(r, true)
	later(func() { syscall.Write(w, []byte("x")) })
	if _, err := syscall.Read(r, make([]byte, 1)); err != nil {
		t.Error("it does not wait") // want `it does not wait`
	}
}

func TestFlagsOfReadAfter(t *testing.T) { // verdict: exhausted
	r, w := open(t)
	later(func() {
		syscall.Write(w, []byte("x"))
		syscall.SetNonblock(r, true)
	})
	if _, err := syscall.Read(r, make([]byte, 1)); err != nil {
		t.Error(err)
	}
}

func TestFlagsOfReadThere(t *testing.T) { // verdict: exhausted
	r, w := open(t)
	syscall.Write(w, []byte("x"))
	done := make(chan bool)
	go func() {
		syscall.SetNonblock(r, true)
		close(done)
	}()
	if n, err := syscall.Read(r, make([]byte, 1)); n != 1 || err != nil {
		t.Error(n, err)
	}
	<-done
}

func TestFlagsOfReadBlocks(t *testing.T) { // verdict: exhausted
	r, _ := open(t)
	syscall.SetNonblock(r, true)
	go syscall.SetNonblock(r, false)
	syscall.Read(r, make([]byte, 1)) // want `deadlock`
}

func TestFlagsOfReadOther(t *testing.T) { // verdict: exhausted
	r, w := open(t)
	syscall.SetNonblock(r, true)
	go syscall.SetNonblock(w, false)
	if _, err := syscall.Read(r, make([]byte, 1)); err != syscall.EAGAIN {
		t.Error(err)
	}
}

// A call that does not wait has found nothing, and then that it is not to wait: both, in this order.
func TestFlagsBetween(t *testing.T) { // verdict: exhausted
	r, w := open(t)
	syscall.SetNonblock(r, true)
	syscall.Write(w, []byte("x"))
	go func() {
		syscall.SetNonblock(r, false)
		syscall.Read(r, make([]byte, 1))
		later(func() { syscall.Write(w, []byte("y")) })
	}()
	if _, err := syscall.Read(r, make([]byte, 1)); err != nil {
		t.Error("with nothing there it was to wait")
	}
	syscall.Write(w, []byte("z"))
}

func TestFlagsOfWrite(t *testing.T) { // verdict: exhausted
	r, w := open(t)
	syscall.Write(w, make([]byte, 64<<10))
	go syscall.SetNonblock(w, true)
	later(func() { syscall.Read(r, make([]byte, 64<<10)) })
	if _, err := syscall.Write(w, []byte("x")); err != nil {
		t.Error("it does not wait") // want `it does not wait`
	}
}

func TestFlagsOfWriteRoom(t *testing.T) { // verdict: exhausted
	_, w := open(t)
	done := make(chan bool)
	go func() {
		syscall.SetNonblock(w, true)
		close(done)
	}()
	if _, err := syscall.Write(w, []byte("x")); err != nil {
		t.Error(err)
	}
	<-done
}

func sockets(t *testing.T, typ int) (a, b int) {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, typ, 0)
	if err != nil {
		t.Fatal(err)
	}
	return fds[0], fds[1]
}

func TestFlagsOfDatagram(t *testing.T) { // verdict: exhausted
	a, b := sockets(t, syscall.SOCK_DGRAM)
	go syscall.SetNonblock(a, true)
	later(func() { syscall.Write(b, []byte("x")) })
	if _, _, err := syscall.Recvfrom(a, make([]byte, 1), 0); err != nil {
		t.Error("it does not wait") // want `it does not wait`
	}
}

func TestFlagsOfStream(t *testing.T) { // verdict: exhausted
	a, b := sockets(t, syscall.SOCK_STREAM)
	go syscall.SetNonblock(a, true)
	later(func() { syscall.Write(b, []byte("x")) })
	if _, _, err := syscall.Recvfrom(a, make([]byte, 1), 0); err != nil {
		t.Error("it does not wait") // want `it does not wait`
	}
}

func TestFlagsOfMessage(t *testing.T) { // verdict: exhausted
	a, _ := sockets(t, syscall.SOCK_STREAM)
	go syscall.SetNonblock(a, false)
	if _, _, err := syscall.Recvfrom(a, make([]byte, 1), syscall.MSG_DONTWAIT); err != syscall.EAGAIN {
		t.Error(err)
	}
}

// Once Fd has made a pipe blocking, no deadline ends a read.
func TestFlagsOfDeadline(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.SetReadDeadline(time.Now().Add(time.Second))
	go r.Fd()
	later(func() {
		time.Sleep(time.Second)
		w.Write([]byte("x"))
	})
	if _, err := r.Read(make([]byte, 1)); err == nil {
		t.Error("past the deadline") // want `past the deadline`
	}
}

func TestFlagsOfDeadlineAfter(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.SetReadDeadline(time.Now().Add(time.Second))
	later(func() {
		time.Sleep(time.Second)
		r.Fd()
		w.Write([]byte("x"))
	})
	if _, err := r.Read(make([]byte, 1)); err == nil {
		t.Error("past the deadline")
	}
}

// Numbers of descriptors (NET11): one goroutine closes one, another uses it.

func TestNumberClosed(t *testing.T) { // verdict: exhausted
	r, w := ends(t)
	syscall.Write(w, []byte("x"))
	go syscall.Close(r)
	if _, err := syscall.Read(r, make([]byte, 1)); err != nil {
		t.Error("it is closed") // want `it is closed`
	}
}

func TestNumberClosedUnderWay(t *testing.T) { // verdict: exhausted
	r, w := ends(t)
	go syscall.Close(r)
	later(func() { syscall.Write(w, []byte("x")) })
	if _, err := syscall.Read(r, make([]byte, 1)); err == nil {
		t.Error("it keeps the pipe") // want `it keeps the pipe`
	}
}

func TestNumberClosedAfter(t *testing.T) { // verdict: exhausted
	r, w := ends(t)
	syscall.Write(w, []byte("x"))
	read := make(chan bool)
	go func() {
		<-read
		syscall.Close(r)
	}()
	if _, err := syscall.Read(r, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	close(read)
}

func TestNumberClosedTwice(t *testing.T) { // verdict: exhausted
	r, _ := ends(t)
	first := make(chan error)
	go func() { first <- syscall.Close(r) }()
	second := syscall.Close(r)
	if (<-first == nil) == (second == nil) {
		t.Error("one of two closes it")
	}
	if second != nil {
		t.Error("the other one was first") // want `the other one was first`
	}
}

func TestNumberDuplicated(t *testing.T) { // verdict: exhausted
	r, w := ends(t)
	syscall.Write(w, []byte("x"))
	d, err := syscall.Dup(r)
	if err != nil {
		t.Fatal(err)
	}
	go syscall.Close(r)
	if _, err := syscall.Read(d, make([]byte, 1)); err != nil {
		t.Error(err)
	}
}

// Fd makes a pipe blocking while Close closes it: whoever is last closes the descriptor.
func TestNumberByFd(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go w.Fd()
	w.Close() // want `data race`
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Error(n, err)
	}
}

func TestNumberByFdOfReader(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go r.Fd()
	r.Close() // want `data race`
	if _, err := w.Write([]byte("x")); err == nil {
		t.Error("Fd is under way") // want `Fd is under way`
	}
}

// Fd reads the number without a lock, and Close writes it.
func TestNumberOfFile(t *testing.T) { // verdict: exhausted
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan bool)
	go func() {
		f.Close() // want `data race`
		close(closed)
	}()
	if f.Fd() == ^uintptr(0) {
		t.Error("it is closed") // want `it is closed`
	}
	<-closed
}

func TestNumberOfFileTwice(t *testing.T) { // verdict: exhausted
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	other := make(chan uintptr)
	go func() { other <- f.Fd() }()
	if f.Fd() != <-other {
		t.Error("two numbers")
	}
}

func TestNumberOfFileAfter(t *testing.T) { // verdict: exhausted
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan bool)
	go func() {
		f.Close()
		close(closed)
	}()
	<-closed
	if f.Fd() != ^uintptr(0) {
		t.Error("it is open")
	}
}

func TestNumberOfOtherFile(t *testing.T) { // verdict: exhausted
	dir := t.TempDir()
	f, err := os.Create(dir + "/f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := os.Create(dir + "/g")
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan bool)
	go func() {
		g.Close()
		close(closed)
	}()
	if f.Fd() == ^uintptr(0) {
		t.Error("it is closed")
	}
	<-closed
}
