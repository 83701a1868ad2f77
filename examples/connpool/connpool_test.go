package connpool

import (
	"sync"
	"testing"
)

func TestGetWaitsForPut(t *testing.T) {
	p := New(1)
	c := p.Get()

	var got *Conn
	var wg sync.WaitGroup
	wg.Go(func() { got = p.Get() })
	p.Put(c)
	wg.Wait()

	if got != c {
		t.Errorf("Get = %v, want %v", got, c)
	}
}
