// Package late has deadlines, with -faults=late.
package late

import (
	"errors"
	"io"
	"net"
	"os"
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

func TestLate(t *testing.T) { // verdict: exhausted
	c := send(t, "hello")
	c.SetReadDeadline(time.Now().Add(30 * time.Second))
	if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err) // want `test failure: .*i/o timeout`
	}
	c.Close()
}

// TestLateRepaired has time.
func TestLateRepaired(t *testing.T) { // verdict: exhausted
	c := send(t, "hello")
	c.SetReadDeadline(time.Now().Add(2 * time.Minute))
	if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error(err)
	}
	c.Close()
}
