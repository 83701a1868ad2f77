// Package numbers has tests that see the numbers of descriptors.
package numbers

import (
	"fmt"
	"os"
	"testing"
)

// sees runs a function twice, side by side, and fails with what it returns.
func sees(t *testing.T, f func() string) {
	c := make(chan string, 1)
	go func() { c <- f() }()
	s := f()
	t.Error(s, <-c)
}

func TestOpened(t *testing.T) {
	sees(t, func() string {
		f, _ := os.Open(os.DevNull)
		return fmt.Sprint(f.Fd())
	})
}

func TestClosed(t *testing.T) {
	sees(t, func() string {
		f, _ := os.Open(os.DevNull)
		defer f.Close()
		return fmt.Sprint(f.Fd())
	})
}
