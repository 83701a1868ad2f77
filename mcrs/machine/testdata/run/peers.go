package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// Who has the other end of a socket, and what options are that nobody has set.
func main() {
	dir := must(os.MkdirTemp("", "peers"))
	defer os.RemoveAll(dir)
	for _, network := range []string{"unix", "unixpacket"} {
		l := must(net.Listen(network, filepath.Join(dir, network)))
		c := must(net.Dial(network, l.Addr().String()))
		s := must(l.Accept())
		for _, x := range []syscall.Conn{l.(syscall.Conn), c.(syscall.Conn), s.(syscall.Conn)} {
			control(x, func(fd int) { fmt.Println(network, credentials(fd)) })
		}
		c.Close()
		control(s.(syscall.Conn), func(fd int) { fmt.Println("closed", credentials(fd)) })
		s.Close()
		l.Close()
	}
	g := must(net.ListenPacket("unixgram", filepath.Join(dir, "gram")))
	control(g.(syscall.Conn), func(fd int) { fmt.Println("unixgram", credentials(fd)) })
	h := must(net.Dial("unixgram", filepath.Join(dir, "gram")))
	control(h.(syscall.Conn), func(fd int) { fmt.Println("connected", credentials(fd)) })
	for _, typ := range []int{syscall.SOCK_STREAM, syscall.SOCK_DGRAM, syscall.SOCK_SEQPACKET} {
		pair := must(syscall.Socketpair(syscall.AF_UNIX, typ, 0))
		fmt.Println("pair", typ, credentials(pair[0]), credentials(pair[1]))
		fd := must(syscall.Socket(syscall.AF_UNIX, typ, 0))
		fmt.Println("alone", typ, credentials(fd))
	}
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	c := must(net.Dial("tcp", l.Addr().String()))
	control(c.(syscall.Conn), func(fd int) { fmt.Println("tcp", credentials(fd)) })
	const tcp, ip = syscall.IPPROTO_TCP, syscall.IPPROTO_IP
	fresh := must(syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0))
	for _, o := range [][2]int{{syscall.SOL_SOCKET, syscall.SO_KEEPALIVE}, {syscall.SOL_SOCKET, syscall.SO_RCVLOWAT}, {syscall.SOL_SOCKET, syscall.SO_SNDLOWAT},
		{tcp, syscall.TCP_NODELAY}, {tcp, syscall.TCP_KEEPIDLE}, {tcp, syscall.TCP_KEEPINTVL}, {tcp, syscall.TCP_KEEPCNT},
		{ip, syscall.IP_TTL}, {ip, syscall.IP_TOS}, {ip, syscall.IP_MULTICAST_TTL}, {ip, syscall.IP_MULTICAST_LOOP}} {
		v, err := syscall.GetsockoptInt(fresh, o[0], o[1])
		fmt.Println(o, v, err)
	}
	fresh6 := must(syscall.Socket(syscall.AF_INET6, syscall.SOCK_DGRAM, 0))
	for _, o := range []int{syscall.IPV6_UNICAST_HOPS, syscall.IPV6_MULTICAST_HOPS, syscall.IPV6_MULTICAST_LOOP, syscall.IPV6_TCLASS, syscall.IPV6_V6ONLY} {
		v, err := syscall.GetsockoptInt(fresh6, syscall.IPPROTO_IPV6, o)
		fmt.Println(o, v, err)
	}
}

// credentials says whose the other end is: the program's, nobody's, or somebody else's.
func credentials(fd int) string {
	c, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	switch {
	case err != nil:
		return err.Error()
	case *c == syscall.Ucred{Pid: int32(os.Getpid()), Uid: uint32(os.Geteuid()), Gid: uint32(os.Getegid())}:
		return "own"
	case *c == syscall.Ucred{Uid: 1<<32 - 1, Gid: 1<<32 - 1}:
		return "none"
	}
	return fmt.Sprint(*c)
}

func control(c syscall.Conn, f func(fd int)) {
	raw := must(c.SyscallConn())
	if err := raw.Control(func(fd uintptr) { f(int(fd)) }); err != nil {
		panic(err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
