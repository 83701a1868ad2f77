package private

import (
	"archive/zip"
	"crypto/rand"
	"database/sql"
	"expvar"
	"flag"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unique"
)

// This file has settings of the process, more registries, and handles that initialisers have made.

var (
	_, _   = rand.Read(make([]byte, 1))
	zoned  = netip.MustParseAddr("fe80::1%heddle")
	handle = unique.Make("made by an initialiser")
)

// panics: 100 50 | 60 100
func TestGCPercent(t *testing.T) {
	var a, b int
	two(func() { a = debug.SetGCPercent(50) }, func() { b = debug.SetGCPercent(60) })
	say(a, b)
}

// panics: 100 -1 10000 5000 9223372036854775807 1024 1000000000 1
func TestSettings(t *testing.T) {
	go func() {}()
	say(debug.SetGCPercent(-7), debug.SetGCPercent(100), debug.SetMaxThreads(5000), debug.SetMaxThreads(10000),
		debug.SetMemoryLimit(1024), debug.SetMemoryLimit(-1), debug.SetMaxStack(1), debug.SetMaxStack(1000000000))
}

// panics: 10000 9223372036854775807
func TestSettingsApart(t *testing.T) {
	var a int
	var b int64
	two(func() { a = debug.SetMaxThreads(5000) }, func() { b = debug.SetMemoryLimit(1024) })
	say(a, b)
}

// panics: 8 4 2 8 8
func TestSettingsOfProcessors(t *testing.T) {
	go func() {}()
	old := runtime.GOMAXPROCS(4)
	say(old, runtime.GOMAXPROCS(2), runtime.GOMAXPROCS(-1), func() int { runtime.SetDefaultGOMAXPROCS(); return runtime.GOMAXPROCS(0) }(), runtime.NumCPU())
}

// panics: 4 8 3 | 8 3 4
func TestSettingsOfProcessorsTold(t *testing.T) {
	var a, b int
	two(func() { a = runtime.GOMAXPROCS(3) }, func() { b = runtime.GOMAXPROCS(4) })
	say(a, b, runtime.GOMAXPROCS(0))
}

// panics: 0 5 2
func TestSettingsOfMutexes(t *testing.T) {
	go func() {}()
	say(runtime.SetMutexProfileFraction(5), runtime.SetMutexProfileFraction(2), runtime.SetMutexProfileFraction(-1))
}

// panics: decompressor already registered
func TestUnzipTwice(t *testing.T) {
	open := func(io.Reader) io.ReadCloser { return nil }
	two(func() { zip.RegisterDecompressor(78, open) }, func() { zip.RegisterDecompressor(78, open) })
}

// panics: sql: Register called twice for driver heddle2
func TestSQLTwice(t *testing.T) {
	two(func() { sql.Register("heddle2", noDriver{}) }, func() { sql.Register("heddle2", noDriver{}) })
}

// panics: true | false
func TestSQLDrivers(t *testing.T) {
	go sql.Register("heddle3", noDriver{})
	say(strings.Contains(strings.Join(sql.Drivers(), " "), "heddle3"))
}

// panics: 0 | 1
func TestExpvarDo(t *testing.T) {
	n, m := 0, new(expvar.Map)
	go m.Add("k", 1)
	m.Do(func(expvar.KeyValue) { n++ })
	say(n)
}

// panics: x flag redefined: heddle.twice
func TestFlagTwice(t *testing.T) {
	fs := flag.NewFlagSet("x", flag.PanicOnError)
	fs.SetOutput(io.Discard)
	c := make(chan bool)
	go func() { fs.Bool("heddle.twice", false, ""); c <- true }()
	<-c
	fs.Bool("heddle.twice", false, "")
}

// panics: INFO ERROR | WARN INFO
func TestSlogLevel(t *testing.T) {
	var a, b slog.Level
	two(func() { a = slog.SetLogLoggerLevel(slog.LevelWarn) }, func() { b = slog.SetLogLoggerLevel(slog.LevelError) })
	if a == slog.LevelInfo {
		say(a, "ERROR")
	}
	say("WARN", b)
}

// panics: 0 | 3
func TestLogFlags(t *testing.T) {
	log.SetFlags(3)
	go log.SetFlags(0)
	say(log.Flags())
}

// panics: protocol heddle already registered
func TestProtocolTwice(t *testing.T) {
	tr := new(http.Transport)
	two(func() { tr.RegisterProtocol("heddle", nil) }, func() { tr.RegisterProtocol("heddle", nil) })
}

// Both have one handle, whoever asks first, and those of initialisers are still there.
//
// panics: true true true
func TestHandlesOfInitialisers(t *testing.T) {
	var a, b unique.Handle[string]
	two(func() { a = unique.Make("made by an initialiser") }, func() { b = unique.Make("made by an initialiser") })
	say(a == handle, b == handle, a.Value() == "made by an initialiser")
}

// panics: fe80::1%heddle fe80::1%other true
func TestZones(t *testing.T) {
	var a, b netip.Addr
	two(func() { a = netip.MustParseAddr("fe80::1%heddle") }, func() { b = netip.MustParseAddr("fe80::1%other") })
	say(a, b, a == zoned)
}

// panics: 1.2.3.4 ::1 false
func TestParseIP(t *testing.T) {
	var a, b net.IP
	two(func() { rand.Read(make([]byte, 1)); a = net.ParseIP("1.2.3.4") }, func() { b = net.ParseIP("::1") })
	say(a, b, a.Equal(b))
}

type point struct {
	x, y int
	name string
}

// panics: {1 2 p} true false
func TestHandlesOfStructs(t *testing.T) {
	var a, b unique.Handle[point]
	two(func() { a = unique.Make(point{1, 2, "p"}) }, func() { b = unique.Make(point{1, 2, string([]byte{'p'})}) })
	say(a.Value(), a == b, a == unique.Make(point{2, 1, "p"}))
}

// A handle is no memory of whoever made it: what it makes afterwards is where it would be.
//
// panics: true 0
func TestHandleBesideMemory(t *testing.T) {
	c := make(chan unique.Handle[any])
	go func() { h := unique.Make(any(1)); p := new(int); *p = 1; c <- h }()
	h := unique.Make(any(1))
	p := new(int)
	say(h == <-c, *p)
}
