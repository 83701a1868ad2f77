// Package files has tests whose goroutines meet in files. Each fails with what it has seen.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// sees runs functions side by side, each in a goroutine but for the last, and fails with what they return.
func sees(t *testing.T, does ...func() string) {
	var cs []chan string
	for _, f := range does[:len(does)-1] {
		c := make(chan string, 1)
		go func() { c <- f() }()
		cs = append(cs, c)
	}
	saw := []string{does[len(does)-1]()}
	for _, c := range cs {
		saw = append(saw, <-c)
	}
	t.Error(strings.Join(saw, " "))
}

// folder is an empty one.
func folder(t *testing.T) string {
	dir, err := os.MkdirTemp("", "f")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func name(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, fs.ErrExist):
		return "exists"
	case errors.Is(err, fs.ErrNotExist):
		return "none"
	case errors.Is(err, os.ErrClosed):
		return "closed"
	}
	return err.Error()[strings.LastIndex(err.Error(), ":")+2:]
}

func write(path, text string) func() string {
	return func() string { return name(os.WriteFile(path, []byte(text), 0o600)) }
}

func read(path string) func() string {
	return func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			return name(err)
		}
		return "'" + string(b) + "'"
	}
}

func stat(path string) func() string {
	return func() string {
		i, err := os.Stat(path)
		if err != nil {
			return name(err)
		}
		return string(rune('0' + i.Size()%10))
	}
}

func list(dir string) func() string {
	return func() string {
		f, err := os.Open(dir)
		if err != nil {
			return name(err)
		}
		defer f.Close()
		names, err := f.Readdirnames(-1)
		return "[" + strings.Join(names, ",") + "]" + name(err)
	}
}

func mkdir(path string) func() string     { return func() string { return name(os.Mkdir(path, 0o700)) } }
func remove(path string) func() string    { return func() string { return name(os.Remove(path)) } }
func removeAll(path string) func() string { return func() string { return name(os.RemoveAll(path)) } }

func create(path string) func() string {
	return func() string {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			f.Close()
		}
		return name(err)
	}
}

// Different files.

func TestTwoFiles(t *testing.T) {
	dir := folder(t)
	one := func(f string) func() string {
		return func() string { return write(f, filepath.Base(f))() + read(f)() }
	}
	sees(t, one(dir+"/a"), one(dir+"/b"))
}

func TestFourFiles(t *testing.T) {
	dir := folder(t)
	sees(t, write(dir+"/a", "1"), write(dir+"/b", "2"), write(dir+"/c", "3"), write(dir+"/d", "4"))
}

func TestEightFiles(t *testing.T) {
	dir := folder(t)
	var all []func() string
	for _, f := range "abcdefgh" {
		all = append(all, write(dir+"/"+string(f), "1"))
	}
	sees(t, all...)
}

func TestTwoFolders(t *testing.T) {
	one := func() string {
		dir, err := os.MkdirTemp("", "g")
		if err != nil {
			return name(err)
		}
		return write(dir+"/a", "1")() + list(dir)() + removeAll(dir)()
	}
	sees(t, one, one)
}

func TestReadersOfOne(t *testing.T) {
	dir := folder(t)
	write(dir+"/a", "abc")()
	sees(t, read(dir+"/a"), read(dir+"/a"), stat(dir+"/a"))
}

func TestParallel(t *testing.T) {
	for _, n := range []string{"a", "b"} {
		t.Run(n, func(t *testing.T) {
			t.Parallel()
			write(t.TempDir()+"/f", n)()
		})
	}
}

// Files that several goroutines touch.

func TestSameFile(t *testing.T) {
	dir := folder(t)
	sees(t, write(dir+"/a", "1"), write(dir+"/a", "22"))
	t.Error(read(dir + "/a")())
}

func TestSameName(t *testing.T) {
	dir := folder(t)
	sees(t, create(dir+"/a"), mkdir(dir+"/a"))
}

func TestCreatedOrNot(t *testing.T) {
	dir := folder(t)
	sees(t, create(dir+"/a"), stat(dir+"/a"))
}

func TestWrittenOrNot(t *testing.T) {
	dir := folder(t)
	sees(t, write(dir+"/a", "1"), read(dir+"/a"))
}

func TestTruncatedOrNot(t *testing.T) {
	dir := folder(t)
	write(dir+"/a", "abc")()
	sees(t, func() string { return name(os.Truncate(dir+"/a", 1)) }, read(dir+"/a"))
}

func TestListed(t *testing.T) {
	dir := folder(t)
	sees(t, create(dir+"/a"), create(dir+"/b"), list(dir))
}

