// Package testmain has a TestMain that exits, as most have: its exit is the end of its goroutine, and what is left behind is looked at as ever (rule EXIT5 of the machine).
package testmain

import (
	"flag"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
)

// It asks for more where all tests run: that of os/exec does so. Each is run alone, as by go test -run.
func TestMain(m *testing.M) {
	code := m.Run()
	if run := flag.Lookup("test.run").Value.String(); code == 0 && run == "" && !used {
		code = 1
	}
	os.Exit(code)
}

var used bool

func TestUses(t *testing.T) { used = true }

// Which goroutine is blocked is nothing new to any one of them: the states after the exit show it.
func TestCycleLeftBehind(t *testing.T) {
	var a, b sync.Mutex
	go func() {
		a.Lock()
		b.Lock() // want `goroutine leak: G1\.1 blocked here in Mutex\.Lock \(held by G1\.2\), G1\.2 at line \d+ \(held by G1\.1\)\n.*\n\tin TestCycleLeftBehind`
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
}

// A sender without a receiver.
func TestSenderLeftBehind(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }() // want `goroutine leak: G1\.1 blocked here in chan send, started here\n.*\n\tin TestSenderLeftBehind`
}

// The goroutine may write when the test has returned, and TestMain exits.
func TestWriteLeftBehind(t *testing.T) {
	x := 0
	go func() { x = 1 }() // want `data race: x written here by G1\.1, read at \S+:\d+ by G1\n.*\n\tin TestWriteLeftBehind`
	if x == 2 {
		t.Log("two")
	}
}

// The goroutine may exit while the tests run, or when they are over (EXIT3 of the machine).
func TestExitLeftBehind(t *testing.T) {
	go func() {
		os.Exit(0) // want `panic: unexpected call to os\.Exit\(0\) during test`
	}()
}

func TestOneOrder(t *testing.T) {
	var a, b sync.Mutex
	for range 2 {
		go func() {
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		}()
	}
}

func TestReceiver(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
}

func TestJoined(t *testing.T) {
	var wg sync.WaitGroup
	x := 0
	wg.Go(func() { x = 1 })
	wg.Wait()
	_ = x + 0
}

// A test has a goroutine of its own: TestMain is not on its stack, which ends as a goroutine's does.
func TestOwnStack(t *testing.T) {
	go func() {}()
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	var names []string
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		names = append(names, f.Function)
	}
	if got := strings.Join(names, " "); !strings.HasSuffix(got, "testmain.TestOwnStack testing.tRunner runtime.goexit") || len(names) != 3 {
		t.Error(got)
	}
	if _, file, line, ok := runtime.Caller(2); !ok || line == 0 || !strings.Contains(file, "/src/runtime/") {
		t.Error(file, line, ok)
	}
	if s := string(debug.Stack()); strings.Contains(s, "TestMain(") {
		t.Error(s)
	}
}
