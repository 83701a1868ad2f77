package ratelimiter

import (
	"sync"
	"testing"
)

func TestOneTokenIsTakenOnce(t *testing.T) {
	l := New(1)

	var first, second bool
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		first = l.Allow()
	}()
	second = l.Allow()
	wg.Wait()

	if first == second {
		t.Errorf("Allow returned %v and %v, want one true", first, second)
	}
}
