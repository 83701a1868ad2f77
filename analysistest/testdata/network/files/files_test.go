// Package files holds tests in which two goroutines use one file by name. Nothing here knows the number of a
// descriptor, so what package os does to one that it has just opened is no step of its own (rule FD1 of the machine).
package files

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

func TestTorn(t *testing.T) { // verdict: exhausted
	name := filepath.Join(t.TempDir(), "f")
	os.WriteFile(name, []byte("aa"), 0o600)
	both(func() { os.WriteFile(name, []byte("bb"), 0o600) }, func() {
		if b, err := os.ReadFile(name); err != nil || string(b) != "aa" && string(b) != "bb" {
			t.Errorf("%q, %v", b, err) // want `test failure: "", <nil>`
		}
	})
}

func TestRenamed(t *testing.T) { // verdict: exhausted
	name := filepath.Join(t.TempDir(), "f")
	os.WriteFile(name, []byte("aa"), 0o600)
	write := func() {
		os.WriteFile(name+".tmp", []byte("bb"), 0o600)
		os.Rename(name+".tmp", name)
	}
	both(write, func() {
		if b, err := os.ReadFile(name); err != nil || string(b) != "aa" && string(b) != "bb" {
			t.Errorf("%q, %v", b, err)
		}
	})
}

func appends(name string, flag int) func() {
	return func() {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|flag, 0o600)
		if err != nil {
			panic(err)
		}
		f.Seek(0, 2)
		f.WriteString("line\n")
		f.Close()
	}
}

func TestAppends(t *testing.T) { // verdict: exhausted
	name := filepath.Join(t.TempDir(), "f")
	both(appends(name, os.O_APPEND), appends(name, os.O_APPEND))
	if b, _ := os.ReadFile(name); len(b) != 10 {
		t.Error(len(b))
	}
}

func TestSeeksAndWrites(t *testing.T) { // verdict: exhausted
	name := filepath.Join(t.TempDir(), "f")
	both(appends(name, 0), appends(name, 0))
	if b, _ := os.ReadFile(name); len(b) != 10 {
		t.Error(len(b)) // want `test failure: 5`
	}
}