func TestRemovedFolder(t *testing.T) {
	dir := folder(t)
	mkdir(dir + "/d")()
	sees(t, remove(dir+"/d"), create(dir+"/d/a"))
}

func TestRemovedTwice(t *testing.T) {
	dir := folder(t)
	mkdir(dir + "/d")()
	sees(t, remove(dir+"/d"), remove(dir+"/d"))
}

func TestRemovedAndMade(t *testing.T) {
	dir := folder(t)
	mkdir(dir + "/d")()
	sees(t, remove(dir+"/d"), mkdir(dir+"/d"))
}

func TestRemoveAll(t *testing.T) {
	dir := folder(t)
	create(dir + "/a")()
	sees(t, create(dir+"/b"), removeAll(dir))
}

func TestMadeAbove(t *testing.T) {
	dir := folder(t)
	sees(t, func() string { return name(os.MkdirAll(dir+"/d/e", 0o700)) }, create(dir+"/d/e/a"))
}

func TestFileAbove(t *testing.T) {
	dir := folder(t)
	sees(t, create(dir+"/d"), stat(dir+"/d/e/a"))
}

// One descriptor.

func TestSharedPosition(t *testing.T) {
	dir := folder(t)
	write(dir+"/a", "ab")()
	f, _ := os.Open(dir + "/a")
	one := func() string {
		var b [1]byte
		n, err := f.Read(b[:])
		return string(b[:n]) + name(err)
	}
	sees(t, one, one)
}

func TestSeek(t *testing.T) {
	dir := folder(t)
	f, _ := os.Create(dir + "/a")
	sees(t, func() string {
		_, err := f.Write([]byte("ab"))
		return name(err)
	}, func() string {
		n, err := f.Seek(0, io.SeekEnd)
		return string(rune('0'+n)) + name(err)
	})
}

func TestClosed(t *testing.T) {
	dir := folder(t)
	f, _ := os.Create(dir + "/a")
	sees(t, func() string { return name(f.Close()) }, func() string {
		_, err := f.WriteString("a")
		return name(err)
	})
}

func TestClosedTwice(t *testing.T) {
	dir := folder(t)
	f, _ := os.Create(dir + "/a")
	sees(t, func() string { return name(f.Close()) }, func() string { return name(f.Close()) })
}

func TestStatOfOpen(t *testing.T) {
	dir := folder(t)
	f, _ := os.Create(dir + "/a")
	sees(t, write(dir+"/a", "123"), func() string {
		i, err := f.Stat()
		return string(rune('0'+i.Size())) + name(err)
	})
}

func TestAppends(t *testing.T) {
	dir := folder(t)
	add := func(s string) func() string {
		f, _ := os.OpenFile(dir+"/a", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		return func() string {
			f.WriteString(s)
			return read(dir + "/a")()
		}
	}
	sees(t, add("1"), add("2"))
}

// bytesIn writes shared bytes to a file, and returns what is in it then.
func bytesIn(path string, f *os.File, b []byte) string {
	if _, err := f.Write(b); err != nil {
		return name(err)
	}
	return read(path)()
}

// open makes a file.
func open(t *testing.T) (string, *os.File) {
	path := filepath.Join(folder(t), "a")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, f
}

// What one goroutine stores in bytes another one writes to a file.
func TestBytesOfOthers(t *testing.T) {
	path, f := open(t)
	var mu sync.Mutex
	b := []byte("0")
	sees(t, func() string {
		mu.Lock()
		defer mu.Unlock()
		b[0] = '1'
		return "ok"
	}, func() string {
		mu.Lock()
		defer mu.Unlock()
		return bytesIn(path, f, b)
	})
}

// Two goroutines write what they have to say from one buffer.
func TestBytesInTurn(t *testing.T) {
	path, f := open(t)
	var mu sync.Mutex
	b := make([]byte, 1)
	says := func(x byte) func() string {
		return func() string {
			mu.Lock()
			b[0] = x
			f.Write(b)
			mu.Unlock()
			return read(path)()
		}
	}
	sees(t, says('1'), says('2'))
}

// The bytes change while they are written to a file. Who changes them when they have been read, and before the file has
// them, finds it empty.
func TestBytesInRace(t *testing.T) {
	path, f := open(t)
	b := []byte("0")
	sees(t, func() string {
		b[0] = '1'
		info, err := os.Stat(path)
		return fmt.Sprint(info.Size()) + name(err)
	}, func() string { return bytesIn(path, f, b) })
}
