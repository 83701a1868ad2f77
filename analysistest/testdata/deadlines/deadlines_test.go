// Package deadlines asks contexts for their deadlines.
package deadlines

import (
	"context"
	"testing"
	"time"
)

func TestAsks(t *testing.T) {
	before := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	after := time.Now()
	end, ok := ctx.Deadline()
	if !ok || end.Before(before.Add(time.Minute)) || end.After(after.Add(time.Minute)) {
		t.Error(end)
	}
}

// The end does not depend on when it is asked for.
func TestAsksLate(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	first, _ := ctx.Deadline()
	<-ctx.Done()
	if last, _ := ctx.Deadline(); !last.Equal(first) || !time.Now().After(first) {
		t.Error(first, last)
	}
}

// Of two contexts the one that was made later ends later.
func TestAsksTwo(t *testing.T) {
	a, cancelA := context.WithTimeout(context.Background(), time.Second)
	defer cancelA()
	b, cancelB := context.WithTimeout(context.Background(), time.Second)
	defer cancelB()
	x, _ := a.Deadline()
	y, _ := b.Deadline()
	if !y.After(x) {
		t.Error(x, y)
	}
}

func TestAsksInner(t *testing.T) {
	outer, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	inner, cancelInner := context.WithTimeout(outer, time.Minute)
	defer cancelInner()
	x, _ := outer.Deadline()
	if y, ok := inner.Deadline(); !ok || !y.Equal(x) {
		t.Error(x, y)
	}
}

// either waits for a second, or not.
func either() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	select {
	case <-a:
	case <-b:
		time.Sleep(time.Second)
	}
}

// TestAsksOneWay: at the second choice nothing but the deadline, which the goroutine has still to read, says which way
// the first one went.
func TestAsksOneWay(t *testing.T) {
	begin := time.Now()
	either()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, d := make(chan int, 1), make(chan int, 1)
	c <- 1
	d <- 1
	select {
	case <-c:
	case <-d:
		if end, _ := ctx.Deadline(); end.Sub(begin) > 5500*time.Millisecond {
			panic("made after a second")
		}
	}
}
