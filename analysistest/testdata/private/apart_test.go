package private

import (
	"bytes"
	"encoding/gob"
	"expvar"
	"flag"
	"image"
	"image/png"
	"io"
	"iter"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"unique"
)

// This file uses what the others of this package share, in ways that nobody can tell apart: each goroutine has its own,
// or looks when the other has ended.

type gobbedA struct{ N int }

type gobbedB struct{ N int }

// panics: -
func TestGobApart(t *testing.T) {
	two(func() { gob.RegisterName("gobbedA", gobbedA{}) }, func() { gob.RegisterName("gobbedB", gobbedB{}) })
	for _, v := range []any{gobbedA{1}, gobbedB{2}} {
		var b bytes.Buffer
		var got any
		if err := gob.NewEncoder(&b).Encode(&v); err != nil {
			t.Fatal(err)
		}
		if err := gob.NewDecoder(&b).Decode(&got); err != nil || got != v {
			t.Error(got, err)
		}
	}
}

// panics: -
func TestExpvarApart(t *testing.T) {
	two(func() { expvar.NewInt("heddle a").Set(1) }, func() { expvar.NewInt("heddle b").Set(2) })
	if a, b := expvar.Get("heddle a").String(), expvar.Get("heddle b").String(); a != "1" || b != "2" {
		t.Error(a, b)
	}
}

// panics: -
func TestFlagSetsApart(t *testing.T) {
	parse := func(into *int) func() {
		return func() {
			set := flag.NewFlagSet("x", flag.ContinueOnError)
			set.IntVar(into, "n", 0, "")
			set.Parse([]string{"-n=3"})
		}
	}
	var a, b int
	two(parse(&a), parse(&b))
	if a != 3 || b != 3 {
		t.Error(a, b)
	}
}

// panics: -
func TestImagesDecoded(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 2, 1))); err != nil {
		t.Fatal(err)
	}
	decode := func() {
		if img, format, err := image.Decode(bytes.NewReader(b.Bytes())); err != nil || format != "png" || img.Bounds().Dx() != 2 {
			t.Error(format, err)
		}
	}
	two(decode, decode)
}

// panics: -
func TestServeMuxesApart(t *testing.T) {
	serve := func() {
		mux := http.NewServeMux()
		mux.HandleFunc("/x", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "served") })
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", "/x", nil))
		if w.Body.String() != "served" {
			t.Error(w.Body)
		}
	}
	two(serve, serve)
}

// panics: -
func TestLoggersApart(t *testing.T) {
	var a, b bytes.Buffer
	two(func() { log.New(&a, "a ", 0).Print("x") }, func() {
		slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		}})).Info("y")
	})
	if a.String() != "a x\n" || b.String() != "level=INFO msg=y\n" {
		t.Errorf("%q %q", a.String(), b.String())
	}
}

// panics: -
func TestPullEach(t *testing.T) {
	sum := func(into *int) func() {
		return func() {
			next, stop := iter.Pull(numbers)
			defer stop()
			for v, ok := next(); ok; v, ok = next() {
				*into += v
			}
		}
	}
	var a, b int
	two(sum(&a), sum(&b))
	if a != 3 || b != 3 {
		t.Error(a, b)
	}
}

// panics: -
func TestPullSummed(t *testing.T) { // who takes which number, nobody can tell
	next, stop := iter.Pull(numbers)
	defer stop()
	var mu sync.Mutex
	sum := 0
	take := func() {
		mu.Lock()
		defer mu.Unlock()
		v, _ := next()
		sum += v
	}
	two(take, take)
	if sum != 1 {
		t.Error(sum)
	}
}

// panics: -
func TestPullStopsTwice(t *testing.T) {
	next, stop := iter.Pull(numbers)
	next()
	var mu sync.Mutex
	end := func() {
		mu.Lock()
		defer mu.Unlock()
		stop()
	}
	two(end, end)
	if v, ok := next(); v != 0 || ok {
		t.Error(v, ok)
	}
}

// panics: -
func TestHandlesEqual(t *testing.T) {
	var a, b unique.Handle[string]
	two(func() { a = unique.Make("one") }, func() { b = unique.Make(string([]byte("one"))) })
	if a != b || a.Value() != "one" {
		t.Error(a.Value(), b.Value())
	}
}

// panics: -
func TestHandlesAsKeys(t *testing.T) {
	count := map[unique.Handle[point]]int{}
	var mu sync.Mutex
	add := func() {
		h := unique.Make(point{1, 2, "p"})
		mu.Lock()
		defer mu.Unlock()
		count[h]++
	}
	two(add, add)
	if len(count) != 1 || count[unique.Make(point{1, 2, "p"})] != 2 {
		t.Error(count)
	}
}

// panics: -
func TestWriteFilesInTurn(t *testing.T) {
	var mu sync.Mutex
	write := func(name string) func() {
		return func() {
			mu.Lock()
			defer mu.Unlock()
			if err := os.WriteFile(name, []byte(name), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
	two(write("a.tmp"), write("b.tmp"))
	for _, name := range []string{"a.tmp", "b.tmp"} {
		if b, err := os.ReadFile(name); err != nil || string(b) != name {
			t.Errorf("%q %v", b, err)
		}
	}
}

// panics: -
func TestRenameInTurn(t *testing.T) { // whoever comes last, the file is whole
	var mu sync.Mutex
	replace := func(text string) func() {
		return func() {
			mu.Lock()
			defer mu.Unlock()
			if err := os.WriteFile("x.new", []byte(text), 0o644); err != nil {
				t.Error(err)
			}
			if err := os.Rename("x.new", "state.tmp"); err != nil {
				t.Error(err)
			}
		}
	}
	two(replace("one"), replace("two"))
	if b, err := os.ReadFile("state.tmp"); err != nil || string(b) != "one" && string(b) != "two" {
		t.Errorf("%q %v", b, err)
	}
	if left, _ := filepath.Glob("*.new"); len(left) > 0 {
		t.Error(left)
	}
}
