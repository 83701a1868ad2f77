package private

import (
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"unique"
)

// What is written to the package's folder is there, and is gone when the test begins again.
//
// panics: none | written
func TestWriteFile(t *testing.T) {
	if _, err := os.Stat("x.tmp"); err == nil {
		t.Fatal("x.tmp is left over")
	}
	done := make(chan bool)
	go func() {
		os.WriteFile("x.tmp", []byte("written"), 0o644)
		close(done)
	}()
	_, err := os.Stat("x.tmp")
	<-done
	if err != nil {
		panic("none")
	}
	b, _ := os.ReadFile("x.tmp")
	panic(string(b))
}

// panics: a | b
func TestMkdir(t *testing.T) {
	first := ""
	var mu sync.Mutex
	try := func(name string) func() {
		return func() {
			if os.Mkdir("d", 0o755) == nil {
				mu.Lock()
				first = name
				mu.Unlock()
			}
		}
	}
	two(try("a"), try("b"))
	panic(first)
}

// panics: true | false
func TestRemoveFile(t *testing.T) {
	go os.Remove("testing_test.go")
	_, err := os.Stat("testing_test.go")
	say(err == nil)
}

// panics: other
func TestGolden(t *testing.T) {
	go func() {}()
	if err := os.WriteFile("host_test.go", []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile("host_test.go")
	panic(string(b))
}

// panics: - | not empty
func TestRename(t *testing.T) {
	dir, err := os.MkdirTemp(".", "d")
	if err == nil {
		err = os.MkdirAll(dir+"/a/b", 0o755)
	}
	if err == nil {
		err = os.Rename("go.mod", dir+"/a/b/go.mod")
	}
	if err != nil {
		t.Fatal(err)
	}
	go os.Mkdir(dir+"/a/x", 0o755)
	os.Remove(dir + "/a/b/go.mod")
	os.Remove(dir + "/a/b")
	if os.Remove(dir+"/a") != nil {
		panic("not empty")
	}
}

// A File keeps what it has read of a folder.
//
// panics: a b | b a
func TestReadDir(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(dir+"/a", nil, 0o644)
	os.WriteFile(dir+"/b", nil, 0o644)
	f, _ := os.Open(dir)
	c := make(chan string)
	go func() { c <- next(f) }()
	own := next(f)
	say(own, <-c)
}

func next(f *os.File) string {
	names, err := f.Readdirnames(1)
	if err != nil {
		return err.Error()
	}
	return names[0]
}

// panics: a a
func TestReadDirApart(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(dir+"/a", nil, 0o644)
	f, _ := os.Open(dir)
	g, _ := os.Open(dir)
	var a, b string
	two(func() { a = next(f) }, func() { b = next(g) })
	say(a, b)
}

// panics: <nil> | write /dev/stdout: file already closed
func TestStdout(t *testing.T) {
	go os.Stdout.Close()
	_, err := fmt.Fprint(os.Stdout, "")
	if err == nil {
		_, err = os.Stdout.Write([]byte("x"))
	}
	say(err)
}

// panics: <nil> | statat x: file already closed
func TestRoot(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(dir+"/x", nil, 0o644)
	r, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	go r.Close()
	_, err = r.Stat("x")
	say(err)
}

// panics: 1 0 | 1 1
func TestSeek(t *testing.T) {
	f, _ := os.Open("go.mod")
	var a, b int64
	two(func() { io.ReadFull(f, make([]byte, 1)); a, _ = f.Seek(0, io.SeekCurrent) }, func() { b, _ = f.Seek(0, io.SeekCurrent) })
	say(a, b)
}

// finds: datarace
// panics: true | false
func TestShort(t *testing.T) {
	go flag.Set("test.short", "true")
	say(testing.Short())
}

// Which goroutine makes a handle first shows nowhere.
//
// panics: true true
func TestHandles(t *testing.T) {
	var a, b unique.Handle[string]
	var p, q *int
	two(func() { a = unique.Make("x" + t.Name()); p = new(int) }, func() { b = unique.Make("x" + t.Name()); q = new(int) })
	*p, *q = 1, 1
	say(a == b, *p == *q)
}
