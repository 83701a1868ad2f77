// Package contexts has goroutines that a cancelled or forgotten context leaves behind.
package contexts

import (
	"context"
	"errors"
	"testing"
	"time"
)

func fetch(ctx context.Context, ch chan int) (int, error) {
	go func() { ch <- 1 }() // want `goroutine leak: G1\.2 blocked here in chan send, started here\n.*\n\tin TestCancelled`
	select {
	case n := <-ch:
		return n, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// The caller cancels while the result is on its way.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	fetch(ctx, make(chan int))
}

// The context expires while the result is on its way.
func TestExpires(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := fetch(ctx, make(chan int)); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Nobody calls cancel.
func TestForgottenCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	_ = cancel
	go func() { <-ctx.Done() }() // want `goroutine leak: G1\.1 blocked here in chan receive, started here\n.*\n\tin TestForgottenCancel`
}

// The worker does not look at the context while it waits for work.
func TestDeafWorker(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	work := make(chan int)
	go func() {
		for ctx.Err() == nil {
			<-work // want `goroutine leak: G1\.1 blocked here in chan receive, started at \S+:\d+\n.*\n\tin TestDeafWorker`
		}
	}()
	work <- 1
	cancel()
}

func TestCancelledBuffered(t *testing.T) { // verdict: exhausted
	ctx, cancel := context.WithCancel(t.Context())
	go cancel()
	fetch(ctx, make(chan int, 1))
}

func TestExpiresBuffered(t *testing.T) { // verdict: exhausted
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := fetch(ctx, make(chan int, 1)); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestDeferredCancel(t *testing.T) { // verdict: exhausted
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { <-ctx.Done() }()
}

func TestListeningWorker(t *testing.T) { // verdict: exhausted
	ctx, cancel := context.WithCancel(context.Background())
	work := make(chan int)
	go func() {
		for {
			select {
			case <-work:
			case <-ctx.Done():
				return
			}
		}
	}()
	work <- 1
	cancel()
}
