package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPlants checks which bugs are planted where. The text is Go with each of them, and lines stay where they are.
func TestPlants(t *testing.T) {
	const text = `package p

import (
	"sync"
	"sync/atomic"
)

type T struct {
	mu    sync.Mutex
	cond  *sync.Cond
	n     int
	count atomic.Int64
}

func (t *T) take() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.n == 0 {
		t.cond.Wait()
	}
	t.n--
}

func (t *T) put() {
	t.mu.Lock()
	if t.n > 3 {
		panic("full")
	}
	t.n++
	t.mu.Unlock()
	t.cond.Broadcast()
	t.count.Add(1)
}

func run(a, b *sync.RWMutex, flag *int32) {
	c := make(chan int,
		1)
	go func() { c <- 1 }()
	<-c
	a.RLock(); b.RLock(); b.RUnlock(); a.RUnlock()
	if atomic.CompareAndSwapInt32(flag, 0, 1) {
		close(c)
	}
}
`
	dir := t.TempDir()
	path := filepath.Join(dir, "p.go")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := plantsIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range got {
		names = append(names, fmt.Sprintf("%d %s: %s", p.line, p.kind, p.what))
		after := string(p.apply([]byte(text)))
		if _, err := parser.ParseFile(token.NewFileSet(), path, after, 0); err != nil {
			t.Errorf("%s: %v\n%s", names[len(names)-1], err, after)
		}
		if after == text || strings.Count(after, "\n") != strings.Count(text, "\n") {
			t.Errorf("%s: the text is %q", names[len(names)-1], after)
		}
	}
	want := []string{
		`16 no lock: t.mu.Lock()`,
		`16 dropped: t.mu.Lock()`,
		`16 split: for t.n == 0 {`,
		`17 dropped: defer t.mu.Unlock()`,
		`18 if for for: for t.n == 0 {`,
		`19 dropped: t.cond.Wait()`,
		`25 no lock: t.mu.Lock()`,
		`25 dropped: t.mu.Lock()`,
		`25 swapped: t.mu.Lock()`,
		`25 no check: if t.n > 3 {`,
		`25 split: if t.n > 3 {`,
		`30 dropped: t.mu.Unlock()`,
		`30 swapped: t.mu.Unlock()`,
		`31 dropped: t.cond.Broadcast()`,
		`31 one woken: t.cond.Broadcast()`,
		`31 swapped: t.cond.Broadcast()`,
		`32 dropped: t.count.Add(1)`,
		`32 twice: t.count.Add(1)`,
		`32 not atomic: t.count.Add(1)`,
		`40 no lock: a.RLock()`,
		`40 no lock: b.RLock()`,
		`38 swapped: go func() { c <- 1 }()`,
		`40 dropped: a.RLock()`,
		`40 swapped: a.RLock()`,
		`40 split: b.RLock()`,
		`40 dropped: b.RLock()`,
		`40 swapped: b.RLock()`,
		`40 dropped: b.RUnlock()`,
		`40 swapped: b.RUnlock()`,
		`40 dropped: a.RUnlock()`,
		`40 swapped: a.RUnlock()`,
		`36 no buffer: make(chan int,`,
		`38 dropped: c <- 1`,
		`38 twice: c <- 1`,
		`41 not atomic: atomic.CompareAndSwapInt32(flag, 0, 1)`,
		`42 dropped: close(c)`,
		`42 twice: close(c)`,
	}
	if !slices.Equal(names, want) {
		t.Errorf("plants:\n%s\nwant:\n%s", strings.Join(names, "\n"), strings.Join(want, "\n"))
	}
}
