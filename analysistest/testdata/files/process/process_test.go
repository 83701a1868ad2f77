// Package process has tests that ask package syscall for things that have nothing to do with files (FD2).
package process

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"testing"
)

// TestOwnFiles has two goroutines that each write and read a file of their own: they are independent.
func TestOwnFiles(t *testing.T) {
	dir := t.TempDir()
	var texts [2]string
	var wg sync.WaitGroup
	for i := range texts {
		wg.Go(func() {
			name := fmt.Sprint(dir, "/", i)
			if err := os.WriteFile(name, []byte{'a' + byte(i)}, 0o600); err != nil {
				t.Error(err)
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			texts[i] = string(b)
		})
	}
	wg.Wait()
	t.Error(texts)
}

func TestProcess(t *testing.T) {
	err := syscall.Kill(syscall.Getpid(), 0)
	_, no := os.Open(t.TempDir() + "/nothing")
	t.Error(err, errors.Is(no, syscall.ENOENT), syscall.ENOENT.Error(), syscall.SIGTERM.String())
}
