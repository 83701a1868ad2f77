package network

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// This file has what sockets and pipes order and what they do not, as the race detector has it. With sleeps in place of
// nothing, go test -race reports the same.

// beside runs f beside the test's goroutine, and lets it end with the test.
func beside(t *testing.T, f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	t.Cleanup(func() { <-done })
}

func TestAcceptOrdersNothing(t *testing.T) { // verdict: exhausted
	l := listen(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		dial(t, l)
	})
	l.Accept()
	_ = x
}

func TestAcceptUnixOrdersNothing(t *testing.T) { // verdict: exhausted
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		net.Dial("unix", path)
	})
	l.Accept()
	_ = x
}

func TestAcceptAndReadOrder(t *testing.T) { // verdict: exhausted
	l := listen(t)
	x := 0
	beside(t, func() {
		x = 1
		dial(t, l).Write([]byte("a"))
	})
	c, _ := l.Accept()
	c.Read(make([]byte, 1))
	_ = x
}

func TestEndOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.Close()
	})
	b.Read(make([]byte, 1))
	_ = x
}

func TestCloseWriteOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	x := 0
	beside(t, func() {
		a.Write([]byte("a"))
		x = 1 // want `data race`
		a.CloseWrite()
	})
	io.Copy(io.Discard, struct{ io.Reader }{b})
	_ = x
}

func TestEndAfterWriteOrders(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	x := 0
	beside(t, func() {
		x = 1
		a.Write([]byte("a"))
		a.CloseWrite()
	})
	io.Copy(io.Discard, struct{ io.Reader }{b})
	_ = x
}

func TestEndAfterWriteElsewhereOrders(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	_, w := pipe(t)
	x := 0
	beside(t, func() {
		x = 1
		w.Write([]byte("a"))
		a.Close()
	})
	b.Read(make([]byte, 1))
	_ = x
}

func TestResetOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.SetLinger(0)
	_, w := pipe(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		w.Write([]byte("a"))
		a.Close()
	})
	b.Read(make([]byte, 1)) // it fails
	_ = x
}

func TestReadOfNothingOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.Write([]byte("a"))
	})
	b.Read(nil)
	_ = x
}

func TestPipeOrders(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	x := 0
	beside(t, func() {
		x = 1
		w.Write([]byte("a"))
	})
	r.Read(make([]byte, 1))
	_ = x
}

func TestEndOfPipeOrdersNothing(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		w.Close()
	})
	r.Read(make([]byte, 1))
	_ = x
}

func TestBrokenPipeOrdersNothing(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		r.Close()
	})
	if _, err := w.Write([]byte("a")); err != nil {
		_ = x
	}
}

func TestRoomInPipeOrdersNothing(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	w.Write(make([]byte, 65536))
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		r.Read(make([]byte, 65536))
	})
	w.Write([]byte("a"))
	_ = x
}

func datagrams(t *testing.T) (a, b *net.UDPConn) {
	t.Helper()
	var c [2]*net.UDPConn
	for i := range c {
		p, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		c[i] = p
	}
	return c[0], c[1]
}

func TestReadFromOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := datagrams(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.WriteTo([]byte("a"), b.LocalAddr())
	})
	b.ReadFrom(make([]byte, 1))
	_ = x
}

func TestReadAfterWriteToOrdersNothing(t *testing.T) { // verdict: exhausted
	a, b := datagrams(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.WriteTo([]byte("a"), b.LocalAddr())
	})
	b.Read(make([]byte, 1))
	_ = x
}

func TestReadFromAfterWriteOrdersNothing(t *testing.T) { // verdict: exhausted
	_, b := datagrams(t)
	a, err := net.Dial("udp", b.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		a.Write([]byte("a"))
	})
	b.ReadFrom(make([]byte, 1))
	_ = x
}

func TestDatagramsReadAndWrittenOrder(t *testing.T) { // verdict: exhausted
	_, b := datagrams(t)
	a, err := net.Dial("udp", b.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1
		a.Write([]byte("a"))
	})
	b.Read(make([]byte, 1))
	_ = x
}

