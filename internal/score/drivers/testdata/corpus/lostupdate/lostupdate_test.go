package lostupdate

import (
	"sync/atomic"
	"testing"
)

func TestUpdate(t *testing.T) {
	var n atomic.Int32
	done := make(chan bool)
	go func() {
		n.Store(n.Load() + 1)
		done <- true
	}()
	n.Store(n.Load() + 1)
	<-done
	if n.Load() != 2 {
		t.Fatal("an update is lost") // want "test failure"
	}
}
