// What may share a port, and what may not (NET15).
package main

import (
	"fmt"
	"net"
	"strings"
	"syscall"
)

const (
	reusePort = 15 // SO_REUSEPORT
	neither   = syscall.SO_KEEPALIVE
)

func main() {
	for _, typ := range []int{syscall.SOCK_STREAM, syscall.SOCK_DGRAM} {
		for _, listens := range []bool{false, true} {
			if listens && typ == syscall.SOCK_DGRAM {
				continue
			}
			for _, a := range []int{neither, syscall.SO_REUSEADDR, reusePort} {
				for _, b := range []int{neither, syscall.SO_REUSEADDR, reusePort} {
					first, at, err := socket(typ, a, nil)
					if err != nil {
						fmt.Println(err)
						return
					}
					if listens {
						syscall.Listen(first, 1)
					}
					second, _, err := socket(typ, b, at)
					fmt.Println(typ, listens, a, b, err)
					if listens && err == nil {
						fmt.Println("listens", syscall.Listen(second, 1))
					}
					syscall.Close(first)
					if err == nil {
						syscall.Close(second)
					}
				}
			}
		}
	}
	apart()
	many()
}

// socket makes a socket with an option that is bound, to the same address as another one if there is one.
func socket(typ, option int, at syscall.Sockaddr) (fd int, addr syscall.Sockaddr, err error) {
	if fd, err = syscall.Socket(syscall.AF_INET, typ, 0); err != nil {
		return 0, nil, err
	}
	if err = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, option, 1); err != nil {
		return 0, nil, err
	}
	if at == nil {
		at = &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}
	}
	if err = syscall.Bind(fd, at); err != nil {
		syscall.Close(fd)
		return 0, nil, err
	}
	addr, err = syscall.Getsockname(fd)
	return fd, addr, err
}

// apart has two servers at ports whose numbers are no characters of Unicode.
func apart() {
	var all []net.Listener
	for port := 55300; len(all) < 2; port += 500 {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			all = append(all, l)
		}
	}
	for i, l := range all {
		go func() {
			c, err := l.Accept()
			if err == nil {
				fmt.Fprint(c, i)
				c.Close()
			}
		}()
	}
	for _, l := range all {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			fmt.Println(err)
			continue
		}
		var text strings.Builder
		b := make([]byte, 1)
		for n := 1; n > 0; {
			n, _ = c.Read(b)
			text.Write(b[:n])
		}
		fmt.Println("server", text.String())
		c.Close()
	}
}

// many has more clients wait to be accepted than SOMAXCONN says.
func many() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	from := map[string]bool{}
	for range 200 {
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			fmt.Println(err)
			return
		}
		defer c.Close()
		from[c.LocalAddr().String()] = true
	}
	fmt.Println(len(from), "clients wait")
}
