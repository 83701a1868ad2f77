package main

import (
	"fmt"
	"net"
	"time"
)

// Which sockets of IPv4 and IPv6 do datagrams go between?
func main() {
	networks := []string{"udp", "udp4", "udp6"}
	for _, to := range []string{"", "127.0.0.1", "::1", "0.0.0.0", "::"} {
		for _, network := range networks {
			for _, from := range networks {
				fmt.Println(network, from, to, exchange(network, from, to))
			}
		}
	}
}

func exchange(network, from, to string) (out string) {
	l := must(net.ListenPacket(network, ":0"))
	defer l.Close()
	port := l.LocalAddr().(*net.UDPAddr).Port
	got := func() string {
		b := make([]byte, 8)
		l.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		n, a, err := l.ReadFrom(b)
		if err != nil {
			return "nothing"
		}
		return fmt.Sprint(string(b[:n]), " from ", a.(*net.UDPAddr).IP)
	}
	if c, err := net.Dial(from, net.JoinHostPort(to, fmt.Sprint(port))); err == nil {
		fmt.Fprint(c, "dialled")
		out = fmt.Sprint(c.LocalAddr().(*net.UDPAddr).IP, " ", c.RemoteAddr().(*net.UDPAddr).IP, " ", got(), ", ")
		c.Close()
	}
	c := must(net.ListenPacket(from, ":0"))
	defer c.Close()
	n, err := c.WriteTo([]byte("sent"), &net.UDPAddr{IP: net.ParseIP(to), Port: port})
	return fmt.Sprint(out, n, " ", err == nil, " ", got())
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
