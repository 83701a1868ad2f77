package none

import "testing"

// TestRace has no fix of the known kinds that is right: a message that two goroutines put together.
func TestRace(t *testing.T) {
	var s []int
	done := make(chan bool)
	go func() {
		s = append(s, 1)
		close(done)
	}()
	s = append(s, 2)
	<-done
	if len(s) != 2 {
		t.Error(s)
	}
}
