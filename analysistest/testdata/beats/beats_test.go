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
