package prelude

import (
	"fmt"
	"strings"
)

// This file has what tests over the API of the standard library share, and how they are run natively.

// Files are operations on files F and H in the folder dir, as calls that return a number. The first two are drawn
// otherwise. From the twelfth on they are drawn if nothing is renamed.
var Files = []string{
	"", "",
	`fileNumber(os.Remove(dir + "/F"))`,
	`statNumber(dir + "/F")`, `statNumber(dir + "/F")`,
	`readNumber(dir + "/F")`,
	`fileNumber(os.Mkdir(dir+"/F", 0o700))`,
	`fileNumber(os.Rename(dir+"/F", dir+"/H"))`,
	"dirNumber(dir)", "dirNumber(dir)",
	`openNumber(dir + "/F")`,
	`appendNumber(dir + "/F")`,

	`fileNumber(os.RemoveAll(dir + "/F"))`, `fileNumber(os.RemoveAll(dir + "/d"))`,
	`fileNumber(os.Mkdir(dir+"/d", 0o700))`, `fileNumber(os.MkdirAll(dir+"/d/F", 0o700))`,
	`fileNumber(os.WriteFile(dir+"/d/F", []byte("x"), 0o600))`, `fileNumber(os.WriteFile(dir+"/F/H", []byte("x"), 0o600))`,
	`statNumber(dir + "/d/F")`, `dirNumber(dir + "/d")`, `fileNumber(os.Remove(dir + "/d"))`, `readNumber(dir + "/d/F")`,
	`tempNumber2(dir)`, "listNumber(dir)", `fileNumber(os.Truncate(dir+"/F", 1))`,
	"readShared(file)", "writeShared(file)", "sizeShared(file)", "seekShared(file, 0)", "seekShared(file, 2)", "endNumber(file.Close())",
}

// FileCall is the n-th of Files, and the variable that it needs. What it writes is as long as k says.
func FileCall(n int, apart bool, f, h string, k func() int) (call, needs string) {
	if n < 2 || n == 7 && apart { // nothing is renamed
		return fmt.Sprintf(`fileNumber(os.WriteFile(dir+"/%s", []byte("%s"), 0o600))`, f, strings.Repeat("x", k())), "dir"
	}
	call, needs = strings.NewReplacer("/F", "/"+f, "/H", "/"+h).Replace(Files[n]), "dir"
	if strings.Contains(call, "(file)") || strings.Contains(call, "(file,") || strings.Contains(call, "file.Close") {
		needs = "file"
	}
	return call, needs
}

// APIHead is the beginning of a file of such tests.
const APIHead = `package programs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	_ = context.Background
	_ = runtime.Gosched
	_ sync.Mutex
	_ atomic.Int32
	_ = time.Now
)

// nameNumber is which of several subtests of a name it is.
func nameNumber(s string) int {
	if i := strings.LastIndex(s, "#"); i >= 0 {
		return int(s[len(s)-1] - '0')
	}
	return 0
}

func tempNumber(s string) int { return int(s[len(s)-1] - '0') }

func fileNumber(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, fs.ErrExist):
		return 1
	case errors.Is(err, fs.ErrNotExist):
		return 2
	}
	return 3
}

func statNumber(name string) int {
	i, err := os.Stat(name)
	if err != nil {
		return fileNumber(err)
	}
	return 10 + bit(i.IsDir())*10 + int(i.Size())%5
}

func readNumber(name string) int {
	b, err := os.ReadFile(name)
	if err != nil {
		return fileNumber(err)
	}
	return 10 + len(b)
}

func dirNumber(name string) int {
	es, err := os.ReadDir(name)
	if err != nil {
		return fileNumber(err)
	}
	return 10 + len(es)
}

func openNumber(name string) int {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		f.Close()
	}
	return fileNumber(err)
}

func appendNumber(name string) int {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fileNumber(err)
	}
	defer f.Close()
	f.Write([]byte("y"))
	return 0
}

func tempNumber2(dir string) int {
	f, err := os.CreateTemp(dir, "c")
	if err != nil {
		return fileNumber(err)
	}
	defer f.Close()
	n, _ := f.WriteString("z")
	return 10 + n
}

// listNumber reads a list name by name. In which order they come is a matter of the file system.
func listNumber(dir string) int {
	f, err := os.Open(dir)
	if err != nil {
		return fileNumber(err)
	}
	defer f.Close()
	v := 10
	for {
		ns, err := f.Readdirnames(1)
		if err != nil {
			return v
		}
		v += 1 << (2 * (int(ns[0][0]) % 4))
	}
}

func endNumber(err error) int { return bit(errors.Is(err, os.ErrClosed)) }

func readShared(f *os.File) int {
	b := make([]byte, 4)
	n, err := f.Read(b)
	return n*2 + endNumber(err)
}

func seekShared(f *os.File, whence int) int {
	n, err := f.Seek(0, whence)
	return int(n)*2 + endNumber(err)
}

func writeShared(f *os.File) int {
	n, err := f.Write([]byte("w"))
	return n*2 + endNumber(err)
}

func sizeShared(f *os.File) int {
	i, err := f.Stat()
	if err != nil {
		return endNumber(err)
	}
	return 2 + int(i.Size())
}

func found(k string) int { v, ok := os.LookupEnv(k); return len(v)*2 + bit(ok) }

`

// APIStart runs a test as go test does, under a root of its own. A panic ends the process: testing looks at it on its
// way. The goroutine that runs the test is go test's first. It stays until the run is over, since goroutines may be
// counted.
const APIStart = `
func start(p int) {
	os.Unsetenv("HK")
	os.Unsetenv("HL")
	all := func(_, _ string) (bool, error) { return true, nil }
	over, ran = make(chan bool), new(atomic.Int64)
	go func(over chan bool, ran *atomic.Int64) {
		testing.RunTests(all, []testing.InternalTest{{Name: fmt.Sprint("P", p), F: programs[p]}})
		ran.Store(1)
		park(over)
	}(over, ran)
}

var (
	over chan bool // of this run
	ran  *atomic.Int64
)

//go:noinline
func park(c chan bool) { <-c }

// parked is how many goroutines stay though they have nothing to do.
func parked() int { return int(ran.Load()) }

func going() bool { return false }

// finish ends a run.
func finish() {
	n := runtime.NumGoroutine()
	close(over)
	for ran.Load() == 1 && runtime.NumGoroutine() >= n {
		runtime.Gosched()
	}
}

func (l *log) end() { l.r(ended) }
`

// APIMain has testing get ready, by a run of no test, and then runs the tests.
const APIMain = `package main

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		panic(err)
	}
	os.Stdout = null
	flag.CommandLine.Parse([]string{"-test.run=^$", "-test.parallel=8"})
	m.Run()
	flag.Set("test.run", "")
	main()
}
`
