package main

import (
	"fmt"
	"net"
	"syscall"
)

// What control messages tell of datagrams.
func main() {
	v4 := [][2]int{{syscall.IPPROTO_IP, syscall.IP_PKTINFO}, {syscall.IPPROTO_IP, syscall.IP_RECVTTL}, {syscall.IPPROTO_IP, syscall.IP_RECVTOS}}
	v6 := [][2]int{{syscall.IPPROTO_IPV6, syscall.IPV6_RECVPKTINFO}, {syscall.IPPROTO_IPV6, syscall.IPV6_RECVHOPLIMIT}, {syscall.IPPROTO_IPV6, syscall.IPV6_RECVTCLASS}}
	for i := range 4 {
		from, to := min(i, 3), min(i+1, 3)
		ask("udp4", "127.0.0.1", v4[i%3:from])
		ask("udp4", "127.0.0.1", v4[:from])
		ask("udp4", "127.1.2.3", v4[from:to])
		ask("udp6", "::1", v6[:from])
		ask("udp6", "::1", v6[from:to])
		ask("udp", "127.0.0.1", append(v4[:from:from], v6...))
		ask("udp", "::1", append(v4[:from:from], v6...))
	}
}

func ask(network, to string, options [][2]int) {
	l := must(net.ListenUDP(network, nil))
	defer l.Close()
	must(l.SyscallConn()).Control(func(fd uintptr) {
		for _, o := range options {
			if err := syscall.SetsockoptInt(int(fd), o[0], o[1], 1); err != nil {
				fmt.Println(err)
			}
		}
	})
	c := must(net.ListenUDP(network, nil))
	defer c.Close()
	addr := &net.UDPAddr{IP: net.ParseIP(to), Port: l.LocalAddr().(*net.UDPAddr).Port}
	// A header, and IP_TOS or IPV6_TCLASS of 2.
	class := []byte{20, 0, 0, 0, 0, 0, 0, 0, syscall.IPPROTO_IP, 0, 0, 0, syscall.IP_TOS, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0}
	if addr.IP.To4() == nil {
		class[8], class[12] = syscall.IPPROTO_IPV6, syscall.IPV6_TCLASS
	}
	for i, control := range [][]byte{nil, class, class, nil, nil} {
		if i == 3 {
			must(c.SyscallConn()).Control(func(fd uintptr) {
				fmt.Println(syscall.SetsockoptInt(int(fd), int(class[8]), int(class[12]), 16))
			})
		}
		if _, _, err := c.WriteMsgUDP([]byte("text"), control, addr); err != nil {
			fmt.Println(network, to, err)
			return
		}
		p, q := make([]byte, 3+i), make([]byte, []int{128, 64 + len(options), 24, 128, 128}[i])
		n, told, flags, from, err := l.ReadMsgUDP(p, q)
		fmt.Println(network, to, len(options), n, q[:told], flags, from.IP, err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
