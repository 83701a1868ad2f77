package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDeletions checks which statements are operations that others can see, and that those without which the package
// does not compile are left out. Lines stay where they are.
func TestDeletions(t *testing.T) {
	dir := t.TempDir()
	const text = `package p

type T struct{ n int }

var shared int

func f(t *T, c chan int) {
	local := 1
	local = 2
	shared = local
	t.n++
	go func() {
		local++
		c <- 1
	}()
	select {
	case <-c:
		close(c)
	default:
	}
	<-c
	print(local)
}

func g(c chan int) (x int) {
	x = <-c
	return x
}
`
	if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := newChecker().deletions(dir)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range got {
		lines = append(lines, d.text)
		if after := string(d.apply([]byte(text))); len(after) >= len(text) && d.to-d.from > 2 || strings.Count(after, "\n") != strings.Count(text, "\n") {
			t.Errorf("without %q the text is %q", d.text, after)
		}
	}
	want := []string{"shared = local", "t.n++", "go func() {", "local++", "c <- 1", "select {", "close(c)", "<-c"}
	if !slices.Equal(lines, want) {
		t.Errorf("deletions %q, want %q", lines, want)
	}
	if d := got[4]; d.first != 12 || d.last != 15 {
		t.Errorf("the function around %q is at lines %d to %d, want the literal at 12 to 15", d.text, d.first, d.last)
	}
}
