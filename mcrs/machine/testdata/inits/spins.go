package main

import (
	"sync/atomic"
	"time"
)

var ready atomic.Bool

func main() {
	go func() {
		time.Sleep(time.Second)
		ready.Store(true)
	}()
	for n := 0; !ready.Load(); n++ {
	}
}
