package bubbles

// This file has tests of bubbles beside which another goroutine does something to the test.

import (
	"testing"
	"testing/synctest"
	"time"
)

// The read of what the test has come to is synctest.Test's.
func TestFailedBeside(t *testing.T) {
	c, done := make(chan *testing.T, 1), make(chan bool)
	go func() {
		defer close(done)
		defer func() { recover() }()
		(<-c).Fail() // want `data race: c read here in .*, written at testing/testing\.go:\d+ by G1\.2\.1\n.*\n\tin TestFailedBeside` `data race: c written here in .*, read at testing/testing\.go:\d+ by G1\.2\n.*\n\tin TestFailedBeside` `test failure: the test fails, by G1\.1\n.*\n\tin TestFailedBeside`
	}()
	synctest.Test(t, func(t *testing.T) { c <- t })
	<-done
}

func TestFailedInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		go func() {
			defer func() { recover() }()
			t.Fail() // want `data race: c read here in .*, written at testing/testing\.go:\d+ by G1\.1\.1\n.*\n\tin TestFailedInBubble` `data race: c written here in .*, read at testing/testing\.go:\d+ by G1\.1\n.*\n\tin TestFailedInBubble` `test failure: the test fails, by G1\.1\.1\.1\n.*\n\tin TestFailedInBubble`
		}()
	})
}

// When the subtest ends, its cleanups are run. Compiled, with sleeps, the process ends with this panic, too.
func TestBesideCleanup(t *testing.T) {
	done := make(chan bool)
	t.Run("sub", func(t *testing.T) {
		t.Cleanup(func() {})
		go func() {
			defer close(done)
			synctest.Test(t, func(t *testing.T) { time.Sleep(1) }) // want `panic: testing: synctest\.Run called during t\.Cleanup, by G1\.1\.1\.1 .*\n.*\n\tin TestBesideCleanup`
		}()
	})
	<-done
}

func TestBeforeCleanup(t *testing.T) {
	done := make(chan bool)
	t.Run("sub", func(t *testing.T) {
		t.Cleanup(func() {})
		go func() {
			defer close(done)
			synctest.Test(t, func(t *testing.T) { time.Sleep(1) })
		}()
		<-done
	})
}
