package network

import (
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// This file has an entry for each rule of package inet that no other test needs. A comment says which rule it is.

func pair(t *testing.T) (a, b *net.TCPConn) {
	l := listen(t)
	a = dial(t, l).(*net.TCPConn)
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	return a, c.(*net.TCPConn)
}

func pipe(t *testing.T) (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

// NET1: which descriptor has the smaller number does not depend on who was first.
func TestNumbersOfPipes(t *testing.T) { // verdict: exhausted
	var mu sync.Mutex
	n := 0
	fds := make([]chan int, 2)
	for i := range fds {
		fds[i] = make(chan int, 1)
		go func() {
			var p [2]int
			mu.Lock()
			n = 2*n + i
			syscall.Pipe(p[:])
			mu.Unlock()
			fds[i] <- p[0]
		}()
	}
	if a, b := <-fds[0], <-fds[1]; a > b {
		t.Error(a, b)
	}
}

// NET3: no address beyond the loopback is there.
func TestOtherAddress(t *testing.T) { // verdict: refused
	if c, err := net.Dial("tcp", "192.0.2.1:80"); err == nil {
		c.Close()
	}
}

// REFUSE3: that the computer has no files of time zones makes no difference.
func TestTimeZone(t *testing.T) { // verdict: exhausted
	if _, err := time.LoadLocation("Europe/Berlin"); err != nil {
		t.Log(err)
	}
}

// NET4: of two who take an address either may be first.
func TestWhoHasThePort(t *testing.T) { // verdict: exhausted
	l := listen(t)
	addr := l.Addr().String()
	l.Close()
	done := make(chan bool)
	go func() {
		net.Listen("tcp", addr)
		done <- true
	}()
	if _, err := net.Listen("tcp", addr); err != nil {
		t.Error("the other one") // want `test failure: the other one`
	}
	<-done
}

// NET5: a connection is there before it is accepted; a write after the other end was closed succeeds once.
func TestWritesAfterClose(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	b.Close()
	if n, err := a.Write([]byte("x")); n != 1 || err != nil {
		t.Error(n, err)
	}
	if _, err := a.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
	a.Close()
}

// NET6: Close resets the stream if something is unread.
func TestCloseWithUnread(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.Write([]byte("x"))
	b.Close()
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
	a.Close()
}

// NET7: a datagram is there when it was sent, and cut off where there is no room for it. The 257th is lost.
func TestDatagrams(t *testing.T) { // verdict: exhausted
	s, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("udp", s.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	for range 257 {
		c.Write([]byte("ping"))
	}
	p := make([]byte, 3)
	for i := range 256 {
		if n, _, err := s.ReadFrom(p); n != 3 || err != nil {
			t.Error(i, n, err)
		}
	}
	s.SetReadDeadline(time.Now())
	if _, _, err := s.ReadFrom(p); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	c.Close()
	s.Close()
}

// STREAM1: who reads while a long write goes on may get its first 64 KiB.
func TestSegments(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	go a.Write(make([]byte, 100<<10))
	if n, _ := b.Read(make([]byte, 200<<10)); n == 64<<10 {
		t.Error("one of two") // want `test failure: one of two`
	}
	b.Close()
	a.Close()
}

// STREAM2: a pipe takes 64 KiB.
func TestPipeIsFull(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	if n, err := w.Write(make([]byte, 64<<10)); n != 64<<10 || err != nil {
		t.Error(n, err)
	}
	w.SetWriteDeadline(time.Now().Add(time.Second))
	if _, err := w.Write([]byte("x")); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	r.Close()
	w.Close()
}

// STREAM3: a read takes all that is there, and leaves what it has no room for.
func TestReadTakesAll(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	w.Write([]byte("he"))
	w.Write([]byte("llo"))
	b := make([]byte, 4)
	if n, _ := r.Read(b); string(b[:n]) != "hell" {
		t.Errorf("%q", b[:n])
	}
	if n, _ := r.Read(b); string(b[:n]) != "o" {
		t.Errorf("%q", b[:n])
	}
	r.Close()
	w.Close()
}

// STREAM4: what was written comes before the end.
func TestEndIsLast(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	go func() {
		w.Write([]byte("x"))
		w.Close()
	}()
	if b, err := io.ReadAll(r); string(b) != "x" || err != nil {
		t.Error(string(b), err)
	}
	r.Close()
}

// STREAM5: who writes is told that the reader's end is gone.
func TestReaderIsGone(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	r.Close()
	if _, err := w.Write([]byte("x")); !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
	w.Close()
}

// READY1: RawRead calls first, and waits only if it is told to.
func TestRawReadCallsFirst(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	raw, err := b.SyscallConn()
	if err == nil {
		err = raw.Read(func(uintptr) bool { return true })
	}
	if err != nil {
		t.Error(err)
	}
	b.Close()
	a.Close()
}

// READY3: a deadline that passes while somebody waits tells him.
func TestDeadlineTells(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	r.SetReadDeadline(time.Now().Add(time.Second))
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	r.Close()
	w.Close()
}

// READY4: of two who read, one waits until the other one is through.
func TestReadersTakeTurns(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	w.Write([]byte("ab"))
	var sum atomic.Int32
	done := make(chan bool)
	for range 2 {
		go func() {
			b := make([]byte, 1)
			r.Read(b)
			sum.Add(int32(b[0]))
			done <- true
		}()
	}
	<-done
	<-done
	if sum.Load() != 'a'+'b' {
		t.Error(sum.Load())
	}
	r.Close()
	w.Close()
}

// SIG2: of two equal signals the second may be lost, and may not.
func TestEqualSignals(t *testing.T) { // verdict: exhausted
	c := make(chan os.Signal, 2)
	signal.Notify(c, syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	<-c
	select {
	case <-c:
	case <-time.After(time.Second):
		t.Error("lost") // want `test failure: lost`
	}
	signal.Stop(c)
}

// SIG3: a signal that nobody wants, and that would end the process, is not supported.
func TestUnwantedSignal(t *testing.T) { // verdict: incomplete "signal"
	syscall.Kill(os.Getpid(), syscall.SIGTERM)
}

// SIG3: the runtime handles most signals, and does nothing about those that nobody wants.
func TestHarmlessSignals(t *testing.T) { // verdict: exhausted
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGIO, syscall.SIGCHLD, syscall.SIGCONT, 40} {
		syscall.Kill(os.Getpid(), s)
	}
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	signal.Stop(c)
	syscall.Kill(os.Getpid(), syscall.SIGUSR1)
	if len(c) != 0 {
		t.Error("after Stop")
	}
}

// NET6: whether Close resets is what the option says as it closes, whoever sets it.
func TestLingerBesideClose(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	done := make(chan bool)
	go func() {
		b.Close()
		done <- true
	}()
	b.SetLinger(0)
	<-done
	if _, err := a.Read(make([]byte, 1)); errors.Is(err, syscall.ECONNRESET) {
		t.Error("reset") // want `test failure`
	}
	a.Close()
}

func TestLingerAfterClose(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	done := make(chan bool)
	go func() {
		b.Close()
		done <- true
	}()
	<-done
	b.SetLinger(0)
	if _, err := a.Read(make([]byte, 1)); err != io.EOF {
		t.Error(err)
	}
	a.Close()
}
