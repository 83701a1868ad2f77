// Package network holds clients and servers over the loopback network, each with one planted bug, and their repaired twins.
package network

import (
	"bufio"
	"context"
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

func listen(t *testing.T) net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func dial(t *testing.T, l net.Listener) net.Conn {
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A server answers each line with itself. Its Close has the bug of the fields that are set.
type server struct {
	l       net.Listener
	wg      sync.WaitGroup
	mu      sync.Mutex
	conns   []net.Conn
	served  int // lines
	count   atomic.Int32
	plain   bool // counts without a lock
	forgets bool // leaves connections open
	hastes  bool // closes connections while they are served
}

func (s *server) serve() {
	defer s.wg.Done()
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns = append(s.conns, c)
		s.mu.Unlock()
		s.wg.Add(1)
		go s.handle(c)
	}
}

func (s *server) handle(c net.Conn) {
	defer s.wg.Done()
	defer c.Close()
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n') // want `goroutine leak`
		if err != nil {
			return
		}
		if s.plain {
			s.served++ // want `data race: s.served written here`
		} else {
			s.count.Add(1)
		}
		io.WriteString(c, line)
	}
}

func start(t *testing.T, s *server) *server {
	s.l = listen(t)
	s.wg.Add(1)
	go s.serve()
	return s
}

func (s *server) close() {
	s.l.Close()
	if s.forgets {
		return
	}
	if s.hastes {
		s.mu.Lock()
		for _, c := range s.conns {
			c.Close()
		}
		s.mu.Unlock()
	}
	s.wg.Wait()
}

func ask(c net.Conn) (string, error) {
	io.WriteString(c, "x\n")
	return bufio.NewReader(c).ReadString('\n')
}

func TestShutdownRace(t *testing.T) { // verdict: exhausted
	s := start(t, &server{plain: true, forgets: true})
	c := dial(t, s.l)
	go func() {
		ask(c)
		c.Close()
	}()
	s.close()
	if s.served > 1 {
		t.Error(s.served)
	}
}

func TestShutdownRepaired(t *testing.T) { // verdict: exhausted
	s := start(t, &server{})
	c := dial(t, s.l)
	go func() {
		ask(c)
		c.Close()
	}()
	s.close()
	if n := s.count.Load(); n > 1 {
		t.Error(n)
	}
}

func TestLostResponse(t *testing.T) { // verdict: exhausted
	s := start(t, &server{hastes: true})
	c := dial(t, s.l)
	go s.close()
	if line, err := ask(c); line != "x\n" {
		t.Error(err) // want `test failure`
	}
	c.Close()
}

func TestResponseRepaired(t *testing.T) { // verdict: exhausted
	s := start(t, &server{})
	c := dial(t, s.l)
	asked := make(chan bool)
	go func() {
		if line, err := ask(c); line != "x\n" {
			t.Error(err)
		}
		c.Close()
		close(asked)
	}()
	<-asked
	s.close()
}

// Rule LEAK4: a garbage collection would close the connection.
func TestLeakedConnection(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	s := start(t, &server{forgets: true})
	c := dial(t, s.l)
	if _, err := ask(c); err != nil {
		t.Error(err)
	}
	s.close()
}

func TestConnectionRepaired(t *testing.T) { // verdict: exhausted
	s := start(t, &server{forgets: true})
	c := dial(t, s.l)
	if _, err := ask(c); err != nil {
		t.Error(err)
	}
	c.Close()
	s.close()
}

// A read of a stream may return what one write wrote, or more.
func TestOneReadOfTwoWrites(t *testing.T) { // verdict: exhausted
	l := listen(t)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		io.WriteString(c, "he")
		io.WriteString(c, "llo")
		c.Close()
	}()
	c := dial(t, l)
	b := make([]byte, 8)
	if n, _ := c.Read(b); string(b[:n]) != "hello" {
		t.Errorf("%q", b[:n]) // want `test failure: "he"`
	}
	c.Close()
	l.Close()
}

func TestAllOfTwoWrites(t *testing.T) { // verdict: exhausted
	l := listen(t)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		io.WriteString(c, "he")
		io.WriteString(c, "llo")
		c.Close()
	}()
	c := dial(t, l)
	if b, err := io.ReadAll(c); string(b) != "hello" || err != nil {
		t.Errorf("%q %v", b, err)
	}
	c.Close()
	l.Close()
}

// A write comes before the read of it, and so does what was done before it.
func TestWriteSynchronises(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	go func() {
		x = 1
		w.Write([]byte("x"))
		w.Close()
	}()
	if _, err := r.Read(make([]byte, 1)); err != nil || x != 1 {
		t.Error(err, x)
	}
	r.Close()
}

func TestReadDoesNot(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	x := 0
	go func() {
		r.Read(make([]byte, 1))
		x = 1 // want `data race: x`
		r.Close()
	}()
	w.Write([]byte("x"))
	x++
	w.Close()
}

// Of a deadline in the past and what comes, either may be first; a deadline that has passed is.
func TestDeadlineAndData(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go w.Write([]byte("x"))
	r.SetReadDeadline(time.Unix(1, 0))
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("data after the deadline")
	}
	r.SetReadDeadline(time.Time{})
	if n, err := r.Read(make([]byte, 1)); n != 1 {
		t.Error(n, err)
	}
	r.Close()
	w.Close()
}

func TestCloseWakes(t *testing.T) { // verdict: exhausted
	l := listen(t)
	go l.Close()
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

func TestReadBesideClose(t *testing.T) { // verdict: exhausted
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("x"))
	go r.Close()
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Error(err) // want `test failure: read \|0: file already closed`
	}
	w.Close()
}

// Two servers cannot have one port, whoever comes first.
func TestOnePort(t *testing.T) { // verdict: exhausted
	l := listen(t)
	addr := l.Addr().String()
	l.Close()
	var n atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if _, err := net.Listen("tcp", addr); err == nil {
				n.Add(1)
			}
		})
	}
	wg.Wait()
	if n.Load() != 1 {
		t.Error(n.Load())
	}
}

// A signal comes to each who wants it.
func TestSignal(t *testing.T) { // verdict: exhausted
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	go syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-ctx.Done()
	stop()
}
