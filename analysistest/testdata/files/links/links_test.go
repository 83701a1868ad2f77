// Package links has tests that see how many links a file has, and that rename and protect.
package links

import (
	"fmt"
	"os"
	"syscall"
	"testing"
)

func sees(t *testing.T, f, g func() string) {
	c := make(chan string, 1)
	go func() { c <- f() }()
	s := g()
	t.Error(s, <-c)
}

func TestLinks(t *testing.T) {
	dir, _ := os.MkdirTemp("", "l")
	f, _ := os.Create(dir + "/a")
	sees(t, func() string { return fmt.Sprint(os.Remove(dir + "/a")) }, func() string {
		i, _ := f.Stat()
		return fmt.Sprint(i.Sys().(*syscall.Stat_t).Nlink)
	})
}

func TestRename(t *testing.T) {
	dir, _ := os.MkdirTemp("", "l")
	os.Mkdir(dir+"/d", 0o700)
	sees(t, func() string { return fmt.Sprint(os.Rename(dir+"/d", dir+"/e")) }, func() string {
		return fmt.Sprint(os.WriteFile(dir+"/d/a", nil, 0o600) == nil)
	})
}

func TestChmod(t *testing.T) {
	dir, _ := os.MkdirTemp("", "l")
	os.WriteFile(dir+"/a", nil, 0o600)
	sees(t, func() string { return fmt.Sprint(os.Chmod(dir+"/a", 0)) }, func() string {
		_, err := os.ReadFile(dir + "/a")
		return fmt.Sprint(err == nil)
	})
}
