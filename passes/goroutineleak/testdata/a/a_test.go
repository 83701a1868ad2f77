package a

import "testing"

func fetch(size int, stop chan bool) int {
	ch := make(chan int, size)
	go func() {
		ch <- 1 // want `goroutine leak: G1\.2 blocked here in chan send, started at \S+:\d+\n.*\n\tin TestNoRoom`
	}()
	select {
	case v := <-ch:
		return v
	case <-stop:
		return 0
	}
}

func TestNoRoom(t *testing.T) { // verdict: exhausted
	stop := make(chan bool)
	go close(stop)
	fetch(0, stop)
}

func TestRoom(t *testing.T) { // verdict: exhausted
	stop := make(chan bool)
	go close(stop)
	fetch(1, stop)
}
