package progen

import (
	"fmt"
	"go/format"
	"math/rand/v2"
	"strings"
)

// This file draws clients and servers: programs over net.Pipe, os.Pipe, TCP, UDP and unix sockets.

// A link is a way between goroutines: the names of its two ends, and what they can do.
type link struct {
	a, b object
	// oneWay: a reads, and b writes.
	oneWay bool
	// half: an end can end its own direction alone. linger: it can reset the connection as it is closed.
	half, linger bool
}

var links = []link{
	{a: "na", b: "nb"},
	{a: "pr", b: "pw", oneWay: true},
	{a: "ta", b: "tb", half: true, linger: true},
	{a: "ua", b: "ub", half: true},
	{a: "da", b: "db"},
	{a: "ln"}, // a listener, and connections that goroutines make
}

// GenerateSockets is Generate for a program over one or two links.
func GenerateSockets(seed uint64, size int) *Program {
	p := &Program{Seed: seed, Size: size, Sockets: true}
	g := newGenerator(rand.New(rand.NewPCG(seed, 7<<40|uint64(size))))
	g.themes = []theme{themeSockets, themeSockets, themeSockets}
	g.links = []link{links[g.r.IntN(len(links))]}
	switch g.r.IntN(6) {
	case 0:
		g.links = append(g.links, links[g.r.IntN(len(links))])
	case 1, 2:
		g.themes = append(g.themes, pick(g, themeMemory, themeMemory, themeChans, themeLocks, themeSelects, themeGroups,
			themeContext))
	case 3:
		g.late = true
	}
	g.chans = []object{pick(g, object("c"), "d", "e")}
	p.Body = g.starter(size)
	p.Notes = notesOf(p)
	return p
}

// sockets draws an operation on an end of a link. Mostly a goroutine has one end, and the next one the other.
func (g *generator) sockets() *Stmt {
	k := pick(g, g.links...)
	if k.b == "" {
		return g.listener(k.a)
	}
	o := k.a
	if (g.next%2 == 0) != g.one(5) {
		o = k.b
	}
	reads, writes := !k.oneWay || o == k.a, !k.oneWay || o == k.b
	op := func(format string, needs ...object) *Stmt {
		return stmt(fmt.Sprintf("v = "+format+"\nl.r(v)", o), append(needs, o)...)
	}
	switch n := g.r.IntN(24); {
	case n < 5 && reads:
		return op(fmt.Sprintf("read(%%s, %d)", g.k()))
	case n == 5 && reads:
		return op("readFull(%s)")
	case n < 13 && writes:
		return op(fmt.Sprintf("wrote(%%s.Write([]byte(%q)))", pick(g, "a", "bc", "d")))
	case n < 15 && k.half:
		return op("failed(%s.CloseWrite())")
	case n == 15 && k.half:
		return op("failed(%s.CloseRead())")
	case n == 16 && k.linger:
		return op("failed(%s.SetLinger(0))")
	case n == 17 && k.oneWay:
		return op("failed(%s.SetDeadline(past))")
	case n == 18:
		return op(pick(g, "failed(%s.SetDeadline(past))", "failed(%s.SetReadDeadline(past))", "failed(%s.SetWriteDeadline(past))"))
	case n == 19:
		return op(pick(g, "failed(%s.SetDeadline(time.Time{}))", "failed(%s.SetReadDeadline(time.Time{}))"))
	case n == 20 && g.late:
		return op("failed(%s.SetReadDeadline(time.Now().Add(time.Millisecond)))", "time")
	case n == 21 && g.late:
		return op("failed(%s.SetDeadline(time.Now().Add(2 * time.Millisecond)))", "time")
	case n < 20 && !writes:
		return op("read(%s, 1)")
	case n < 20:
		return op("wrote(%s.Write([]byte(\"e\")))")
	}
	return op("failed(%s.Close())")
}

// listener draws a client that connects, or a server that accepts, with what it does on its connection, or what happens
// to the listener.
func (g *generator) listener(o object) *Stmt {
	on := func() string {
		var ops []string
		for range g.r.IntN(3) {
			ops = append(ops, pick(g, "l.r(read(k, 1))", "l.r(read(k, 2))", "l.r(wrote(k.Write([]byte(\"a\"))))", "l.r(wrote(k.Write([]byte(\"bc\"))))", "l.r(failed(k.Close()))", "l.r(failed(k.CloseWrite()))"))
			g.left--
		}
		return strings.Join(ops, "\n")
	}
	end := ""
	if g.one(2) {
		end = "\nk.Close()"
	}
	switch g.r.IntN(12) {
	case 0, 1, 2, 3:
		return stmt(fmt.Sprintf("if k := dial(%s); k != nil {\n%s%s\n} else {\nl.r(9)\n}", o, on(), end), o)
	case 4, 5, 6, 7:
		return stmt(fmt.Sprintf("if k := accept(%s); k != nil {\n%s%s\n} else {\nl.r(8)\n}", o, on(), end), o)
	case 8:
		return stmt(fmt.Sprintf("v = failed(%s.SetDeadline(past))\nl.r(v)", o), o)
	case 9:
		return stmt(fmt.Sprintf("go serve(%s)", o), o)
	}
	return stmt(fmt.Sprintf("v = failed(%s.Close())\nl.r(v)", o), o)
}

// socketsHead is the beginning of a file of such programs.
const socketsHead = `package programs

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

// socketsFile writes programs of GenerateSockets as the functions P0, P1 … of one file.
func socketsFile(ps []*Program) ([]byte, error) {
	var b strings.Builder
	b.WriteString(socketsHead)
	for i, p := range ps {
		fmt.Fprintf(&b, "// %s: seed %d, size %d.\n%s\n", Name(i), p.Seed, p.Size, p.Func(Name(i)))
	}
	return format.Source([]byte(b.String()))
}
