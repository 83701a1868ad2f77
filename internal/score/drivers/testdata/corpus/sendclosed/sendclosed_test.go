package sendclosed

import (
	"testing"
)

func TestSend(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }() // want "send on closed channel"
	close(c)
}
