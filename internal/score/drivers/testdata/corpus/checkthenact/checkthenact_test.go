package checkthenact

import (
	"sync/atomic"
	"testing"
)

func TestOnce(t *testing.T) {
	var started, n atomic.Int32
	done := make(chan bool)
	start := func() {
		if started.Load() == 0 {
			started.Store(1)
			n.Add(1)
		}
	}
	go func() {
		start()
		done <- true
	}()
	start()
	<-done
	if n.Load() != 1 {
		t.Errorf("started %d times", n.Load()) // want "test failure"
	}
}
