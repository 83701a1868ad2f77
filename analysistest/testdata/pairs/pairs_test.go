// Package pairs has clients and servers of net/http over the loopback network, each with a planted bug and without it.
package pairs

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
)

// A shop counts what it has sold.
type shop struct {
	http.Server
	l      net.Listener
	served chan error
	mu     sync.Mutex
	sold   int
}

func open(t *testing.T, h http.HandlerFunc) *shop {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{l: l, served: make(chan error, 1)}
	s.Handler = h
	return s
}

func (s *shop) serve() { go func() { s.served <- s.Serve(s.l) }() }

// buy sends one request and returns the answer.
func (s *shop) buy(c net.Conn) (string, error) {
	if _, err := io.WriteString(c, "POST /buy HTTP/1.0\r\nContent-Length: 0\r\n\r\n"); err != nil {
		return "", err
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r.Body)
	return string(b), err
}

func (s *shop) dial(t *testing.T) net.Conn {
	c, err := net.Dial("tcp", s.l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestShutdown looks at what a handler may still change: Close does not wait for handlers.
func TestShutdown(t *testing.T) { // verdict: exhausted
	var s *shop
	s = open(t, func(w http.ResponseWriter, r *http.Request) {
		s.sold++ // want `data race: s.sold`
	})
	s.serve()
	c := s.dial(t)
	io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
	s.Close()
	<-s.served
	if s.sold > 1 {
		t.Error(s.sold)
	}
	c.Close()
}

func TestShutdownRepaired(t *testing.T) { // verdict: exhausted
	var s *shop
	s = open(t, func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.sold++
		s.mu.Unlock()
	})
	s.serve()
	c := s.dial(t)
	io.WriteString(c, "GET / HTTP/1.0\r\n\r\n")
	s.Close()
	<-s.served
	s.mu.Lock()
	if s.sold > 1 {
		t.Error(s.sold)
	}
	s.mu.Unlock()
	c.Close()
}

// TestLost closes the server while a request is on its way.
func TestLost(t *testing.T) { // verdict: exhausted
	s := open(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hi") })
	s.serve()
	c := s.dial(t)
	defer c.Close()
	go s.Close()
	if b, err := s.buy(c); b != "hi" {
		t.Error(err) // want `test failure`
	}
}

func TestLostRepaired(t *testing.T) { // verdict: exhausted
	s := open(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hi") })
	s.serve()
	c := s.dial(t)
	defer c.Close()
	if b, err := s.buy(c); b != "hi" {
		t.Error(err)
	}
	s.Close()
}

// answers sends on what a server answers, until the connection ends.
func answers(c net.Conn) chan string {
	all := make(chan string, 1)
	go func() {
		defer close(all)
		for r := bufio.NewReader(c); ; {
			a, err := http.ReadResponse(r, nil) // want `goroutine leak`
			if err != nil {
				return
			}
			b, _ := io.ReadAll(a.Body)
			all <- string(b)
		}
	}()
	return all
}

// TestLeak leaves the server to a connection that nobody closes, and at which a client waits for more.
func TestLeak(t *testing.T) { // verdict: exhausted
	s := open(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hi") })
	s.serve()
	c := s.dial(t)
	all := answers(c)
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n")
	if b := <-all; b != "hi" {
		t.Error(b)
	}
	s.l.Close()
	<-s.served
}

func TestLeakRepaired(t *testing.T) { // verdict: exhausted
	s := open(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hi") })
	s.serve()
	c := s.dial(t)
	all := answers(c)
	io.WriteString(c, "GET / HTTP/1.1\r\nHost: shop\r\n\r\n")
	if b := <-all; b != "hi" {
		t.Error(b)
	}
	c.Close()
	s.l.Close()
	<-s.served
}
