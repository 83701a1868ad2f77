package races

// This file uses parts of the standard library that prepare themselves when they are first used. That is no race. It
// orders what goroutines do only where one waits for the other.

import (
	"encoding/json"
	"hash/crc32"
	"html"
	"math/big"
	"mime"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"
)

func TestQuietLocalByFormat(t *testing.T) {
	beside(func() { _ = time.Now().Format(time.Kitchen) }, func() { _, _ = time.Now().Zone() })
}

func TestQuietLocalByLoad(t *testing.T) {
	beside(func() { _, _ = time.LoadLocation("Local") }, func() { _ = time.Now().Local().Hour() })
}

func TestQuietLocalByParse(t *testing.T) {
	beside(func() { _, _ = time.ParseInLocation("15", "12", time.Local) }, func() { _ = time.Unix(0, 0).Year() })
}

func TestQuietLocalOfMany(t *testing.T) {
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { _ = time.Now().Weekday() })
	}
	wg.Wait()
}

func TestRaceLocalBesides(t *testing.T) { // who comes second to a Once that is over does not know the other
	x := 0
	_ = time.Now().Day()
	beside(func() { x = 1; _ = time.Now().Day() }, func() { _ = time.Now().Day(); sink = x })
}

func TestRaceLocalReplaced(t *testing.T) { // a variable of package time is one
	l := time.Local
	defer func() { time.Local = l }()
	beside(func() { time.Local = time.UTC }, func() { _ = time.Now().Day() })
}

func TestQuietTablesOfHTML(t *testing.T) {
	beside(func() { _ = html.UnescapeString("&lt;") }, func() { _ = html.UnescapeString("&gt;") })
}

var spaces = strings.NewReplacer("_", " ")

func TestQuietKnownFromTheStart(t *testing.T) {
	prepared := func() {
		http.Header{}.Set("x-y", spaces.Replace("a_b"))
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		l.Close()
	}
	beside(prepared, prepared)
}

func TestRaceBesidePrepared(t *testing.T) {
	x := 0
	beside(func() { x = 1; http.Header{}.Set("x-y", "z") }, func() { http.Header{}.Set("x-y", "z"); sink = x })
}

func TestQuietTablesOfCRC(t *testing.T) {
	beside(func() { _ = crc32.ChecksumIEEE([]byte("a")) }, func() { _ = crc32.New(crc32.IEEETable).Sum32() })
}

func TestQuietTablesOfMime(t *testing.T) {
	beside(func() { _ = mime.TypeByExtension(".html") }, func() { _ = mime.TypeByExtension(".png") })
}

func TestQuietFieldsOfJSON(t *testing.T) {
	type point struct{ X, Y int }
	beside(func() { _, _ = json.Marshal(point{}) }, func() { _, _ = json.Marshal(point{1, 2}) })
}

func TestQuietRegexp(t *testing.T) { // its machines are in a pool
	r := regexp.MustCompile("a+b")
	beside(func() { r.MatchString("aab") }, func() { r.MatchString("b") })
}

func TestQuietTemplate(t *testing.T) {
	p := template.Must(template.New("p").Parse("{{.}}"))
	beside(func() { p.Execute(new(strings.Builder), 1) }, func() { p.Execute(new(strings.Builder), 2) })
}

func TestQuietBigText(t *testing.T) { // a table of divisors
	a := new(big.Int).Lsh(big.NewInt(1), 600)
	beside(func() { _ = a.String() }, func() { _ = a.String() })
}

func TestQuietHeaderNames(t *testing.T) {
	h, g := http.Header{}, http.Header{}
	beside(func() { h.Set("content-type", "a") }, func() { g.Set("content-type", "b") })
}

func TestQuietReplacer(t *testing.T) { // built by the first who replaces
	r := strings.NewReplacer("a", "b", "cc", "d")
	beside(func() { _ = r.Replace("acc") }, func() { _ = r.Replace("cca") })
}

func TestRaceReplacerBesides(t *testing.T) {
	x, r := 0, strings.NewReplacer("a", "b")
	_ = r.Replace("a")
	beside(func() { x = 1; _ = r.Replace("a") }, func() { _ = r.Replace("a"); sink = x })
}

// What the function of a Once has done is known to who comes behind the Once.

func TestQuietOnceKeepsApart(t *testing.T) {
	var once sync.Once
	var xs [8]int
	c := make(chan int, 1)
	fill := func() {
		for i := range xs {
			xs[i] = 1
		}
	}
	beside(func() { once.Do(fill); c <- 1 }, func() {
		once.Do(fill) // either may run it
		if len(c) == 1 {
			for i := range xs {
				sink = xs[i]
			}
		}
	})
}

func TestQuietOnceBeforeGo(t *testing.T) { // who is started behind it, too
	get := sync.OnceValue(func() *int { x := 1; sink = x; return &x })
	c := make(chan int, 1)
	beside(func() { _ = get(); c <- 1 }, func() {
		p := get()
		beside(func() { _ = len(c); _ = *p + sink }, func() {})
	})
}

func TestRaceOnceNotBehind(t *testing.T) { // the same line, also without it
	var once sync.Once
	x, c := 0, make(chan int, 1)
	look := func() { sink = x }
	beside(func() { once.Do(func() { x = 1 }); c <- 1 }, func() {
		if len(c) == 0 {
			once.Do(func() {})
		}
		look()
	})
}

func TestRaceOnceStarts(t *testing.T) { // what its function starts does not belong to it
	var once sync.Once
	x, c := 0, make(chan int, 1)
	beside(func() { once.Do(func() { go func() { x = 1; c <- 1 }() }) }, func() {
		once.Do(func() {})
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceOnceAfter(t *testing.T) { // what comes behind it
	var once sync.Once
	x, c := 0, make(chan int, 1)
	beside(func() { once.Do(func() {}); x = 1; c <- 1 }, func() {
		once.Do(func() {})
		if len(c) == 1 {
			sink = x
		}
	})
}
