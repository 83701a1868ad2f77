package main

import (
	"sync/atomic"
	"time"
)

var zero atomic.Int32

func down(n int) int32 {
	if n == 0 {
		return 0
	}
	return zero.Load() + down(n-1)
}

func main() {
	go func() {
		time.Sleep(time.Second)
		zero.Store(1)
	}()
	println(down(600))
}
