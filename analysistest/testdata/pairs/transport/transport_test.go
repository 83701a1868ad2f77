// Package transport has clients with an http.Transport of servers of httptest, each pair with a planted bug and without
// it.
package transport

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// A shop is a server that counts what it has sold, and one client.
type shop struct {
	*httptest.Server
	transport http.Transport
	mu        sync.Mutex
	sold      int
}

func open(h func(s *shop)) *shop {
	s := &shop{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h(s)
		io.WriteString(w, "hi")
	}))
	return s
}

// buy sends one request and returns the answer.
func (s *shop) buy() (string, error) {
	r, err := (&http.Client{Transport: &s.transport}).Get(s.URL)
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	return string(b), err
}

func (s *shop) close() {
	s.transport.CloseIdleConnections()
	s.Server.Close()
}

// TestShutdown looks at what a handler may still change: CloseClientConnections does not wait for handlers.
func TestShutdown(t *testing.T) {
	s := open(func(s *shop) { s.sold++ }) // want `data race: s.sold`
	go s.CloseClientConnections()
	if _, err := s.buy(); err != nil && s.sold > 1 {
		t.Error(s.sold)
	}
	s.close()
}

// TestShutdownRepaired looks after Close, which waits for them.
func TestShutdownRepaired(t *testing.T) {
	s := open(func(s *shop) { s.sold++ })
	go s.CloseClientConnections()
	_, err := s.buy()
	s.close()
	if err != nil && s.sold > 1 {
		t.Error(s.sold)
	}
}

// TestLost closes the server while a handler is at work.
func TestLost(t *testing.T) {
	started, done := make(chan bool), make(chan bool)
	s := open(func(s *shop) { close(started) })
	go func() {
		<-started
		s.Config.Close()
		done <- true
	}()
	if b, err := s.buy(); b != "hi" {
		t.Error(err) // want `test failure`
	}
	<-done
	s.close()
}

func TestLostRepaired(t *testing.T) {
	s := open(func(s *shop) {})
	if b, err := s.buy(); b != "hi" {
		t.Error(err)
	}
	s.close()
}

// TestLeak does not close the body of a response, and so leaves the connection to the Transport's goroutines.
func TestLeak(t *testing.T) { // verdict: exhausted // want `goroutine leak`
	s := open(func(s *shop) {})
	r, err := (&http.Client{Transport: &s.transport}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	io.ReadAll(io.LimitReader(r.Body, 1))
	s.Listener.Close()
}

func TestLeakRepaired(t *testing.T) {
	s := open(func(s *shop) {})
	r, err := (&http.Client{Transport: &s.transport}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	io.ReadAll(io.LimitReader(r.Body, 1))
	r.Body.Close()
	s.close()
}
