// Package timeout bounds the time that a query may take.
package timeout

import (
	"errors"
	"time"
)

// ErrTimeout is returned when the answer comes too late.
var ErrTimeout = errors.New("timeout: no answer in time")

// Do returns the answer of query, or ErrTimeout after limit.
func Do(limit time.Duration, query func() string) (string, error) {
	answer := make(chan string, 1) // room for an answer that nobody receives
	go func() {
		answer <- query()
	}()
	select {
	case a := <-answer:
		return a, nil
	case <-time.After(limit):
		return "", ErrTimeout
	}
}
