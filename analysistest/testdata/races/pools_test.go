package races

// This file has what operations on a sync.Pool order: that a value was put is before the Get that returns it.

import (
	"sync"
	"testing"
)

// pooled has one goroutine write x and operate on a Pool. Another learns of it by the length of a channel, and does
// something to the Pool before it reads x, if that returns true.
func pooled(p *sync.Pool, op func(), then func() bool) {
	x, c := 0, make(chan int, 1)
	beside(func() { x = 1; op(); c <- 1 }, func() {
		if len(c) == 1 && then() {
			sink = x
		}
	})
}

func TestRacePoolPuts(t *testing.T) {
	p, a, b := new(sync.Pool), new(int), new(int)
	pooled(p, func() { p.Put(a) }, func() bool { p.Put(b); return true })
}

func TestRacePoolGets(t *testing.T) {
	p := new(sync.Pool)
	pooled(p, func() { p.Get() }, func() bool { p.Get(); return true })
}

func TestRacePoolGetThenPut(t *testing.T) {
	p, a := new(sync.Pool), new(int)
	pooled(p, func() { p.Get() }, func() bool { p.Put(a); return true })
}

func TestRacePoolGetOfOther(t *testing.T) {
	p, a, b := new(sync.Pool), new(int), new(int)
	p.Put(b)
	pooled(p, func() { p.Put(a) }, func() bool { return p.Get() == b })
}

func TestQuietPoolGet(t *testing.T) {
	p, a := new(sync.Pool), new(int)
	pooled(p, func() { p.Put(a) }, func() bool { return p.Get() == a })
}

func TestQuietPoolGetOfNumber(t *testing.T) {
	p := new(sync.Pool)
	pooled(p, func() { p.Put(1000) }, func() bool { return p.Get() != nil })
}

func TestQuietPoolGetOfTwo(t *testing.T) {
	p, a, b := new(sync.Pool), new(int), new(int)
	pooled(p, func() { p.Put(a); p.Put(b) }, func() bool { return p.Get() != nil && p.Get() != nil })
}
