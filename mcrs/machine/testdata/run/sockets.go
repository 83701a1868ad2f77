package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/rpc"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// The loopback network, as package net and what stands on it see it.
func main() {
	tcp()
	ends()
	deadlines()
	udp()
	unix()
	many()
	addresses()
	raw()
	web()
	calls()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pair is a connection, both ends.
func pair() (a, b *net.TCPConn) {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	defer l.Close()
	a = must(net.Dial("tcp", l.Addr().String())).(*net.TCPConn) // before it is accepted
	b = must(l.Accept()).(*net.TCPConn)
	fmt.Println(a.LocalAddr().String() == b.RemoteAddr().String(), b.LocalAddr().String() == l.Addr().String())
	return a, b
}

func tcp() {
	a, b := pair()
	a.Write([]byte("hello "))
	io.WriteString(a, "world")
	fmt.Println(a.CloseWrite())
	fmt.Printf("%s\n", must(io.ReadAll(b)))
	b.Write([]byte("back"))
	p := make([]byte, 3)
	fmt.Println(must(a.Read(p)), string(p)) // the rest stays
	b.Close()
	fmt.Printf("%s\n", must(io.ReadAll(a)))
	_, err := a.Write(p)
	fmt.Println(errors.Is(err, syscall.EPIPE), a.Close(), errors.Is(a.Close(), net.ErrClosed))
	_, err = a.Read(p)
	fmt.Println(errors.Is(err, net.ErrClosed))
	n, err := a.Read(nil)
	fmt.Println(n, errors.Is(err, net.ErrClosed))
	file := must(os.CreateTemp("", ""))
	defer os.Remove(file.Name())
	fmt.Fprint(file, strings.Repeat("0123456789", 50_000))
	file.Seek(0, 0)
	a, b = pair()
	go func() {
		io.Copy(a, file)
		a.Close()
	}()
	fmt.Println(must(io.Copy(io.Discard, b)))
	b.Close()
}

// ends shows what each end sees of how the other one ends.
func ends() {
	a, b := pair()
	a.Write([]byte("unread"))
	time.Sleep(time.Millisecond)
	b.Close() // with something unread: a reset
	time.Sleep(time.Millisecond)
	_, err := a.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	_, err = a.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
	a.Close()
	a, b = pair()
	b.Close()
	time.Sleep(time.Millisecond)
	n, err := a.Write([]byte("x")) // answered by a reset
	fmt.Println(n, err)
	time.Sleep(time.Millisecond)
	_, err = a.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
	a.Close()
	a, b = pair()
	b.SetLinger(0)
	b.Close()
	time.Sleep(time.Millisecond)
	_, err = a.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, syscall.ECONNRESET))
	a.Close()
	a, b = pair()
	go func() { time.Sleep(time.Millisecond); a.Close() }()
	_, err = a.Read(make([]byte, 1))
	fmt.Println(errors.Is(err, net.ErrClosed))
	_, err = b.Read(make([]byte, 1))
	fmt.Println(err)
	fmt.Println(b.CloseRead(), b.CloseWrite())
	_, err = b.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))
	b.Close()
}

func deadlines() {
	a, b := pair()
	late := func(err error) bool { return errors.Is(err, os.ErrDeadlineExceeded) }
	a.SetReadDeadline(time.Now().Add(time.Millisecond))
	_, err := a.Read(make([]byte, 1))
	fmt.Println(late(err))
	b.Write([]byte("x"))
	_, err = a.Read(make([]byte, 1)) // it has passed, though there is something
	fmt.Println(late(err))
	a.SetReadDeadline(time.Time{})
	fmt.Println(a.Read(make([]byte, 1)))
	go func() { time.Sleep(time.Millisecond); a.SetReadDeadline(time.Unix(1, 0)) }()
	_, err = a.Read(make([]byte, 1))
	fmt.Println(late(err))
	a.SetReadDeadline(time.Now().Add(time.Hour))
	go func() { time.Sleep(time.Millisecond); a.SetReadDeadline(time.Now().Add(time.Millisecond)) }()
	_, err = a.Read(make([]byte, 1))
	fmt.Println(late(err))
	a.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
	n := 0
	for err = nil; err == nil; {
		var k int
		k, err = a.Write(make([]byte, 1<<16))
		n += k
	}
	fmt.Println(late(err), n > 0)
	m, err := io.CopyN(io.Discard, b, int64(n))
	fmt.Println(int(m) == n, err)
	l := must(net.Listen("tcp", "127.0.0.1:0")).(*net.TCPListener)
	l.SetDeadline(time.Now().Add(time.Millisecond))
	_, err = l.Accept()
	fmt.Println(late(err))
	l.SetDeadline(time.Time{})
	go func() { time.Sleep(time.Millisecond); l.Close() }()
	_, err = l.Accept()
	fmt.Println(errors.Is(err, net.ErrClosed))
	a.Close()
	b.Close()
}

