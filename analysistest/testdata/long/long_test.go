package long

import (
	"sync"
	"testing"
)

// The tests make executions of about 4,000 visible events.

var c int

func start(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() { defer wg.Done(); f() }()
	}
	wg.Wait()
}

func TestRacy(t *testing.T) {
	f := func() {
		for range 1000 {
			c++
		}
	}
	start(f, f)
}

func TestLocked(t *testing.T) {
	var mu sync.Mutex
	f := func() {
		for range 250 {
			mu.Lock()
			c++
			mu.Unlock()
		}
	}
	start(f, f, f, f)
}

func TestChannel(t *testing.T) {
	ch := make(chan int)
	var sum int
	start(func() {
		for i := range 500 {
			ch <- i
		}
	}, func() {
		for i := range 500 {
			ch <- i
		}
	}, func() {
		for range 1000 {
			sum += <-ch
		}
	})
}

func TestMany(t *testing.T) {
	var mu sync.Mutex
	var fs []func()
	for range 64 {
		fs = append(fs, func() {
			for range 16 {
				mu.Lock()
				c++
				mu.Unlock()
			}
		})
	}
	start(fs...)
}

func TestMap(t *testing.T) {
	m := make(map[int]int)
	var mu sync.RWMutex
	f := func() {
		for i := range 300 {
			mu.RLock()
			v := m[i%7]
			mu.RUnlock()
			mu.Lock()
			m[i%7] = v + 1
			mu.Unlock()
		}
	}
	start(f, f)
}
