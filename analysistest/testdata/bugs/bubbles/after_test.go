package bubbles

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// This file has what a bubble leaves behind: it stays the bubble's when that has ended.

// leave returns what was made in a bubble.
func leave(t *testing.T) (c chan int, tm *time.Timer, wg *sync.WaitGroup) {
	synctest.Test(t, func(t *testing.T) {
		c = make(chan int, 2)
		c <- 1
		tm = time.NewTimer(time.Hour)
		wg = new(sync.WaitGroup)
		wg.Add(1)
	})
	return
}

func TestLeftOpen(t *testing.T) {
	c, _, _ := leave(t)
	close(c) // want `fatal error: close of synctest channel from outside bubble`
}

func TestLeftToSend(t *testing.T) {
	c, _, _ := leave(t)
	c <- 1 // want `fatal error: send on synctest channel from outside bubble`
}

func TestLeftToPoll(t *testing.T) {
	c, _, _ := leave(t)
	select { // want `fatal error: receive on synctest channel from outside bubble`
	case <-c:
	default:
	}
}

func TestLeftToSelect(t *testing.T) {
	c, tm, _ := leave(t)
	select { // want `fatal error: select on synctest channel from outside bubble`
	case <-c:
	case <-tm.C:
	}
}

func TestLeftToCount(t *testing.T) {
	c, _, _ := leave(t)
	if len(c) != 1 || cap(c) != 2 {
		t.Error(len(c), cap(c))
	}
}

func TestLeftTimer(t *testing.T) {
	_, tm, _ := leave(t)
	<-tm.C // want `fatal error: receive on synctest channel from outside bubble`
}

func TestLeftGroup(t *testing.T) {
	_, _, wg := leave(t)
	wg.Done() // want `fatal error: sync: WaitGroup\.Add called from inside and outside synctest bubble`
}

// A context makes its channel for who asks first.
func TestLeftContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	synctest.Test(t, func(t *testing.T) {
		_, stop := context.WithCancel(ctx)
		stop()
	})
	cancel() // want `fatal error: close of synctest channel from outside bubble`
}

func TestContextAskedBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ctx.Done()
	synctest.Test(t, func(t *testing.T) {
		_, stop := context.WithCancel(ctx)
		stop()
	})
	cancel()
}

func TestNextBubbleStops(t *testing.T) {
	_, tm, _ := leave(t)
	synctest.Test(t, func(t *testing.T) { tm.Stop() })
}
