package unlockfirst

import (
	"sync"
	"testing"
)

type hub struct {
	mu sync.Mutex
	n  int
	c  chan int
}

func (h *hub) put() {
	h.mu.Lock()
	h.n++
	h.c <- 1
	h.mu.Unlock()
}

func TestHub(t *testing.T) {
	h := &hub{c: make(chan int)}
	go h.put()
	h.mu.Lock()
	h.n++
	h.mu.Unlock()
	<-h.c
}
