package abandonedrecv

import (
	"testing"
)

func TestReceive(t *testing.T) {
	c := make(chan int)
	go func() { <-c }() // want "goroutine leak"
}
