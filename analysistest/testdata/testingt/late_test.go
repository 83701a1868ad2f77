package testingt

import (
	"testing"
	"time"
)

// Whoever fails a subtest from another goroutine may come too late for it, or for its parent.
//
// panics: Fail in goroutine after TestFailLate has completed | Fail in goroutine after TestFailLate/s has completed
func TestFailLate(t *testing.T) {
	t.Run("s", func(t *testing.T) { go t.Fail() })
}

// Here it comes in time.
//
// panics: -
func TestFailInTime(t *testing.T) {
	t.Run("s", func(t *testing.T) {
		done := make(chan bool)
		go func() {
			t.Fail()
			close(done)
		}()
		<-done
	})
}

// Here it comes too late for the subtest alone.
//
// panics: Fail in goroutine after TestFailAfter/s has completed
func TestFailAfter(t *testing.T) {
	in, done := make(chan bool), make(chan bool)
	t.Run("s", func(t *testing.T) {
		go func() {
			defer close(done)
			<-in
			t.Fail()
		}()
	})
	close(in)
	<-done
}

// t.Parallel of a test that has ended waits for nothing, and does no harm.
//
// panics: -
func TestParallelLate(t *testing.T) {
	go func() {
		time.Sleep(time.Millisecond)
		t.Parallel()
	}()
}
