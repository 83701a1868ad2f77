package testingt

import "testing"

// The package names no Cleanup. All the same testing runs cleanups at the end of a test, and looks in T.Run whether it does.
//
// panics: testing: t.Run called during t.Cleanup
func TestRunAtEnd(t *testing.T) {
	done := make(chan bool)
	t.Run("a", func(t *testing.T) {
		go func() {
			t.Run("b", func(*testing.T) {})
			close(done)
		}()
	})
	<-done
}

// panics: -
func TestRunBeforeEnd(t *testing.T) {
	t.Run("a", func(t *testing.T) {
		done := make(chan bool)
		go func() {
			t.Run("b", func(*testing.T) {})
			close(done)
		}()
		<-done
	})
}
