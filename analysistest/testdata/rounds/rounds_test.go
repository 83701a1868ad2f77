// Package rounds has goroutines that go round until another one has done something, and change something in each round: so they have infinitely many histories.
package rounds

import (
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A counter is taken from and given back to.
type counter struct {
	mu   sync.Mutex
	free int
}

func (c *counter) take() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free == 0 {
		return false
	}
	c.free--
	return true
}

func (c *counter) give() {
	c.mu.Lock()
	c.free++
	c.mu.Unlock()
}

// TestUntilTaken: exhausted, nothing found.
func TestUntilTaken(t *testing.T) {
	c := &counter{free: 1}
	done := c.round()
	for !c.take() {
	}
	<-done
}

// TestTakenTwice: exhausted, and a panic, in a round that is not the first.
func TestTakenTwice(t *testing.T) {
	c := &counter{free: 1}
	rounds := 0
	done := make(chan bool)
	go func() {
		for c.take() {
			if rounds < 2 {
				rounds++
			}
			c.give()
		}
		if rounds == 2 {
			panic("two rounds at least")
		}
		close(done)
	}()
	for !c.take() {
	}
	<-done
}

// round starts a goroutine that takes and gives back until there is nothing to take.
func (c *counter) round() (done chan bool) {
	done = make(chan bool)
	go func() {
		for c.take() {
			c.give()
		}
		close(done)
	}()
	return done
}

// TestForEver: the goroutine does not end, and the test waits for it. That is never exhausted.
func TestForEver(t *testing.T) {
	<-(&counter{free: 1}).round()
}

// TestNotForEver: it may never end, if the test comes late.
func TestNotForEver(t *testing.T) {
	c := &counter{free: 1}
	done := c.round()
	c.take()
	<-done
}

// Nobody looks at what the ticker sends: each tick leads back.
func TestTicksUnseen(t *testing.T) {
	var x, n atomic.Int32
	stop := make(chan bool)
	go func() {
		tick := time.NewTicker(10 * time.Millisecond)
		for {
			select {
			case <-tick.C:
				n.Store(x.Load())
			case <-stop:
				return
			}
		}
	}()
	time.Sleep(35 * time.Millisecond)
	x.Store(1)
	close(stop)
}

// The first two ticks are as far apart as they should be: they are looked at.
func TestTicksSeen(t *testing.T) {
	tick := time.NewTicker(time.Millisecond)
	if a, b := <-tick.C, <-tick.C; b.Sub(a) < time.Millisecond {
		panic("early")
	}
	for b := range tick.C {
		if b.IsZero() {
			panic("zero")
		}
		return
	}
}

// Who starts a timer has not read the clock.
func TestTimerIsNoReading(t *testing.T) {
	before := time.Now()
	time.NewTimer(time.Hour)
	if time.Since(before) != 1 {
		panic("the clock was read")
	}
}

// When a test ends is nobody's matter: rule TIME9 of the Go machine.
func TestEndsAtAnyTime(t *testing.T) {
	for d := time.Millisecond; d < 8*time.Millisecond; d *= 2 {
		var x atomic.Int32
		done := make(chan bool)
		go func() {
			if x.Load() == 1 {
				time.Sleep(d)
			}
			close(done)
		}()
		x.Store(1)
		<-done
	}
}

// until goes round until another goroutine has stopped it, and does something in each round.
func until(round func(n int)) {
	var mu sync.Mutex
	stop := false
	go func() {
		mu.Lock()
		stop = true
		mu.Unlock()
	}()
	for n := 0; ; n = 1 - n {
		round(n)
		mu.Lock()
		s := stop
		mu.Unlock()
		if s {
			return
		}
	}
}

// A node of a list.
type node struct {
	next *node
	v    int
}

//go:noinline
func list(n int) *node { return &node{&node{nil, n}, n + 1} }

//go:noinline
func (x *node) sum() int { return x.v + x.next.v }

// Each round makes a list, a closure, a slice, a map, an interface and a text of its own (REUSE1).
func TestAnewOwn(t *testing.T) {
	until(func(n int) {
		l := list(n)
		f := func() int { return l.sum() + n }
		s := append([]*node{l}, list(n), l.next)
		m := map[string]*node{fmt.Sprint("a", n): s[1]}
		var x any = *m[fmt.Sprint("a", n)]
		if f()+x.(node).v != 4*n+2 {
			panic("something was lost")
		}
	})
}

// Each round keeps what the one before it made.
func TestAnewKept(t *testing.T) {
	last := list(0)
	until(func(n int) {
		if last.sum() != 1+2*n && last.sum() != 3-2*n {
			panic("something was lost")
		}
		last = list(n)
	})
}

