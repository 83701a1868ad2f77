package network

import (
	"net"
	"sync"
	"testing"
)

// This file has servers that nobody stops (LEAK7): whoever knows the number of a port can connect to it. And it has
// ports that the kernel chooses (NET15).

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

// two has the 58th and the 166th of the goroutines that it starts call f. They begin to look for a port at one number.
func two(f func()) (wait func()) {
	var wg sync.WaitGroup
	for i := 1; i <= 166; i++ {
		if i != 58 && i != 166 {
			wg.Go(func() {})
		} else {
			wg.Go(f)
		}
	}
	return wg.Wait
}

// The kernel chooses a port that nobody has, also where both could share it, for neither listens yet.
func TestAddressChosen(t *testing.T) {
	var l [2]chan net.Listener
	for i := range l {
		l[i] = make(chan net.Listener, 1)
	}
	var mu sync.Mutex
	n := 0
	wait := two(func() {
		x := listenAt(t, "127.0.0.1:0")
		mu.Lock()
		l[n] <- x
		n++
		mu.Unlock()
	})
	a, b := <-l[0], <-l[1]
	if a.Addr().String() == b.Addr().String() {
		t.Errorf("twice %v", a.Addr())
	}
	wait()
	a.Close()
	b.Close()
}

// Two clients have two addresses.
func TestAddressOfClients(t *testing.T) {
	l := listenAt(t, "127.0.0.1:0")
	defer l.Close()
	wait := two(func() {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		c.Read(make([]byte, 1))
		c.Close()
	})
	var from [2]net.Conn
	for i := range from {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
			return
		}
		from[i] = c
	}
	if from[0].RemoteAddr().String() == from[1].RemoteAddr().String() {
		t.Errorf("twice %v", from[0].RemoteAddr())
	}
	from[0].Close()
	from[1].Close()
	wait()
}

// Numbers that are no characters of Unicode are different ports, too.
func TestAddressApart(t *testing.T) {
	a, b := listenAt(t, "127.0.0.1:55300"), listenAt(t, "127.0.0.1:57000")
	defer a.Close()
	go func() {
		c, err := net.Dial("tcp", "127.0.0.1:57000")
		if err != nil {
			t.Error(err)
		} else {
			c.Close()
		}
	}()
	c, err := b.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c.Read(make([]byte, 1))
	c.Close()
	b.Close()
	if _, err := net.Dial("tcp", "127.0.0.1:57000"); err == nil {
		t.Error("somebody is there")
	}
}
