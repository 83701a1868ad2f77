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
	if l.tokens.Load() <= 0 {
		return false
	}
	// BUG: each step is atomic, the two together are not: two goroutines can
	// both see the last token and both take it.
	l.tokens.Add(-1)
	return true
}
