package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Each loop goes round for a second, or until somebody who sleeps has slept for one.
func main() {
	begin := time.Now()
	var flag atomic.Bool
	time.AfterFunc(time.Second, func() { flag.Store(true) })
	for !flag.Load() {
	}
	fmt.Println(time.Since(begin).Round(time.Second / 10))

	var mu sync.Mutex
	count := 0
	for range 2 {
		go func() {
			time.Sleep(time.Second)
			mu.Lock()
			count++
			mu.Unlock()
		}()
	}
	for done := false; !done; {
		mu.Lock()
		done = count == 2
		mu.Unlock()
	}
	fmt.Println(time.Since(begin).Round(time.Second / 10))

	// It computes: the timer is long, and does not fire.
	timer := time.AfterFunc(time.Second, func() { panic("too early") })
	sum := 0
	for i := range 4_000_000 {
		sum += i & 3
	}
	fmt.Println(sum, timer.Stop())
}
