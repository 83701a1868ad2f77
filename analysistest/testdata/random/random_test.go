// Package random draws randomness from the kernel when it is initialised, and in a test.
package random

import (
	"crypto/rand"
	"testing"
)

var seed = func() (b [8]byte) {
	rand.Read(b[:])
	return b
}()

// Nothing of this waits for a timer, nor does it have to be initialised in each execution.
func TestSeeded(t *testing.T) {
	c := make(chan byte)
	go func() { c <- seed[0] }()
	if b := [1]byte{1}; <-c != seed[0] || len(b) != 1 {
		t.Error("it has changed")
	}
}

// Two goroutines draw, and the first use of randomness is one of them.
func TestDraws(t *testing.T) {
	c := make(chan int)
	for range 2 {
		go func() {
			b := make([]byte, 4)
			n, _ := rand.Read(b)
			c <- n
		}()
	}
	if <-c+<-c != 8 {
		t.Error("bytes are missing")
	}
}
