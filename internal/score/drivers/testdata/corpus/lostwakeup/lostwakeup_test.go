package lostwakeup

import (
	"sync"
	"testing"
)

func TestWake(t *testing.T) {
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	go func() { c.Signal() }()
	mu.Lock()
	c.Wait() // want "deadlock"
	mu.Unlock()
}
