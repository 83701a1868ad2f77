package main

import (
	"runtime"
	"sync"
	"time"
)

func work() { time.AfterFunc(time.Second, work) }

func timers() {
	work()
	select {}
}

func sleeps() {
	go func() {
		for {
			time.Sleep(time.Second)
		}
	}()
	select {}
}

func ticks() {
	n := 0
	go func() {
		for range time.Tick(time.Minute) {
			n++
		}
	}()
	select {}
}

func rarely() { // less than once in the ten minutes that the clock goes on
	go func() {
		for {
			time.Sleep(time.Hour)
		}
	}()
	select {}
}

func ends() { // all goroutines are asleep
	go func() {
		for range 3 {
			time.Sleep(time.Second)
		}
	}()
	select {}
}

func alone() { select {} }

func exits() { // main has ended, and others go on
	go func() {
		for {
			time.Sleep(time.Second)
		}
	}()
	runtime.Goexit()
}

func exitsBesideTimers() {
	work()
	runtime.Goexit()
}

func exitsBesideBlocked() { // who ranges for ever is no deadlock while another goes on
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	exits()
}

func exitsLast() { // no goroutines
	go func() { time.Sleep(time.Second) }()
	runtime.Goexit()
}

func exitsAndBlocks() { // all goroutines are asleep
	c := make(chan int)
	go func() {
		for range c {
		}
	}()
	runtime.Goexit()
}

func locks() {
	work()
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

func receives() {
	work()
	<-make(chan int)
}

func polls() { // main is no select {}
	work()
	var c chan int
	select {
	case <-c:
	}
}

func main() {}
