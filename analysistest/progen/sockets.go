package progen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file draws clients and servers: programs over net.Pipe, io.Pipe, os.Pipe, TCP, UDP and unix sockets.

// A link is a way between goroutines: the names of its two ends, and what they can do.
type link struct {
	a, b object
	// oneWay: a reads, and b writes. half: an end can end its own direction alone. linger: its Close can reset.
	// timeless: there are no deadlines.
	oneWay, half, linger, timeless bool
	second                         object // another descriptor of b
}

var links = []link{
	{a: "na", b: "nb"},
	{a: "pr", b: "pw", oneWay: true},
	{a: "ta", b: "tb", half: true, linger: true},
	{a: "ta", b: "tb", half: true, linger: true, second: "tf"},
	{a: "ir", b: "iw", oneWay: true, timeless: true},
	{a: "ua", b: "ub", half: true},
	{a: "da", b: "db"},
	{a: "ln"}, // a listener, and connections that goroutines make
}

// GenerateSockets is Generate for a program over one or two links.
func GenerateSockets(seed uint64, size int) *Program {
	size = min(size, 8)
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
func sockets(g *generator) *Stmt {
	k := pick(g, g.links...)
	if k.b == "" {
		return listener(g, k.a)
	}
	o := k.a
	if (g.next%2 == 0) != g.one(5) {
		o = k.b
	}
	if k.second != "" && o == k.b && g.one(2) {
		o = k.second
	}
	reads, writes := !k.oneWay || o == k.a, !k.oneWay || o == k.b
	op := func(format string, needs ...object) *Stmt {
		return stmt(fmt.Sprintf("v = "+format+"\nl.r(v)", o), append(needs, o)...)
	}
	switch n, other := g.r.IntN(24), g.links[len(g.links)-1]; {
	case n > 21 && k.half && other.half && other.a != k.a:
		return stmt(fmt.Sprintf("v = moved(io.CopyN(%s, %s, 1))\nl.r(v)", k.a, other.b), k.a, other.b)
	case n < 5 && reads:
		return op(fmt.Sprintf("read(%%s, %d)", g.k()))
	case n == 5 && reads:
		return op("readFull(%s)")
	case n < 13 && writes:
		return op(fmt.Sprintf("wrote(%%s.Write([]byte(%q)))", pick(g, "a", "bc", "d")))
	case n < 15 && k.half && o != k.second:
		return op("failed(%s.CloseWrite())")
	case n == 15 && k.half && o != k.second:
		return op("failed(%s.CloseRead())")
	case n == 16 && k.linger && o != k.second:
		return op("failed(%s.SetLinger(0))")
	case n == 17 && k.oneWay && !k.timeless:
		return op("failed(%s.SetDeadline(past))")
	case n == 18 && !k.timeless:
		return op(pick(g, "failed(%s.SetDeadline(past))", "failed(%s.SetReadDeadline(past))", "failed(%s.SetWriteDeadline(past))"))
	case n == 19 && !k.timeless:
		return op(pick(g, "failed(%s.SetDeadline(time.Time{}))", "failed(%s.SetReadDeadline(time.Time{}))"))
	case n == 20 && g.late && !k.timeless:
		return op("failed(%s.SetReadDeadline(time.Now().Add(time.Millisecond)))", "time")
	case n == 21 && g.late && !k.timeless:
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
func listener(g *generator, o object) *Stmt {
	on := func() string {
		var ops []string
		for range g.r.IntN(3) {
			ops = append(ops, pick(g, "l.r(read(k, 1))", "l.r(read(k, 2))", "l.r(wrote(k.Write([]byte(\"a\"))))", "l.r(wrote(k.Write([]byte(\"bc\"))))", "l.r(failed(k.Close()))", "l.r(failed(k.CloseWrite()))"))
			g.left--
		}
		return strings.Join(ops, "\n")
	}
	end := pick(g, "", "\nk.Close()")
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
