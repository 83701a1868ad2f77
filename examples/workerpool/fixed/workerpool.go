// Package workerpool runs jobs on a fixed number of goroutines.
package workerpool

import (
	"errors"
	"sync"
)

// ErrClosed is returned by Submit after Close.
var ErrClosed = errors.New("workerpool: closed")

// A Pool runs the jobs submitted to it.
type Pool struct {
	jobs    chan func()
	workers sync.WaitGroup

	mu     sync.Mutex
	closed bool
}

// New starts a pool with n workers.
func New(n int) *Pool {
	p := &Pool{jobs: make(chan func(), n)}
	for range n {
		p.workers.Go(p.work)
	}
	return p
}

func (p *Pool) work() {
	for job := range p.jobs {
		job()
	}
}

// Submit hands a job to the pool.
func (p *Pool) Submit(job func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return ErrClosed
	}
	// The lock is held across the send, so Close cannot come between. No worker
	// needs the lock, so a full queue still drains.
	p.jobs <- job
	return nil
}

// Close waits for the jobs that were accepted, and stops the workers. It must
// be called once.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	close(p.jobs)
	p.workers.Wait()
}
