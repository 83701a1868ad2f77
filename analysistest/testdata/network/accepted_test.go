package network

import (
	"io"
	"net"
	"sync"
	"testing"
)

// oneServed has two clients connect, of which a server takes one, and hands it to a goroutine that serves it. Which of
// the two that is only the connection says. The client told to fails if its end of it is not what want is.
func oneServed(t *testing.T, client int, want string, serve func(c net.Conn)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				return
			}
			defer c.Close()
			if b, err := io.ReadAll(c); i == client && err == nil && string(b) == want {
				t.Errorf("client %d was told %q", i, b) // want `client 0 was told ""` `client 1 was told ""` `client 1 was told "y"`
			}
		})
	}
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	var server sync.WaitGroup
	server.Go(func() { serve(c) })
	server.Wait()
	l.Close()
	wg.Wait()
}

func TestServedCloses(t *testing.T) { // verdict: exhausted
	oneServed(t, 0, "", func(c net.Conn) { c.Close() })
}

func TestServedClosesOther(t *testing.T) { // verdict: exhausted
	oneServed(t, 1, "", func(c net.Conn) { c.Close() })
}

func TestServedWrites(t *testing.T) { // verdict: exhausted
	oneServed(t, 1, "y", func(c net.Conn) { c.Write([]byte("y")); c.Close() })
}
