package prelude

// This file has what clients and servers share: ends of connections, and numbers for what they return.

// SocketsHead is the beginning of a file of such programs.
const SocketsHead = `package programs

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

var (
	_ = context.Background
	_ = runtime.Gosched
	_ sync.Mutex
	_ atomic.Int32
)

var past = time.Unix(1, 0)

// failed tells errors apart.
func failed(err error) int {
	switch {
	case err == nil:
		return 0
	case err == io.EOF:
		return 1
	case err == io.ErrUnexpectedEOF:
		return 2
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 3
	case errors.Is(err, net.ErrClosed), errors.Is(err, os.ErrClosed), err == io.ErrClosedPipe:
		return 4
	case errors.Is(err, syscall.ECONNRESET):
		return 5
	case errors.Is(err, syscall.EPIPE):
		return 6
	case errors.Is(err, syscall.ECONNREFUSED):
		return 7
	case errors.Is(err, syscall.ENOTCONN):
		return 8
	}
	return 9
}

func wrote(n int, err error) int { return n*10 + failed(err) }

func moved(n int64, err error) int { return wrote(int(n), err) }

func got(b []byte, n int, err error) int {
	if n == 0 {
		return failed(err)
	}
	return n*100 + int(b[0]-'a')*10 + failed(err)
}

func read(r io.Reader, n int) int {
	b := make([]byte, n)
	n, err := r.Read(b)
	return got(b, n, err)
}

func readFull(r io.Reader) int {
	b := make([]byte, 2)
	n, err := io.ReadFull(r, b)
	return got(b, n, err)
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func listen() *net.TCPListener {
	return must(net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}))
}

func dial(l *net.TCPListener) *net.TCPConn {
	c, err := net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr))
	if err != nil {
		return nil
	}
	return c
}

func accept(l *net.TCPListener) *net.TCPConn {
	c, err := l.AcceptTCP()
	if err != nil {
		return nil
	}
	return c
}

func serve(l *net.TCPListener) {
	if k := accept(l); k != nil {
		b := make([]byte, 2)
		n, _ := k.Read(b)
		k.Write(b[:n])
		k.Close()
	}
}

func tcp() (a, b *net.TCPConn) {
	l := listen()
	defer l.Close()
	a = must(net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)))
	return a, must(l.AcceptTCP())
}

// second is another descriptor of a connection.
func second(c *net.TCPConn) net.Conn {
	f := must(c.File())
	defer f.Close()
	return must(net.FileConn(f))
}

func unix() (a, b *net.UnixConn) {
	l := must(net.ListenUnix("unix", &net.UnixAddr{Net: "unix"}))
	defer l.Close()
	a = must(net.DialUnix("unix", nil, l.Addr().(*net.UnixAddr)))
	return a, must(l.AcceptUnix())
}

// udp returns two sockets that send to each other.
func udp() (a, b *net.UDPConn) {
	local := net.IPv4(127, 0, 0, 1)
	b = must(net.ListenUDP("udp", &net.UDPAddr{IP: local}))
	a = must(net.DialUDP("udp", &net.UDPAddr{IP: local}, b.LocalAddr().(*net.UDPAddr)))
	at := b.LocalAddr().(*net.UDPAddr)
	b.Close()
	return a, must(net.DialUDP("udp", at, a.LocalAddr().(*net.UDPAddr)))
}

`
