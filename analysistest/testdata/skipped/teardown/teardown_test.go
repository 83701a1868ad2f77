// Package teardown has a TestMain that starts something before the tests, and stops it after them, however they end.
package teardown

import (
	"os"
	"runtime"
	"sync"
	"testing"
)

var (
	mu    sync.Mutex
	ended int
)

func TestMain(m *testing.M) {
	defer func() { recover() }() // of no test's panic
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		<-stop
		ended++ // want `data race: ended (?s:.*)\sin TestLeaves`
		close(stopped)
	}()
	code := m.Run() // want `panic: replaced; panic: test executed panic\(nil\) or runtime.Goexit` `the test fails(?s:.*)\sin TestFailsLate`
	close(stop)
	<-stopped
	mu.Lock() // want `deadlock: G1 blocked here in Mutex.Lock(?s:.*)\sin TestKeepsLock`
	os.Exit(code)
}

func TestSkips(t *testing.T) { // verdict: skipped `"no"`
	t.Skip("no")
}

func TestFails(t *testing.T) { // verdict: exhausted
	done := make(chan bool)
	go func() { close(done) }()
	<-done
	t.FailNow() // want `the test fails`
}

func TestExits(t *testing.T) { // verdict: exhausted
	defer runtime.Goexit()
	panic("replaced")
}

func TestFailsLate(t *testing.T) { // verdict: exhausted
	t.Cleanup(t.FailNow)
}

func FuzzSkips(f *testing.F) { // verdict: skipped `"no"`
	f.Skip("no")
}

func TestPanics(t *testing.T) { // verdict: exhausted
	done := make(chan bool)
	go func() { close(done) }()
	<-done
	panic("not recovered") // want `panic: not recovered`
}

func TestLeaves(t *testing.T) { // verdict: skipped `^skipped$`
	go func() { _ = ended + 1 }()
	t.SkipNow()
}

func TestKeepsLock(t *testing.T) { // verdict: skipped `"with it"`
	mu.Lock()
	t.Skip("with it")
}
