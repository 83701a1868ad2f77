package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Goroutines take turns on one processor: after a rendezvous the one that came later goes on, and a select does not
// wait for a receiver that is on its way.
func main() {
	runtime.GOMAXPROCS(1)
	in, out := make(chan int), make(chan int)
	go func() {
		for e := range in {
			select {
			case out <- e:
			default:
				fmt.Println("nobody receives", e)
			}
		}
		close(out)
	}()
	in <- 1
	close(in)
	fmt.Println(<-out)

	// More goroutines in all than may be told apart by their addresses.
	var n atomic.Int64
	for range 70 {
		var wg sync.WaitGroup
		for range 1000 {
			wg.Go(func() { n.Add(1) })
		}
		wg.Wait()
	}
	fmt.Println(n.Load())
}
