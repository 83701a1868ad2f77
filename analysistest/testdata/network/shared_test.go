package network

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

// This file has connections and pipes to which several descriptors lead: rules SHARE1 to SHARE3 of package inet.

// readsTwo sends what a read of two bytes got.
func readsTwo(t *testing.T, r io.Reader, got chan<- string) {
	p := make([]byte, 2)
	n, err := r.Read(p)
	if err != nil {
		t.Error(err)
	}
	got <- string(p[:n])
}

func wantHalves(t *testing.T, got <-chan string) {
	if a, b := <-got, <-got; a+b != "abcd" && b+a != "abcd" {
		t.Error(a, b)
	}
}

// second is another descriptor of a pipe.
func second(t *testing.T, f *os.File) *os.File {
	raw, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	second := 0
	raw.Control(func(fd uintptr) { second, err = syscall.Dup(int(fd)) })
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(second), "second")
}

// SHARE1: what one reader leaves of a segment the other one finds.
func TestTwoDescriptors(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	f, err := b.File()
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 2)
	go readsTwo(t, b, got)
	go readsTwo(t, f, got)
	a.Write([]byte("abcd"))
	wantHalves(t, got)
}

// Near it: a byte for one of two readers. The other one waits for ever.
func TestTwoDescriptorsOneByte(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	defer a.Close() // so nothing closes it earlier (LEAK4)
	f, err := b.File()
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan bool)
	for _, r := range []io.Reader{b, f} {
		go func() {
			r.Read(make([]byte, 2))
			got <- true
		}()
	}
	a.Write([]byte("a"))
	<-got
	<-got // want `deadlock`
}

// SHARE1: a deadline ends the wait for the turn.
func TestDeadlineOfOneOfTwo(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	f, err := b.File()
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.FileConn(f)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	done := make(chan bool)
	go func() {
		b.Read(make([]byte, 1))
		close(done)
	}()
	c.SetReadDeadline(time.Now().Add(time.Second))
	if _, err := c.Read(make([]byte, 1)); !os.IsTimeout(err) {
		t.Error(err)
	}
	a.Close()
	<-done
}

// SHARE2: the first reader may wait already when the second descriptor is made.
func TestSecondDescriptor(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	got := make(chan string, 2)
	go readsTwo(t, r, got)
	go readsTwo(t, second(t, r), got)
	w.Write([]byte("abcd"))
	wantHalves(t, got)
}

// SHARE3: two who wait for room by two descriptors both find it.
func TestTwoWriters(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	w.Write(make([]byte, 64<<10))
	done := make(chan bool)
	for _, w := range []io.Writer{w, second(t, w)} {
		go func() {
			w.Write([]byte("a"))
			done <- true
		}()
	}
	r.Read(make([]byte, 64<<10))
	<-done
	<-done
}

// ORDER4: io.Copy from a connection to a connection reads nothing and writes nothing.
func TestSpliceOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	c, _ := pair(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.Write([]byte("a"))
		a.CloseWrite()
	})
	io.Copy(c, b)
	_ = x
}

func TestSpliceToFileOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	f, err := os.Create(t.TempDir() + "/f")
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.Write([]byte("a"))
		a.CloseWrite()
	})
	io.Copy(f, b)
	_ = x
	if s, err := f.Stat(); err != nil || s.Size() != 1 {
		t.Error(s, err)
	}
}

// Near it: a copy through the program's memory.
func TestCopyOrders(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	c, _ := pair(t)
	x := 0
	beside(t, func() {
		x = 1
		a.Write([]byte("a"))
		a.CloseWrite()
	})
	io.Copy(struct{ io.Writer }{c}, struct{ io.Reader }{b})
	_ = x
}

// What comes through is what was sent, and then the end.
func TestSplicePasses(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	c, d := pair(t)
	beside(t, func() {
		io.WriteString(a, "ab")
		io.WriteString(a, "cd")
		a.CloseWrite()
	})
	beside(t, func() {
		if n, err := io.Copy(c, b); n != 4 || err != nil {
			t.Error(n, err)
		}
		c.CloseWrite()
	})
	if got, err := io.ReadAll(d); string(got) != "abcd" || err != nil {
		t.Error(got, err)
	}
}

// READY5: a Read that waits in the call itself is not ended by Close.
func TestBlockingReadStays(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	r.Fd()
	got := make(chan bool, 1)
	go func() {
		r.Read(make([]byte, 1))
		got <- true
	}()
	r.Close()
	<-got // want `deadlock`
	w.Close()
}

// What comes is read, or Close was first. Then the end is there.
func TestCloseBesideBlockingRead(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	r.Fd()
	got := make(chan error, 1)
	go func() {
		_, err := r.Read(make([]byte, 1))
		got <- err
	}()
	r.Close()
	_, err := w.Write([]byte("a"))
	if e := <-got; e != nil && !errors.Is(e, os.ErrClosed) || e == nil && err != nil {
		t.Error(e, err)
	}
	if _, err := w.Write([]byte("a")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err) // who read has closed it
	}
}

// Near it: without Fd, Close ends the Read.
func TestCloseEndsRead(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	got := make(chan error, 1)
	go func() {
		_, err := r.Read(make([]byte, 1))
		got <- err
	}()
	r.Close()
	if err := <-got; !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if _, err := w.Write([]byte("a")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
}

// A Read that waits already when the descriptor becomes blocking is ended by Close.
func TestFdBesideRead(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	got := make(chan string, 1)
	go readsTwo(t, r, got)
	r.Fd()
	w.Write([]byte("ab"))
	if s := <-got; s != "ab" {
		t.Error(s)
	}
}

// READY5: two who read by one blocking descriptor that the network poller does not have take turns, and who comes after
// Close is told.
func TestReadersOfBlockingPipe(t *testing.T) { // verdict: exhausted
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		t.Fatal(err)
	}
	r, w := os.NewFile(uintptr(p[0]), "r"), os.NewFile(uintptr(p[1]), "w")
	got := make(chan string, 2)
	go readsTwo(t, r, got)
	go readsTwo(t, r, got)
	w.Write([]byte("abcd"))
	wantHalves(t, got)
	r.Close()
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
		t.Error(err)
	}
	if _, err := w.Write([]byte("a")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
}