// What is told of an address is told of one object: each round leaves a lock locked, a Once done, a counter counted and
// a channel filled (REUSE2).
func TestAnewUsed(t *testing.T) {
	var v atomic.Int32
	go v.Store(1)
	for range 3 {
		mu, once, wg, c := new(sync.Mutex), new(sync.Once), new(sync.WaitGroup), make(chan int, 1)
		mu.Lock()
		did := false
		once.Do(func() { did = true })
		wg.Add(1)
		c <- 1
		if v.Load(); !did {
			panic("it was done")
		}
	}
}

// What is reached only by a deferred call, by what was recovered, by the value of a function, by a pointer into the
// middle, by a table, or by a stack of a coroutine, is there when all else is allocated anew (REUSE1, REUSE3).
func TestAnewReached(t *testing.T) {
	var v atomic.Int32
	go v.Store(1)
	again := func() {
		for range 3 {
			list(100)
			if v.Load() > 1 {
				panic("never")
			}
		}
	}
	check := func(x *node, v int) {
		if again(); x.sum() != 2*v+1 {
			panic("something was lost")
		}
	}
	func() {
		defer check(list(2), 2)
		again()
	}()
	func() {
		defer func() {
			again()
			check(recover().(*node), 3)
		}()
		again()
		panic(list(3))
	}()
	bound := list(4).sum
	middle := &list(5).next.v
	table := map[node]*node{{nil, 6}: list(6)}
	next, stop := iter.Pull(func(yield func(int) bool) {
		x := list(7)
		again()
		yield(1)
		again()
		yield(x.sum())
	})
	defer stop()
	next()
	again()
	sum, _ := next()
	next, stop = iter.Pull(func(yield func(int) bool) {
		x := list(8) // it belongs to whoever comes first
		again()
		yield(1)
		yield(x.sum())
	})
	defer stop()
	pulled := make(chan bool)
	go func() {
		defer close(pulled)
		y := list(9) // on a stack that lies in the coroutine meanwhile
		if next(); y.sum() != 19 {
			panic("something was lost")
		}
		again()
	}()
	<-pulled
	other, _ := next()
	for _, x := range table {
		check(x, 6)
	}
	if again(); bound() != 9 || *middle != 5 || sum != 15 || other != 17 {
		panic("something was lost")
	}
}

// What another one has been given stays, also where its maker forgets it.
func TestAnewGiven(t *testing.T) {
	c, d := make(chan *node, 3), make(chan bool)
	var v atomic.Int32
	go func() {
		for n := range 3 {
			if x := <-c; x.sum() != 2*n+1 {
				panic("something was lost")
			}
		}
		close(d)
	}()
	for n := range 3 {
		c <- list(n)
		list(100)
		v.Load()
	}
	<-d
}

// Who has much of its own looks at it seldom (REUSE4).
func TestAnewMuch(t *testing.T) {
	var v atomic.Int32
	go v.Store(1)
	var much *node
	for n := range 2000 {
		much = &node{much, n}
	}
	for range 100 {
		list(1)
		v.Load()
	}
	if much.sum() != 1999+1998 {
		panic("something was lost")
	}
}

// What only a range loop reads is there until the loop ends (REUSE1).
func TestRanged(t *testing.T) {
	var v atomic.Int32
	go v.Store(1)
	sum := 0
	for k, x := range map[string]struct{ a, b, c int }{"one": {1, 2, 3}, "two": {4, 5, 6}} {
		v.Load()
		sum += len(k) + x.a + x.b + x.c + list(3).sum()
	}
	for _, r := range string(make([]byte, 3, 8+sum)) {
		v.Load()
		sum += int(r) + list(3).sum()
	}
	if sum != 27+5*list(3).sum() {
		panic("something was lost")
	}
}

// What a range loop still reads is part of the state in which it stands.
func TestRangedText(t *testing.T) {
	var v, w atomic.Int32
	go v.Store(1)
	go w.Store(1)
	text := []byte("aab")
	if v.Load() == 1 {
		text[2] = 'c'
	}
	v.Store(2)
	for _, r := range string(text) {
		w.Load()
		if r == 'c' {
			panic("the text")
		}
	}
}

// TestRangedText with a table.
func TestRangedTable(t *testing.T) {
	var v, w atomic.Int32
	go v.Store(1)
	go w.Store(1)
	table := map[int]int{1: 1, 2: 2}
	if v.Load() == 1 {
		table = map[int]int{1: 1, 2: 3}
	}
	v.Store(2)
	sum := 0
	for _, x := range table {
		w.Load()
		if sum += x; sum == 4 {
			panic("the table")
		}
	}
}
