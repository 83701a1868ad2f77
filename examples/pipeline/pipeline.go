// Package pipeline connects stages by channels. Every stage is a goroutine that
// ends when its input does, or when the context is cancelled.
package pipeline

import "context"

// Count is the first stage: it sends 1 … n.
func Count(ctx context.Context, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 1; i <= n; i++ {
			select {
			case out <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

// Square is the second stage: it sends the squares of what it receives.
func Square(ctx context.Context, in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range in {
			// BUG: after a cancellation nobody receives any more, and this send,
			// which does not look at ctx, blocks its goroutine for ever.
			out <- i * i
		}
	}()
	return out
}
