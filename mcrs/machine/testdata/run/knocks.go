// Knocks asks twenty thousand times for what is asked for already, below a deadline of ten seconds. It does not wait
// for anything, so no time passes (SPIN2). What polls comes to its end.
package main

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	asked := make(chan bool, 1)
	for range 20_000 {
		select {
		case asked <- true:
		default:
		}
	}
	fmt.Println("after the requests:", ctx.Err())

	var done atomic.Bool
	time.AfterFunc(time.Millisecond, func() { done.Store(true) })
	for !done.Load() {
		runtime.Gosched()
	}
	fmt.Println("done")
}
