package main

import (
	"context"
	"fmt"
	"hash/maphash"
	"runtime"
	"strings"
	"sync"
	"time"
)

// What a goroutine that has parked goes on with.
func main() {
	runtime.GOMAXPROCS(1)

	// A select that a close has woken is in no other queue any more.
	ctx, cancel := context.WithCancel(context.Background())
	control, stopped := make(chan int), make(chan bool)
	go func() {
		defer close(stopped)
		for {
			select {
			case <-control:
				fmt.Println("served")
			case <-ctx.Done():
				return
			}
		}
	}()
	control <- 1
	runtime.Gosched()
	cancel()
	select {
	case control <- 2:
		fmt.Println("sent to one that is gone")
	case <-stopped:
		fmt.Println("stopped")
	}
	select {
	case control <- 3:
		fmt.Println("sent to one that has ended")
	default:
		fmt.Println("nobody there")
	}

	// A stack dump has all goroutines, and what each waits for.
	var mu sync.Mutex
	mu.Lock()
	go lockIt(&mu)
	runtime.Gosched()
	buf := make([]byte, 1<<16)
	for _, s := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		head, _, _ := strings.Cut(s, "\n")
		_, state, _ := strings.Cut(head, " [")
		fmt.Println(state, strings.Contains(s, "main.lockIt"), strings.Contains(s, "created by main.main in goroutine"))
	}
	mu.Unlock()

	// No two readings of the clock are equal, and it comes to no deadline before its time.
	a := time.Now()
	b := time.Now()
	fmt.Println(b.After(a), time.Since(a) > 0)
	began := time.Now()
	time.Sleep(time.Millisecond)
	fmt.Println(time.Since(began) >= time.Millisecond)

	// What the compiler has for hash/maphash.Comparable.
	seed := maphash.MakeSeed()
	type key struct {
		s string
		p *int
	}
	p := new(int)
	fmt.Println(maphash.Comparable(seed, key{"a", p}) == maphash.Comparable(seed, key{"a", p}), maphash.Comparable(seed, "a") == maphash.Comparable(seed, "b"))
}

func lockIt(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
}
