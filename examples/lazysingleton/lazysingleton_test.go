package lazysingleton

import (
	"sync"
	"testing"
)

var metrics Metrics

func TestInc(t *testing.T) {
	before := metrics.Count("hit")

	var wg sync.WaitGroup
	wg.Go(func() { metrics.Inc("hit") })
	metrics.Inc("hit")
	wg.Wait()

	if got := metrics.Count("hit") - before; got != 2 {
		t.Errorf("counted %d, want 2", got)
	}
}
