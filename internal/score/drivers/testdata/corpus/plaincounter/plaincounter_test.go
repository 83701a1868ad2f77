package plaincounter

import (
	"testing"
)

func TestCounter(t *testing.T) {
	n, done := 0, make(chan bool)
	go func() {
		n++
		done <- true
	}()
	n++ // want "data race"
	<-done
}
