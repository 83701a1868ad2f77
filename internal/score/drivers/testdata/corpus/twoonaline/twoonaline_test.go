package twoonaline

import (
	"testing"
)

func TestTwo(t *testing.T) {
	a, b, done := 0, 0, make(chan bool)
	go func() {
		a, b = 1, 2 // want "data race: a" "data race: b"
		done <- true
	}()
	_ = a
	_ = b
	<-done
}
