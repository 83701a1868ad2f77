// Package faults holds programs that the network lets down (flag -faults), and their repaired twins.
package faults

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"
)

// send is a connection to which a goroutine writes a text and closes it.
func send(t *testing.T, text string) net.Conn {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Skip(err)
	}
	s, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		io.WriteString(s, text)
		s.Close()
	}()
	return c
}

func TestShort(t *testing.T) { // verdict: exhausted
	c := send(t, "hello")
	b := make([]byte, 8)
	if n, err := c.Read(b); err == nil && string(b[:n]) != "hello" {
		t.Errorf("%q", b[:n]) // want `test failure: "he"`
	}
	c.Close()
}

func TestShortRepaired(t *testing.T) { // verdict: exhausted
	c := send(t, "hello")
	b := make([]byte, 5)
	if n, err := io.ReadFull(c, b); err == nil && string(b[:n]) != "hello" {
		t.Errorf("%q", b[:n])
	}
	c.Close()
}

// TestShortest has nothing that could be cut in two.
func TestShortest(t *testing.T) { // verdict: exhausted
	c := send(t, "h")
	b := make([]byte, 8)
	if n, err := c.Read(b); err == nil && n != 1 {
		t.Error(n)
	}
	c.Close()
}

func datagrams(t *testing.T) (a, b net.PacketConn) {
	a, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if b, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	return a, b
}

func TestDrop(t *testing.T) { // verdict: exhausted
	a, b := datagrams(t)
	a.WriteTo([]byte("x"), b.LocalAddr())
	b.ReadFrom(make([]byte, 1)) // want `deadlock: G1 blocked here in IO wait`
}

// TestDropRepaired sends two: one fault is not enough.
func TestDropRepaired(t *testing.T) { // verdict: exhausted
	a, b := datagrams(t)
	a.WriteTo([]byte("x"), b.LocalAddr())
	a.WriteTo([]byte("x"), b.LocalAddr())
	b.ReadFrom(make([]byte, 1))
}

func TestRefused(t *testing.T) { // verdict: exhausted
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, _ := net.Dial("tcp", l.Addr().String())
	c.Close() // want `panic: .*nil pointer dereference`
}

func TestReset(t *testing.T) { // verdict: exhausted
	c := send(t, "h")
	if _, err := c.Read(make([]byte, 1)); errors.Is(err, syscall.ECONNRESET) {
		t.Error(err) // want `test failure: .*connection reset by peer`
	}
	c.Close()
}

func TestLateDatagram(t *testing.T) { // verdict: exhausted
	a, b := datagrams(t)
	for range 2 {
		a.WriteTo([]byte("x"), b.LocalAddr())
	}
	b.SetReadDeadline(time.Now().Add(59 * time.Second))
	if _, _, err := b.ReadFrom(make([]byte, 1)); err != nil {
		t.Error(err) // want `test failure: .*i/o timeout`
	}
}

// TestRaceBesideFault: that a fault has happened before another was possible orders nothing.
func TestRaceBesideFault(t *testing.T) { // verdict: exhausted
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	a, b := datagrams(t)
	x, refused := 0, make(chan bool, 1)
	go func() {
		x = 1 // want `data race: x written here`
		if c, err := net.Dial("tcp", l.Addr().String()); err == nil {
			c.Close()
		} else {
			refused <- true
		}
	}()
	if len(refused) == 1 {
		a.WriteTo([]byte("x"), b.LocalAddr())
		_ = x + 0
	}
}

// TestPipes has pipes and unix sockets: nothing goes wrong there.
func TestPipes(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		w.WriteString("hello")
		w.Close()
	}()
	b := make([]byte, 8)
	if n, err := r.Read(b); n != 5 || err != nil {
		t.Error(n, err)
	}
	l, err := net.Listen("unix", "@faults")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("unix", "@faults")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}
