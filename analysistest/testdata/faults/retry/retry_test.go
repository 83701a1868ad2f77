// Package retry asks a server again when a connection breaks, with -faults=reset.
package retry

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"testing"
)

// A counter is a server that adds one for each line, and answers with the sum. It knows the lines that it has served if it
// remembers.
type counter struct {
	l         net.Listener
	remembers bool
	seen      map[string]bool
	sum       int
	wg        sync.WaitGroup
}

func start(t *testing.T, s *counter) *counter {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.l, s.seen = l, map[string]bool{}
	s.wg.Go(s.serve)
	return s
}

// serve serves one connection after the other.
func (s *counter) serve() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		if line, err := bufio.NewReader(c).ReadString('\n'); err == nil {
			if !s.remembers || !s.seen[line] {
				s.sum++
			}
			s.seen[line] = true
			fmt.Fprintln(c, s.sum)
		}
		c.Close()
	}
}

func (s *counter) stop() int {
	s.l.Close()
	s.wg.Wait()
	return s.sum
}

// add asks for one more.
func add(s *counter, id string) error {
	c, err := net.Dial("tcp", s.l.Addr().String())
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := fmt.Fprintln(c, id); err != nil {
		return err
	}
	_, err = bufio.NewReader(c).ReadString('\n')
	return err
}

func retry(s *counter, times int) {
	for range times {
		if add(s, "a") == nil {
			return
		}
	}
}

func TestRetry(t *testing.T) { // verdict: exhausted
	s := start(t, &counter{})
	retry(s, 2)
	if sum := s.stop(); sum != 1 {
		t.Error("counted", sum) // want `test failure: counted 2`
	}
}

func TestRetryRepaired(t *testing.T) { // verdict: exhausted
	s := start(t, &counter{remembers: true})
	retry(s, 2)
	if sum := s.stop(); sum != 1 {
		t.Error("counted", sum)
	}
}

// TestOnce does without a second fault only.
func TestOnce(t *testing.T) { // verdict: exhausted
	s := start(t, &counter{remembers: true})
	retry(s, 1)
	if sum := s.stop(); sum != 1 {
		t.Error("counted", sum) // want `test failure: counted 0`
	}
}
