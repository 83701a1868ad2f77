// Package connpool shares a few connections among many users.
package connpool

import "sync"

// A Conn is a connection.
type Conn struct {
	ID int
}

// A Pool holds the connections that nobody uses.
type Pool struct {
	returned *sync.Cond // tells a waiting Get that a connection came back

	mu   sync.Mutex
	idle []*Conn
}

// New returns a pool of n connections.
func New(n int) *Pool {
	p := new(Pool)
	p.returned = sync.NewCond(&p.mu)
	for id := range n {
		p.idle = append(p.idle, &Conn{ID: id})
	}
	return p
}

// Get takes a connection out of the pool, and waits for one if there is none.
func (p *Pool) Get() *Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.idle) == 0 {
		// Wait begins to wait and releases the lock in one step, so no Put can
		// come between the check and the wait.
		p.returned.Wait()
	}
	n := len(p.idle)
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c
}

// Put gives a connection back.
func (p *Pool) Put(c *Conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	p.returned.Signal()
}
