package cache

import (
	"strings"
	"sync"
	"testing"
)

func TestGetLoadsOnce(t *testing.T) {
	c := New(strings.ToUpper)

	var wg sync.WaitGroup
	wg.Go(func() { c.Get("a") })
	c.Get("a")
	wg.Wait()

	if got := c.Get("a"); got != "A" {
		t.Errorf("Get = %q, want %q", got, "A")
	}
	if got := c.Loads(); got != 1 {
		t.Errorf("Loads = %d, want 1", got)
	}
}
