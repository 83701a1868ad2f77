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

	// Who has waited longest for room in a channel gets it, not who comes by.
	full, done := make(chan string, 1), make(chan bool)
	full <- "first"
	go func() { full <- "waiter" }()
	runtime.Gosched()
	fmt.Println(<-full)
	go func() {
		fmt.Println(<-full)
		fmt.Println(<-full)
		close(done)
	}()
	full <- "main"
	<-done

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
