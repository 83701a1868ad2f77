// Package private asks for state that packages testing and os, and the registries of the standard library, keep: each order of what two goroutines do to it
// is a panic that says what was seen. The comment of a test lists them all; "-" stands for an execution without a panic.
package private

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// two runs a and b in two goroutines, and waits for both.
func two(a, b func()) {
	var wg sync.WaitGroup
	wg.Go(a)
	wg.Go(b)
	wg.Wait()
}

// after is true in the goroutine that comes second.
func say(args ...any) { panic(strings.TrimSpace(fmt.Sprintln(args...))) }

// The last that is added runs first.
//
// panics: ab | ba
func TestCleanupOrder(t *testing.T) {
	var s string
	t.Cleanup(func() { panic(s) })
	two(func() { t.Cleanup(func() { s += "a" }) }, func() { t.Cleanup(func() { s += "b" }) })
}

// A subtest ends while another goroutine adds to it: the function runs, or never does.
//
// panics: ran | lost
func TestCleanupLate(t *testing.T) {
	done, ran := make(chan bool), false
	t.Run("s", func(s *testing.T) {
		go func() { s.Cleanup(func() { ran = true }); close(done) }()
	})
	<-done
	if ran {
		panic("ran")
	}
	panic("lost")
}

// One goroutine, and two tests that do not meet: one order.
//
// panics: ba
func TestCleanupApart(t *testing.T) {
	var s string
	t.Cleanup(func() { panic(s) })
	t.Cleanup(func() { s += "a" })
	t.Cleanup(func() { s += "b" })
	two(func() { t.Log("x") }, func() { t.Log("y") })
}

// panics: 001 002 | 002 001
func TestTempDirNumbers(t *testing.T) {
	var a, b string
	two(func() { a = filepath.Base(t.TempDir()) }, func() { b = filepath.Base(t.TempDir()) })
	say(a, b)
}

// panics: 002
func TestTempDirAlone(t *testing.T) {
	t.TempDir()
	dir := ""
	two(func() { dir = t.TempDir() }, func() { t.Log("x") })
	say(filepath.Base(dir))
}

// panics: x#01 x | x x#01
func TestRunNames(t *testing.T) {
	var a, b string
	two(func() { t.Run("x", func(s *testing.T) { a = s.Name() }) }, func() { t.Run("x", func(s *testing.T) { b = s.Name() }) })
	say(strings.TrimPrefix(a, "TestRunNames/"), strings.TrimPrefix(b, "TestRunNames/"))
}

// panics: x y
func TestRunOtherNames(t *testing.T) {
	var a, b string
	two(func() { t.Run("x", func(s *testing.T) { a = s.Name() }) }, func() { t.Run("y", func(s *testing.T) { b = s.Name() }) })
	say(strings.TrimPrefix(a, "TestRunOtherNames/"), strings.TrimPrefix(b, "TestRunOtherNames/"))
}

// panics: skipped | not skipped
func TestSkipped(t *testing.T) {
	go t.SkipNow()
	if t.Skipped() {
		panic("skipped")
	}
	panic("not skipped")
}

// panics: skipped | not skipped
func TestSkippedSubtest(t *testing.T) {
	t.Run("s", func(s *testing.T) {
		seen := make(chan bool)
		go func() { seen <- s.Skipped() }()
		s.Cleanup(func() {
			if <-seen {
				panic("skipped")
			}
			panic("not skipped")
		})
		s.Skip("here")
	})
}

// panics: skipped
func TestSkippedAfter(t *testing.T) {
	done := make(chan bool)
	go func() { defer close(done); t.Skip("x") }()
	<-done
	if t.Skipped() {
		panic("skipped")
	}
	panic("not skipped")
}

// Log looks for a test that has not completed, and then writes to it: it may have completed meanwhile.
//
// finds: datarace
// panics: - | Log in goroutine after TestLogAfterParents/s has completed: x | Write called after TestLogAfterParents has completed | Write called after TestLogAfterParents/s has completed
func TestLogAfterParents(t *testing.T) {
	t.Run("s", func(t *testing.T) { go func() { t.Log("x") }() })
}

