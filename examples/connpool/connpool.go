// Package connpool shares a few connections among many users.
package connpool

import "sync"

// A Conn is a connection.
type Conn struct {
	ID int
}

// A Pool holds the connections that nobody uses.
type Pool struct {
	returned chan struct{} // tells a waiting Get that a connection came back

	mu   sync.Mutex
	idle []*Conn
}

// New returns a pool of n connections.
func New(n int) *Pool {
	p := &Pool{returned: make(chan struct{})}
	for id := range n {
		p.idle = append(p.idle, &Conn{ID: id})
	}
	return p
}

// Get takes a connection out of the pool, and waits for one if there is none.
func (p *Pool) Get() *Conn {
	for {
		p.mu.Lock()
		if n := len(p.idle); n > 0 {
			c := p.idle[n-1]
			p.idle = p.idle[:n-1]
			p.mu.Unlock()
			return c
		}
		p.mu.Unlock()
		// BUG: a Put that runs after the check and before this line finds nobody
		// waiting, and this goroutine sleeps on beside an idle connection.
		<-p.returned
	}
}

// Put gives a connection back.
func (p *Pool) Put(c *Conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	select {
	case p.returned <- struct{}{}:
	default: // nobody waits
	}
}
