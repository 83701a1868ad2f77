// Package ratelimiter is a token bucket.
package ratelimiter

import "sync/atomic"

// A Limiter allows as many calls as it has tokens.
type Limiter struct {
	tokens atomic.Int64
}

// New returns a limiter with the given number of tokens.
func New(tokens int64) *Limiter {
	l := new(Limiter)
	l.Refill(tokens)
	return l
}

// Refill adds n tokens.
func (l *Limiter) Refill(n int64) {
	l.tokens.Add(n)
}

// Allow takes a token, and reports whether there was one.
func (l *Limiter) Allow() bool {
	for {
		n := l.tokens.Load()
		if n <= 0 {
			return false
		}
		// The token is taken only if nobody has changed the count since.
		if l.tokens.CompareAndSwap(n, n-1) {
			return true
		}
	}
}