func udp() {
	s := must(net.ListenPacket("udp", "127.0.0.1:0"))
	c := must(net.Dial("udp", s.LocalAddr().String()))
	c.Write([]byte("ping"))
	c.Write([]byte("a second datagram"))
	p := make([]byte, 8)
	n, from, err := s.ReadFrom(p)
	fmt.Println(string(p[:n]), from.String() == c.LocalAddr().String(), err)
	n, _, err = s.ReadFrom(p) // cut off
	fmt.Println(string(p[:n]), err)
	s.WriteTo([]byte("pong"), from)
	fmt.Println(must(c.Read(p)), string(p[:4]))
	_, err = s.WriteTo(make([]byte, 70_000), from)
	fmt.Println(errors.Is(err, syscall.EMSGSIZE))
	s.Close()
	c.Write([]byte("nobody"))
	_, err = c.Read(p)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	c.Close()
}

func unix() {
	dir := must(os.MkdirTemp("", ""))
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	_, err := net.Dial("unix", path)
	fmt.Println(errors.Is(err, os.ErrNotExist))
	l := must(net.Listen("unix", path))
	fmt.Println(must(os.Stat(path)).Mode().Type() == os.ModeSocket)
	_, err = net.Listen("unix", path)
	fmt.Println(errors.Is(err, syscall.EADDRINUSE))
	_, err = os.Open(path)
	fmt.Println(errors.Is(err, syscall.ENXIO))
	go func() {
		c := must(l.Accept())
		io.Copy(c, c)
		c.Close()
	}()
	c := must(net.Dial("unix", path)).(*net.UnixConn)
	fmt.Println(c.LocalAddr(), c.RemoteAddr().String() == path)
	c.Write([]byte("abc"))
	c.CloseWrite()
	fmt.Printf("%s\n", must(io.ReadAll(c)))
	l.Close()
	_, err = os.Stat(path)
	fmt.Println(errors.Is(err, os.ErrNotExist))

	g := must(net.ListenPacket("unixgram", path))
	for _, network := range []string{"unix", "unixpacket"} { // the file is of a socket of another type
		_, err = net.Dial(network, path)
		fmt.Println(network, errors.Is(err, syscall.EPROTOTYPE))
	}
	listens := must(net.Listen("unix", path+"s"))
	for _, network := range []string{"unixgram", "unixpacket"} {
		_, err = net.Dial(network, path+"s")
		fmt.Println(network, errors.Is(err, syscall.EPROTOTYPE))
	}
	_, err = g.WriteTo([]byte("gram"), &net.UnixAddr{Name: path + "s", Net: "unixgram"})
	fmt.Println(err != nil, errors.Is(err, syscall.EPROTOTYPE))
	listens.Close()
	d := must(net.Dial("unixgram", path))
	d.Write([]byte("gram"))
	p := make([]byte, 10)
	n, _, err := g.ReadFrom(p)
	fmt.Println(string(p[:n]), err)
	g.Close()
	_, err = d.Write([]byte("gram"))
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	fds := must(syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0))
	syscall.Write(fds[0], []byte("pair"))
	n = must(syscall.Read(fds[1], p))
	fmt.Println(string(p[:n]))
	syscall.Close(fds[0])
	n = must(syscall.Read(fds[1], p))
	fmt.Println(n, syscall.Close(fds[1]))
}

// A message is the kernel's mmsghdr.
type message struct {
	hdr syscall.Msghdr
	len uint32
}

// many gives several datagrams to the kernel at once, and takes them.
func many() {
	var fds [2]int
	var addrs [2]syscall.Sockaddr
	for i := range fds {
		fds[i] = must(syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_NONBLOCK, 0))
		fmt.Println(syscall.Bind(fds[i], &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
		addrs[i] = must(syscall.Getsockname(fds[i]))
	}
	fmt.Println(syscall.Connect(fds[0], addrs[1]), syscall.Connect(fds[1], addrs[0]))
	const sends, receives = 307, 299
	do := func(call uintptr, fd, flags int, texts ...string) {
		ms := make([]message, len(texts))
		bufs, vs := make([][]byte, len(texts)), make([]syscall.Iovec, len(texts))
		for i, text := range texts {
			bufs[i] = []byte(text)
			vs[i] = syscall.Iovec{Base: &bufs[i][0], Len: uint64(len(text))}
			ms[i].hdr.Iov, ms[i].hdr.Iovlen = &vs[i], 1
		}
		n, _, err := syscall.Syscall6(call, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(ms))), uintptr(len(ms)), uintptr(flags), 0, 0)
		fmt.Print(int(n), " ", err)
		for i := range ms {
			fmt.Printf(" %d %q %d", ms[i].len, bufs[i][:min(int(ms[i].len), len(bufs[i]))], ms[i].hdr.Flags)
		}
		fmt.Println()
	}
	do(receives, fds[1], 0, "----")
	do(sends, fds[0], 0, "a", "bcdefg", "hi")
	do(receives, fds[1], 0, "----", "----", "----", "----", "----")
	do(sends, fds[0], 0, "a", "b", "c")
	do(receives, fds[1], 0x10000, "----", "----")
	do(receives, fds[1], 0, "----", "----")
	do(receives, fds[1], 0)
	do(sends, fds[0], 0, "last")
	fmt.Println(syscall.Close(fds[0]))
	do(sends, fds[1], 0, "lost")
	do(receives, fds[1], 0, "----", "----")
	do(sends, fds[1], 0, "lost", "lost")
	fmt.Println(syscall.Close(fds[1]))
	do(sends, fds[1], 0, "lost")
}

