package network

import (
	"net"
	"syscall"
	"testing"
)

// This file has options of sockets (NET9): one goroutine sets them, another one asks.

func packets(t *testing.T) (c *net.UDPConn, buffer func() int) {
	p, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c = p.(*net.UDPConn)
	raw, err := c.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	return c, func() (n int) {
		raw.Control(func(fd uintptr) { n, err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF) })
		if err != nil {
			t.Error(err)
		}
		return n
	}
}

func TestOption(t *testing.T) { // verdict: exhausted
	c, buffer := packets(t)
	done := make(chan bool)
	go func() {
		c.SetReadBuffer(4096)
		close(done)
	}()
	if buffer() == 2*4096 {
		t.Error("it is set") // want `it is set`
	}
	<-done
	c.Close()
}

func TestOptionRepaired(t *testing.T) { // verdict: exhausted
	c, buffer := packets(t)
	done := make(chan bool)
	go func() {
		c.SetReadBuffer(4096)
		close(done)
	}()
	<-done
	if buffer() != 2*4096 {
		t.Error("it is not set")
	}
	c.Close()
}
