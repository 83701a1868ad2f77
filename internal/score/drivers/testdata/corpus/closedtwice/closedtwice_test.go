package closedtwice

import (
	"testing"
)

func TestClose(t *testing.T) {
	c, done := make(chan int), make(chan bool, 2)
	stop := func() {
		defer func() { done <- true }()
		select {
		case <-c:
		default:
			close(c) // want "close of closed channel" "close of closed channel"
		}
	}
	go stop()
	stop()
	<-done
	<-done
}