func addresses() {
	l := must(net.Listen("tcp", "127.0.0.1:0"))
	_, port, _ := net.SplitHostPort(l.Addr().String())
	for _, host := range []string{"127.0.0.1", "", "0.0.0.0", "[::]"} {
		_, err := net.Listen("tcp", host+":"+port)
		fmt.Println(host, errors.Is(err, syscall.EADDRINUSE))
	}
	other, err := net.Listen("tcp", "127.0.0.2:"+port)
	fmt.Println(err)
	_, err = net.Dial("tcp", "127.0.0.3:"+port)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))
	other.Close()
	l.Close()
	l = must(net.Listen("tcp", "127.0.0.1:"+port)) // at once
	l.Close()
	all := must(net.Listen("tcp", ":"+port))
	go func() {
		for {
			c, err := all.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(c, c.RemoteAddr().(*net.TCPAddr).IP, c.LocalAddr().(*net.TCPAddr).IP)
			c.Close()
		}
	}()
	for _, host := range []string{"127.0.0.1", "[::1]", "127.1.2.3", ""} {
		c, err := net.Dial("tcp", host+":"+port)
		fmt.Println(host, err, string(must(io.ReadAll(c))))
		c.Close()
	}
	all.Close()
	fmt.Println(net.LookupPort("tcp", "http"))
}

func raw() {
	a, b := pair()
	f := must(a.File())
	g := must(net.FileConn(f))
	f.Close()
	a.Close() // g is another descriptor of the connection
	g.Write([]byte("q"))
	p := make([]byte, 4)
	var n int
	var err error
	conn := must(b.SyscallConn())
	fmt.Println(conn.Read(func(fd uintptr) bool {
		n, err = syscall.Read(int(fd), p)
		return err != syscall.EAGAIN
	}), n, err)
	tries := 0
	go func() { time.Sleep(time.Millisecond); g.Write([]byte("later")) }()
	fmt.Println(conn.Read(func(fd uintptr) bool {
		tries++
		n, err = syscall.Read(int(fd), p)
		return err != syscall.EAGAIN
	}), n, err, tries)
	fmt.Println(conn.Control(func(fd uintptr) {
		fmt.Println(syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_TYPE))
		fmt.Println(syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR))
	}))
	fmt.Println(b.SetNoDelay(true), b.SetKeepAlive(true), b.SetReadBuffer(4096), b.SetWriteBuffer(4096))
	g.Close()
	b.Close()
}

func web() {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %d", r.Proto, r.Method, r.URL.Path, len(body))
	})
	plain := httptest.NewServer(handler)
	for range 2 {
		get(plain.Client(), plain.URL+"/a")
	}
	r := must(http.Post(plain.URL+"/b", "text/plain", strings.NewReader(strings.Repeat("x", 100_000))))
	fmt.Printf("%s\n", must(io.ReadAll(r.Body)))
	r.Body.Close()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() { must(http.Get(plain.URL)).Body.Close() })
	}
	wg.Wait()
	plain.Close()
	_, err := http.Get(plain.URL)
	fmt.Println(errors.Is(err, syscall.ECONNREFUSED))

	two := httptest.NewUnstartedServer(handler)
	two.EnableHTTP2 = true
	two.StartTLS()
	get(two.Client(), two.URL+"/c")
	two.Close()

	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}))
	c := &http.Client{Timeout: 20 * time.Millisecond}
	_, err = c.Get(slow.URL)
	fmt.Println(os.IsTimeout(err))
	slow.Close()
}

func get(c *http.Client, url string) {
	r := must(c.Get(url))
	fmt.Printf("%s\n", must(io.ReadAll(r.Body)))
	r.Body.Close()
}

type Sum struct{}

func (Sum) Of(xs []int, sum *int) error {
	for _, x := range xs {
		*sum += x
	}
	return nil
}

func calls() {
	s := rpc.NewServer()
	s.Register(Sum{})
	l := must(net.Listen("tcp", "localhost:0"))
	go func() { s.ServeConn(must(l.Accept())) }()
	c := must(rpc.Dial("tcp", l.Addr().String()))
	sum := 0
	fmt.Println(c.Call("Sum.Of", []int{1, 2, 3}, &sum), sum)
	fmt.Println(c.Call("Sum.Off", []int{1, 2, 3}, &sum))
	c.Close()
	l.Close()
}
