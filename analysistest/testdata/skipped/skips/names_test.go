package skips

import (
	"net"
	"os"
	"strings"
	"testing"
)

// Names that the computer knows by itself are no questions to a name server.

func TestLocalhostListens(t *testing.T) { // verdict: exhausted
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	work()
}

func TestLocalhostLookedUp(t *testing.T) { // verdict: exhausted
	for _, look := range []func() error{
		func() error { _, err := net.LookupHost("localhost"); return err },
		func() error { _, err := net.LookupIP("localhost"); return err },
		func() error { _, err := net.LookupAddr("127.0.0.1"); return err },
		func() error { _, err := net.ResolveTCPAddr("tcp", "localhost:80"); return err },
	} {
		if err := look(); err != nil {
			t.Fatal(err)
		}
	}
	work()
}

// The computer has a name of its own, at which it can be reached.

func TestLocalhostIsNotItsName(t *testing.T) { // verdict: exhausted
	name, err := os.Hostname()
	if err != nil || name == "localhost" {
		t.Fatal(name, err)
	}
	addrs, err := net.LookupHost(name)
	if err != nil || len(addrs) != 1 {
		t.Fatal(addrs, err)
	}
	if names, err := net.LookupAddr(addrs[0]); err != nil || names[0] != name {
		t.Fatal(names, err)
	}
	for _, at := range []string{name + ":0", ":0"} {
		l, err := net.Listen("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		_, port, err := net.SplitHostPort(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		c, err := net.Dial("tcp", net.JoinHostPort(name, port))
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		l.Close()
	}
	work()
}

func TestServiceKnown(t *testing.T) { // verdict: exhausted
	if p, err := net.LookupPort("tcp", "http"); p != 80 || err != nil {
		t.Fatal(p, err)
	}
	work()
}

func TestServiceUnknown(t *testing.T) { // verdict: refused `\(/etc/services\)`
	if _, err := net.LookupPort("tcp", "nosuchservice"); err != nil {
		t.Fatal(err)
	}
	work()
}

func TestNameServerDialled(t *testing.T) { // verdict: exhausted
	c, err := net.Dial("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	work()
}

func TestNameServerAsked(t *testing.T) { // verdict: refused `the network`
	c, err := net.Dial("udp", "127.0.0.1:53")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Write([]byte("?"))
	work()
}

func TestNameServerAskedByTCP(t *testing.T) { // verdict: refused `the network`
	if c, err := net.Dial("tcp", "127.0.0.1:53"); err == nil {
		c.Close()
	}
	work()
}

func TestNameServerNamed(t *testing.T) { // verdict: exhausted
	if b, err := os.ReadFile("/etc/resolv.conf"); err != nil || !strings.Contains(string(b), "nameserver") {
		t.Fatal(string(b), err)
	}
	work()
}

// There is one interface, of the computer itself. Natively there may be more.

func TestLocalhostInterfaces(t *testing.T) { // verdict: exhausted
	list, err := net.Interfaces()
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	if addrs, err := list[0].Addrs(); err != nil || len(addrs) == 0 {
		t.Fatal(addrs, err)
	}
	work()
}

func TestRefusedOtherInterfaces(t *testing.T) { // verdict: refused `^refused: the network, asked for by skipped/skips.TestRefusedOtherInterfaces \(at names_test.go:\d+\); then the entry failed`
	work()
	list, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range list {
		if i.Flags&net.FlagLoopback == 0 {
			return
		}
	}
	t.Error("no interface but the loopback one")
}
