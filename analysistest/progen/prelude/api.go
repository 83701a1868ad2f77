package prelude

// This file has what tests over the API of the standard library share, and how they are run natively.

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
