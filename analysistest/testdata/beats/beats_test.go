// Package beats holds a test in which each tick that is known shows the next one.
package beats

import (
	"context"
	"testing"
	"time"
)

func TestBeats(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Millisecond)
	defer cancel()
	beat, done := make(chan int), make(chan bool)
	go func() {
		defer close(done)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				select {
				case beat <- i:
				default:
				}
			}
		}
	}()
	for {
		select {
		case <-beat:
		case <-done:
			return
		}
	}
}

// TestBeatsCounted is TestBeats with a number that says which tick it is.
func TestBeatsCounted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
	defer cancel()
	beat, done := make(chan int), make(chan bool)
	go func() {
		defer close(done)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		n := 0
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				n++
				select {
				case beat <- n:
				default:
				}
			}
		}
	}()
	sum := 0
	for {
		select {
		case n := <-beat:
			sum += n
		case <-done:
			if sum < 0 {
				t.Error(sum)
			}
			return
		}
	}
}
