package private

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"testing"
)

// panics: unexpected call to os.Exit(0) during test
func TestExit(t *testing.T) {
	go func() {}()
	os.Exit(0)
}

// panics: unexpected call to os.Exit(0) during test
func TestExitElsewhere(t *testing.T) {
	two(func() { os.Exit(0) }, func() {})
}

// One of two comes to it first.
//
// panics: - | unexpected call to os.Exit(0) during test
func TestExitSometimes(t *testing.T) {
	c := make(chan int, 2)
	go func() { c <- 1 }()
	go func() { c <- 2 }()
	if <-c == 2 {
		os.Exit(0)
	}
}

// panics: unexpected call to os.Exit(0) during test
func TestExitCleanup(t *testing.T) {
	go func() {}()
	t.Cleanup(func() { os.Exit(0) })
}

// It can be recovered from.
//
// panics: recovered
func TestExitRecovered(t *testing.T) {
	c := make(chan any)
	go func() {
		defer func() { c <- recover() }()
		os.Exit(0)
	}()
	if <-c != nil {
		panic("recovered")
	}
}

// What does not go through package os is no business of testing's, nor is another code (which fails the test).
//
// panics: -
func TestExitSyscall(t *testing.T) {
	go func() {}()
	syscall.Exit(0)
}

// finds: testfailure
// panics: -
func TestExitCode(t *testing.T) {
	go func() {}()
	os.Exit(3)
}

// panics: unexpected call to os.Exit(0) during test
func FuzzExit(f *testing.F) {
	f.Add(1)
	f.Fuzz(func(t *testing.T, i int) {
		go func() {}()
		os.Exit(0)
	})
}

// panics: unexpected call to os.Exit(0) during test
func ExampleExit() {
	go func() {}()
	fmt.Println("x")
	os.Exit(0)
	// Output: x
}

// A test that ends by Goexit looks whether it was told to.
//
// panics: - | test executed panic(nil) or runtime.Goexit
func TestGoexit(t *testing.T) {
	go t.SkipNow()
	runtime.Goexit()
}

// finds: testfailure
// panics: - | test executed panic(nil) or runtime.Goexit
func TestGoexitParent(t *testing.T) {
	defer func() { recover() }()
	t.Run("s", func(s *testing.T) {
		go func() { defer func() { recover() }(); t.FailNow() }()
		runtime.Goexit()
	})
}

// panics: -
func TestGoexitTold(t *testing.T) {
	go func() {}()
	defer runtime.Goexit()
	t.SkipNow()
}

// panics: -
func TestExitNever(t *testing.T) { // who came third would end the process
	var mu sync.Mutex
	n := 0
	one := func() {
		mu.Lock()
		defer mu.Unlock()
		if n++; n > 2 {
			os.Exit(0)
		}
	}
	two(one, one)
}

// panics: -
func TestExitOfOthers(t *testing.T) { // a closed channel says no
	end := make(chan bool)
	done := make(chan bool)
	go func() {
		defer close(done)
		if <-end {
			os.Exit(0)
		}
	}()
	close(end)
	<-done
}
