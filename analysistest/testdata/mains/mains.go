// Package main has main programs, each an exported function, that start goroutines and do not wait for them. What these
// do comes before the end of main, or not at all.
package main

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func main() {}

func Panics() {
	var mu sync.Mutex
	go func() {
		mu.Lock()
		mu.Unlock()
		panic("beside main")
	}()
}

func Races() {
	var mu sync.Mutex
	n := 0
	go func() {
		mu.Lock()
		mu.Unlock()
		n++
	}()
	n++
}

func PanicsBehind() {
	var mu sync.Mutex
	var head *int
	go func() {
		mu.Lock()
		x := head
		mu.Unlock()
		if x != nil {
			mu.Lock()
			mu.Unlock()
			panic("behind main's write")
		}
	}()
	mu.Lock()
	head = new(int)
	mu.Unlock()
}

func PanicsInBetween() {
	var n, m atomic.Int32
	var mu sync.Mutex
	go func() {
		if n.Load() == 1 {
			m.Store(1)
			mu.Lock()
			mu.Unlock()
			if m.Load() == 2 {
				panic("behind both")
			}
		}
	}()
	n.Store(1)
	if m.Load() == 1 {
		m.Store(2)
	}
}

func RacesOfTwo() {
	var mu sync.Mutex
	n := 0
	for range 2 {
		go func() {
			mu.Lock()
			mu.Unlock()
			n++
		}()
	}
}

// What a goroutine waits for at main's end has not leaked: the process is gone.
func Leaves() {
	c := make(chan int)
	go func() { <-c }()
	go func() {
		for {
			runtime.Gosched()
		}
	}()
}

// No goroutine is left where main ends by Goexit, and that is a fatal error.
func Goexits() {
	go func() {}()
	runtime.Goexit()
}
