package abandonedsend

import (
	"testing"
)

func TestSend(t *testing.T) {
	c, quit := make(chan int), make(chan bool, 1)
	go func() { c <- 1 }() // want "goroutine leak"
	quit <- true
	select {
	case <-c:
	case <-quit:
	}
}
