package pubsub

import (
	"sync"
	"testing"
)

func TestPublishDuringClose(t *testing.T) {
	b := NewBroker()
	s := b.Subscribe()

	var wg sync.WaitGroup
	wg.Go(s.Close)
	b.Publish("hello")
	wg.Wait()

	if got := s.Messages(); len(got) > 1 {
		t.Errorf("got %q, want at most one message", got)
	}
}
