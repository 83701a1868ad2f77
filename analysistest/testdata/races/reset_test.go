package races

import (
	"sync"
	"testing"
)

// This file overwrites and copies Onces. Then a function may run twice, and what one run has done is not known to who
// comes behind the other.

func TestRaceOnceReset(t *testing.T) { // who comes behind the run before does not know of the next
	var mu sync.Mutex
	var once sync.Once
	x, c := 0, make(chan int, 1)
	beside(func() {
		/*hold*/
		mu.Lock()
		once = sync.Once{}
		mu.Unlock()
		once.Do(func() { x = 1 })
		c <- 1
	}, func() {
		mu.Lock()
		once.Do(func() {})
		mu.Unlock()
		/*hold*/
		if len(c) == 1 {
			sink = x
		}
	})
}

func TestRaceOncePointer(t *testing.T) { // another Once is behind the same pointer
	var mu sync.Mutex
	var a, b sync.Once
	once := &a
	x, c := 0, make(chan int, 1)
	beside(func() {
		once.Do(func() { x = 1 })
		c <- 1
	}, func() {
		mine := once
		if len(c) == 1 {
			mu.Lock()
			mine = &b
			mu.Unlock()
		}
		mine.Do(func() {})
		sink = x
	})
}

func TestQuietOncePointer(t *testing.T) { // two pointers lead to one Once
	var once sync.Once
	a, b := &once, &once
	x, c := 0, make(chan int, 1)
	beside(func() { a.Do(func() { x = 1 }); c <- 1 }, func() {
		if len(c) == 1 {
			b.Do(func() { x = 2 })
			sink = x
		}
	})
}

func TestRaceOnceCopied(t *testing.T) { // before it was done
	var once sync.Once
	x, c := 0, make(chan int, 1)
	twin := once
	beside(func() { once.Do(func() { x = 1 }); c <- 1 }, func() {
		if len(c) == 1 {
			twin.Do(func() {})
			sink = x
		}
	})
}

func TestQuietOnceResetBetween(t *testing.T) { // what was done before is known by the start of the goroutine
	var once sync.Once
	x, c := 0, make(chan int, 1)
	once.Do(func() { x = 1 })
	once = sync.Once{}
	beside(func() { once.Do(func() { x = 2 }); c <- 1 }, func() {
		if len(c) == 1 {
			once.Do(func() { x = 3 })
			sink = x
		}
	})
}

func TestRaceOnceResetBetween(t *testing.T) { // the first run's goroutine is not that of the second
	var mu sync.Mutex
	var once sync.Once
	x, c := 0, make(chan int, 1)
	beside(func() {
		mu.Lock()
		once.Do(func() {})
		mu.Unlock()
		x = 1
		c <- 1
	}, func() {
		mu.Lock()
		once = sync.Once{}
		mu.Unlock()
		if len(c) == 1 {
			mu.Lock()
			once.Do(func() { sink = x })
			mu.Unlock()
		}
	})
}

func TestRaceOncePanics(t *testing.T) { // a function that panics has run
	var once sync.Once
	x, y, c := 0, 0, make(chan int, 1)
	try := func(f func()) {
		defer func() { recover() }()
		once.Do(f)
	}
	beside(func() { try(func() { x = 1; panic(1) }); y = 1; c <- 1 }, func() {
		if len(c) == 1 {
			try(func() { x = 2 })
			sink = x
			sink = y
		}
	})
}
