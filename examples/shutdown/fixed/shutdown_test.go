package shutdown

import (
	"sync"
	"testing"
)

func TestStopTwice(t *testing.T) {
	s := New()

	var wg sync.WaitGroup
	wg.Go(s.Stop) // as a signal handler would
	s.Stop()
	wg.Wait()

	s.Wait()
}
