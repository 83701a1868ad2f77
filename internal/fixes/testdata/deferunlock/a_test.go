package deferunlock

import (
	"sync"
	"testing"
)

type store struct {
	mu sync.Mutex
	m  map[string]int
}

func (s *store) get(k string) (int, bool) {
	s.mu.Lock()
	v, ok := s.m[k]
	if !ok {
		return 0, false
	}
	s.mu.Unlock()
	return v, true
}

func TestStore(t *testing.T) {
	s := &store{}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s.get("a") })
	}
	wg.Wait()
}
