package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

// A goroutine that works without end has time slices, in which timers fire.
func main() {
	var done atomic.Bool
	time.AfterFunc(2*time.Millisecond, func() { done.Store(true) })
	n := 0
	for !done.Load() {
		for i := range 10_000 {
			n += i & 1
		}
	}
	fmt.Println(n > 0)
}
