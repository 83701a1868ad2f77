// Package stuck starts no goroutine, and waits for ever.
package stuck

import (
	"fmt"
	"io"
	"sync"
)

type cache struct {
	mu sync.Mutex
	m  map[string]int
}

func (c *cache) get(k string) int {
	c.mu.Lock() // want `deadlock: .*Mutex.Lock \(held by itself\)`
	defer c.mu.Unlock()
	return c.m[k]
}

func (c *cache) add(k string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = c.get(k) + 1
}

type late struct{ c chan int }

func (l late) String() string {
	return fmt.Sprint(<-l.c) // want `deadlock: .*chan receive`
}

func read() {
	r, _ := io.Pipe()
	io.ReadAll(r) // want `deadlock: `
}

type both struct{ sync.RWMutex }

func apply(f func()) {
	f() // want `deadlock: .*Mutex.Lock`
}
