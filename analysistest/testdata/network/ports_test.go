package network

import (
	"net"
	"testing"
)

// This file has servers that nobody stops (LEAK7): whoever knows the number of a port can connect to it.

// accepts serves at an address until the listener is closed.
func accepts(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		c.Close()
	}
}

func listenAt(t *testing.T, addr string) net.Listener {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestPortKnown(t *testing.T) { go accepts(listenAt(t, "127.0.0.1:6060")) }

func TestPortKnownOnAll(t *testing.T) { go accepts(listenAt(t, ":6061")) }

// The listener goes on where a client was served.
func TestPortServed(t *testing.T) {
	go accepts(listenAt(t, "127.0.0.1:6062"))
	c, err := net.Dial("tcp", "127.0.0.1:6062")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

// What the server reaches is in use.
func TestPortReaches(t *testing.T) {
	l, served := listenAt(t, "127.0.0.1:6063"), make(chan bool)
	go func() {
		accepts(l)
		close(served)
	}()
	go func() { <-served }()
}

// A number that the kernel has chosen nobody knows.
func TestPortOfTheKernel(t *testing.T) {
	l := listenAt(t, "127.0.0.1:0")
	go func() {
		for {
			if _, err := l.Accept(); err != nil { // want `goroutine leak: G1\.1 blocked here in IO wait, started at \S+\n.*\n\tin TestPortOfTheKernel$`
				return
			}
		}
	}()
}

// Who waits for a client that it has accepted waits for that one.
func TestPortOfAClient(t *testing.T) {
	l := listenAt(t, "127.0.0.1:6064")
	done := make(chan bool)
	go func() {
		c, err := l.Accept()
		done <- true
		if err == nil {
			c.Read(make([]byte, 1)) // want `goroutine leak: G1\.1 blocked here in IO wait, started at \S+\n.*\n\tin TestPortOfAClient$`
		}
	}()
	c, err := net.Dial("tcp", "127.0.0.1:6064")
	if err != nil {
		t.Fatal(err)
	}
	<-done
	_ = c
}
