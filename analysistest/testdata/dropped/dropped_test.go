// Package dropped has pipes of which nobody reaches one end any more, with -leaks=all.
package dropped

import (
	"os"
	"testing"
)

func pipe(t *testing.T) (r, w *os.File) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	return r, w
}

func TestReader(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	r, _ := pipe(t)
	go func() { r.Read(make([]byte, 1)) }() // want `goroutine leak`
}

func TestWriter(t *testing.T) { // verdict: sampled "a garbage collection would close it"
	_, w := pipe(t)
	go w.Write(make([]byte, 1<<20)) // want `goroutine leak`
}

func TestClosed(t *testing.T) { // verdict: exhausted
	r, w := pipe(t)
	go func() { r.Read(make([]byte, 1)) }()
	w.Close()
}
