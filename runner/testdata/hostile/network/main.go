// Sockets of every kind.
//
// Always: what a program may reach matters most
// Want: connection refused|refused
package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	addr := os.Args[2]
	c, err := net.Dial("tcp", addr)
	fmt.Println("dial", c != nil, err)
	_, err = net.Dial("udp", addr)
	fmt.Println("udp", err)
	_, err = net.Listen("tcp", "127.0.0.1:0")
	fmt.Println("listen", err)
	_, err = net.LookupHost("example.com")
	fmt.Println("lookup", err)
	_, err = net.Listen("unix", os.Args[1]+"/socket")
	fmt.Println("unix", err)
}
