package atomic

import (
	"sync"
	"testing"
)

type stats struct {
	hits int
	name string
}

func (s *stats) hit()       { s.hits++ }
func (s *stats) total() int { return s.hits }

func TestHits(t *testing.T) {
	s := &stats{name: "x"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(s.hit)
	}
	_ = s.total()
	wg.Wait()
	if s.hits != 2 {
		t.Error(s.hits)
	}
}