func TestDatagramToItselfOrders(t *testing.T) { // verdict: exhausted
	a, _ := datagrams(t)
	x := 0
	beside(t, func() {
		x = 1
		a.WriteTo([]byte("a"), a.LocalAddr())
	})
	a.ReadFrom(make([]byte, 1))
	_ = x
}

func TestBuffersOrderNothing(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		v := net.Buffers{[]byte("a"), []byte("b")}
		v.WriteTo(a)
	})
	b.Read(make([]byte, 1))
	_ = x
}

func TestOwnCloseOrders(t *testing.T) { // verdict: exhausted
	a, _ := pair(t)
	x := 0
	beside(t, func() {
		x = 1
		a.Close()
	})
	a.Read(make([]byte, 1))
	_ = x
}

func TestOwnListenerOrders(t *testing.T) { // verdict: exhausted
	l := listen(t)
	x := 0
	beside(t, func() {
		x = 1
		l.Close()
	})
	l.Accept()
	_ = x
}

func TestOwnDeadlineOrders(t *testing.T) { // verdict: exhausted
	a, _ := pair(t)
	x := 0
	beside(t, func() {
		x = 1
		a.SetReadDeadline(time.Unix(1, 0))
	})
	a.Read(make([]byte, 1))
	_ = x
}

func TestRefusalOrdersNothing(t *testing.T) { // verdict: exhausted
	l := listen(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		l.Close()
	})
	if _, err := net.Dial("tcp", l.Addr().String()); err != nil {
		_ = x
	}
}

func TestOneBuffer(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	p := []byte("a")
	beside(t, func() { w.Write(p) })
	r.Read(p) // want `data race`
}

// TestReadBeforeWrite: Read writes its bytes before it is after the Write.
func TestReadBeforeWrite(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	p := []byte("a")
	beside(t, func() { w.Write(append([]byte(nil), p...)) })
	r.Read(p) // want `data race`
}

func TestTwoBuffers(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	p, q := []byte("a"), []byte("b")
	beside(t, func() { w.Write(p) })
	r.Read(q)
	p[0]++ // want `data race`
	q[0]++
}

func TestDuplicate(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	a.Write([]byte("a"))
	a.Write([]byte("b"))
	f, err := b.File()
	if err != nil {
		t.Fatal(err)
	}
	beside(t, func() { b.Read(make([]byte, 1)) })
	f.Read(make([]byte, 1))
}

func TestReadOfDescriptorOrders(t *testing.T) { // verdict: exhausted
	var p [2]int
	if err := syscall.Pipe(p[:]); err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1
		syscall.Write(p[1], []byte("a"))
	})
	syscall.Read(p[0], make([]byte, 1))
	_ = x
}

func TestMessageOnSocketOrdersNothing(t *testing.T) { // verdict: exhausted
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		syscall.Sendto(p[1], []byte("a"), 0, nil)
	})
	syscall.Read(p[0], make([]byte, 1))
	_ = x
}

func TestFileInSocketOrders(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	f, err := os.Open("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	beside(t, func() {
		x = 1
		io.Copy(a, f)
	})
	b.Read(make([]byte, 1))
	_ = x
}

// relay has something to do with x after it has passed bytes on; the next one is after it.
func TestRelayOrders(t *testing.T) { // verdict: exhausted
	a, b := pair(t)
	r, w := pipe(t)
	x := 0
	beside(t, func() {
		x = 1
		w.Write([]byte("a"))
	})
	beside(t, func() {
		p := make([]byte, 1)
		r.Read(p)
		a.Write(p)
	})
	b.Read(make([]byte, 1))
	_ = x
}

// TestUnrelatedWrite: that a Write elsewhere came first is an accident.
func TestUnrelatedWrite(t *testing.T) { // verdict: exhausted
	l := listen(t)
	r, w := pipe(t)
	w.Write([]byte("a"))
	_, w2 := pipe(t)
	x := 0
	beside(t, func() {
		x = 1 // want `data race`
		dial(t, l)
		w2.Write([]byte("a"))
	})
	l.Accept()
	r.Read(make([]byte, 1))
	_ = x
}
