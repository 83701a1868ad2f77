// Package testingt uses testing.T after the test has completed.
package testingt

import (
	"sync"
	"testing"
)

func TestLogAfterEnd(t *testing.T) {
	go func() { t.Log("still there") }() // want `panic: Log in goroutine after TestLogAfterEnd has completed: still there, by G1\.1 in \(\*testing\.common\)\.Log\n.*\n\tin TestLogAfterEnd`
}

func TestErrorAfterEnd(t *testing.T) {
	done := make(chan bool, 1)
	go func() {
		done <- true
		t.Error("too late") // want `panic: Fail in goroutine after TestErrorAfterEnd has completed, by G1\.1 in \(\*testing\.common\)\.Error\n.*\n\tin TestErrorAfterEnd` `panic: Log in goroutine after TestErrorAfterEnd has completed: too late, by G1\.1 in \(\*testing\.common\)\.Error\n.*\n\tin TestErrorAfterEnd` `test failure: too late, by G1\.1\n.*\n\tin TestErrorAfterEnd` `data race: c read here in \(\*testing\.common\)\.Error by G1\.1, written at \S+testing\.go:\d+ by G1\n.*\n\tin TestErrorAfterEnd`
	}()
	<-done
}

// The test still runs, its subtest does not.
func TestSubtestAfterEnd(t *testing.T) {
	done := make(chan bool)
	t.Run("sub", func(t *testing.T) {
		go func() {
			t.Fail() // want `panic: Fail in goroutine after TestSubtestAfterEnd/sub has completed, by G1\.1\.1 in \(\*testing\.common\)\.Fail\n.*\n\tin TestSubtestAfterEnd` `test failure: the test fails, by G1\.1\.1\n.*\n\tin TestSubtestAfterEnd` `data race: c read here in \(\*testing\.common\)\.Fail by G1\.1\.1, written at \S+testing\.go:\d+ by G1\.1\n.*\n\tin TestSubtestAfterEnd`
			done <- true
		}()
	})
	<-done
}

// What a subtest logs too late goes to the test around it. Whether it is too late testing looks up without a lock.
func TestSubtestLogs(t *testing.T) {
	done := make(chan bool)
	t.Run("sub", func(t *testing.T) {
		go func() {
			t.Log("in sub") // want `data race: c read here in \(\*testing\.common\)\.Log by G1\.1\.1, written at testing/testing\.go:\d+ by G1\.1\n.*\n\tin TestSubtestLogs`
			done <- true
		}()
	})
	<-done
}

func TestSubtestLogsLater(t *testing.T) { // verdict: exhausted
	over, done := make(chan bool), make(chan bool)
	t.Run("sub", func(t *testing.T) {
		go func() {
			<-over
			t.Log("in sub")
			done <- true
		}()
	})
	close(over)
	<-done
}

// A parallel subtest lets T.Run go on, which looks whether it has failed.
func TestParallelFails(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		done := make(chan bool)
		go func() {
			t.Fail() // want `data race: c written here by G1\.1\.1, read at testingt_test\.go:\d+ by G1\n.*\n\tin TestParallelFails` `test failure: the test fails, by G1\.1\.1\n.*\n\tin TestParallelFails`
			close(done)
		}()
		t.Parallel()
		<-done
	})
}

func TestParallelFailsLater(t *testing.T) {
	t.Run("sub", func(t *testing.T) {
		t.Parallel()
		done := make(chan bool)
		go func() {
			t.Fail() // want `test failure: the test fails, by G1\.1\.1\n.*\n\tin TestParallelFailsLater`
			close(done)
		}()
		<-done
	})
}

// Two subtests add themselves to the parallel ones of their parent.
// One that gets lost is not waited for.
func TestParallelAtOnce(t *testing.T) { // want `data race: c\.parent\.ran .*written at testing/testing\.go:\d+ by G1\.\d\.1, read in package testing by G1\n.*\n\tin TestParallelAtOnce`
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			t.Run("sub", func(t *testing.T) {
				t.Parallel() // want `data race: t\.common\.parent\.sub written here by G1\.\d\.1, read here .*\n.*\n\tin TestParallelAtOnce`
			})
		})
	}
	wg.Wait()
}

func TestLogBeforeEnd(t *testing.T) { // verdict: exhausted
	done := make(chan bool)
	go func() {
		t.Log("still there")
		close(done)
	}()
	<-done
}

func TestCleanupWaits(t *testing.T) { // verdict: exhausted
	var wg sync.WaitGroup
	t.Cleanup(wg.Wait)
	wg.Go(func() { t.Log("before the end") })
}

// The outer test outlives the goroutine of the subtest.
func TestOuter(t *testing.T) { // verdict: exhausted
	done := make(chan bool)
	t.Run("sub", func(*testing.T) {
		go func() {
			t.Log("in the outer test")
			done <- true
		}()
	})
	<-done
}

// A T that the program has made itself, as tests of assertions do, is not the test.
func TestFakeFails(t *testing.T) {
	fake := new(testing.T)
	done := make(chan bool)
	go func() {
		fake.Error("as it should")
		close(done)
	}()
	<-done
	if !fake.Failed() {
		t.Error("it did not fail")
	}
}

func TestFakeDoesNotFail(t *testing.T) {
	fake := new(testing.T)
	done := make(chan bool)
	go func() { close(done) }()
	<-done
	if !fake.Failed() {
		t.Error("it did not fail") // want "test failure"
	}
}

type recorder struct{ testing.T }

func TestEmbeddedFakeFails(t *testing.T) {
	var r recorder
	done := make(chan bool)
	go func() {
		defer close(done)
		r.Fatal("as it should") // ends this goroutine alone
	}()
	<-done
	t.Run("sub", func(t *testing.T) {
		if !r.Failed() {
			t.Error("it did not fail")
		}
	})
}

func TestFakeSkips(t *testing.T) { // verdict: exhausted
	done := make(chan bool)
	go func() {
		defer close(done)
		new(testing.T).SkipNow()
	}()
	<-done
}

// Nor are tests that the program runs by itself.
func TestOthersFail(t *testing.T) {
	all := func(string, string) (bool, error) { return true, nil }
	ok := testing.RunTests(all, []testing.InternalTest{{Name: "TestInner", F: func(t *testing.T) {
		t.Run("sub", func(t *testing.T) { t.Error("as it should") })
		done := make(chan bool)
		go func() { close(done) }()
		<-done
	}}})
	if ok {
		t.Error("it did not fail")
	}
}

func TestOthersSkip(t *testing.T) { // verdict: exhausted
	all := func(string, string) (bool, error) { return true, nil }
	testing.RunTests(all, []testing.InternalTest{{Name: "TestInner", F: func(t *testing.T) { t.Skip("as it may") }}})
	done := make(chan bool)
	go func() { close(done) }()
	<-done
}
