package main

import (
	"sync/atomic"
	"time"
)

var all [200]atomic.Int32

func main() {
	go func() {
		time.Sleep(time.Second)
		all[0].Store(1)
	}()
	sum := int32(0)
	for i := range all {
		sum += all[i].Load()
	}
	println(sum)
}