// The parent is still there.
//
// finds: datarace
// panics: -
func TestLogBeforeParents(t *testing.T) {
	done := make(chan bool)
	t.Run("s", func(t *testing.T) { go func() { t.Log("x"); close(done) }() })
	<-done
}

// finds: datarace
// panics: - | Log in goroutine after TestLogAfterParentsOfTwo/s/r has completed: x | Write called after TestLogAfterParentsOfTwo has completed | Write called after TestLogAfterParentsOfTwo/s has completed | Write called after TestLogAfterParentsOfTwo/s/r has completed
func TestLogAfterParentsOfTwo(t *testing.T) {
	t.Run("s", func(t *testing.T) { t.Run("r", func(t *testing.T) { go func() { t.Log("x") }() }) })
}

// recovered is what f panics with.
func recovered(f func()) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	f()
	return
}

// panics: - | late at once | late in between
func TestLogRecovered(t *testing.T) {
	go func() {
		switch recovered(func() { t.Log("x") }) {
		case "Log in goroutine after TestLogRecovered has completed: x\n":
			panic("late at once")
		case "Write called after TestLogRecovered has completed":
			panic("late in between")
		}
	}()
}

// Who waits for the goroutine gives it nothing to be late for.
//
// panics: -
func TestLogRecoveredInTime(t *testing.T) {
	done := make(chan bool)
	go func() {
		defer close(done)
		if recovered(func() { t.Log("x") }) != "<nil>" {
			panic("late")
		}
	}()
	<-done
}

// finds: datarace
// panics: - | Output called after TestOutput/s has completed
func TestOutput(t *testing.T) {
	t.Run("s", func(t *testing.T) { go func() { t.Output() }() })
}

// finds: datarace
// panics: - | Write called after TestOutputWrite/s has completed
func TestOutputWrite(t *testing.T) {
	t.Run("s", func(t *testing.T) { w := t.Output(); go func() { fmt.Fprintln(w, "x") }() })
}

// Nothing is said after the end.
//
// panics: -
func TestHelperAndName(t *testing.T) {
	t.Run("s", func(t *testing.T) { go func() { t.Helper(); _ = t.Name() }() })
}

// finds: datarace testfailure
// panics: - | Fail in goroutine after TestFailAfter/s has completed | Fail in goroutine after TestFailAfter has completed
func TestFailAfter(t *testing.T) {
	t.Run("s", func(t *testing.T) { go t.Fail() })
}

// panics: b | nothing
func TestSetenv(t *testing.T) {
	go os.Setenv("HEDDLE_X", "b")
	t.Run("s", func(t *testing.T) { t.Setenv("HEDDLE_X", "a") })
	if v, ok := os.LookupEnv("HEDDLE_X"); ok {
		panic(v)
	}
	panic("nothing")
}

// panics: true | false
func TestChdir(t *testing.T) {
	dir := t.TempDir()
	moved := make(chan bool)
	go func() { wd, _ := os.Getwd(); moved <- wd == dir }()
	t.Chdir(dir)
	say(<-moved)
}

// panics: true | false
func TestRelative(t *testing.T) {
	dir := t.TempDir()
	there := make(chan bool)
	go func() { _, err := os.Stat("testing_test.go"); there <- err == nil }()
	os.Chdir(dir)
	say(<-there)
}

// panics: <nil> | context canceled
func TestContext(t *testing.T) {
	seen := make(chan error)
	t.Run("s", func(t *testing.T) { go func() { seen <- t.Context().Err() }() })
	say(<-seen)
}

// panics: ab | ba
func TestParallelRun(t *testing.T) {
	var s string
	t.Cleanup(func() { panic(s) })
	c := make(chan string, 2)
	t.Run("a", func(t *testing.T) { t.Parallel(); c <- "a" })
	t.Run("b", func(t *testing.T) { t.Parallel(); c <- "b" })
	t.Cleanup(func() { s = <-c + <-c })
}

// panics: 1 2 | 2 1
func FuzzAdd(f *testing.F) {
	var seen []any
	f.Cleanup(func() { say(seen...) })
	two(func() { f.Add(1) }, func() { f.Add(2) })
	f.Fuzz(func(t *testing.T, i int) { seen = append(seen, i) })
}
